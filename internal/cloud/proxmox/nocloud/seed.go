// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package nocloud makes the volume that cloud-init's NoCloud data source reads: an ISO 9660 image with Rock Ridge names,
// built in memory.
package nocloud

import (
	"fmt"
	"strings"
	"time"
)

// VolumeID is the label by which cloud-init finds the volume (cloud-init documentation, "NoCloud").
const VolumeID = "cidata"

// Seed is what a guest is told at its first start.
type Seed struct {
	// InstanceID tells a machine from another: a new one makes cloud-init begin anew.
	InstanceID string
	HostName   string
	// UserData is handed on as it is, SSH keys merged in.
	UserData []byte
	// MACs are the hardware addresses of the NICs, which all get their addresses by DHCP. Without any, every NIC whose
	// name begins with e does.
	MACs []string
}

// Image answers the volume, with files that bear the given time.
func (s Seed) Image(made time.Time) ([]byte, error) {
	return buildImage(VolumeID, made, []file{
		{"meta-data", s.MetaData()},
		{"network-config", s.NetworkConfig()},
		{"user-data", s.UserData},
	})
}

// MetaData answers the file meta-data.
func (s Seed) MetaData() []byte {
	return fmt.Appendf(nil, "instance-id: %q\nlocal-hostname: %q\n", s.InstanceID, s.HostName)
}

// NetworkConfig answers the file network-config (cloud-init documentation, "Networking config Version 2").
func (s Seed) NetworkConfig() []byte {
	var text strings.Builder
	text.WriteString("version: 2\nethernets:\n")
	if len(s.MACs) == 0 {
		text.WriteString("  nics:\n    match:\n      name: \"e*\"\n    dhcp4: true\n")
	}
	for i, mac := range s.MACs {
		fmt.Fprintf(&text, "  nic%d:\n    match:\n      macaddress: %q\n    dhcp4: true\n", i, strings.ToLower(mac))
	}
	return []byte(text.String())
}

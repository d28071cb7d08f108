// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package cloud holds the one list of kinds of accounts, and the accounts that a process has open.
package cloud

import (
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/digitalocean"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/hetzner"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/proxmox"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Kinds answers every kind of account, in the order of the documentation.
func Kinds() []driver.Kind {
	return []driver.Kind{hetzner.Kind(), digitalocean.Kind(), proxmox.Kind()}
}

// KindByName answers the kind of a name such as hetzner-cloud.
func KindByName(name string) (driver.Kind, bool) {
	kinds := Kinds()
	at := slices.IndexFunc(kinds, func(kind driver.Kind) bool { return kind.Manifest.Kind == name })
	if at < 0 {
		return driver.Kind{}, false
	}
	return kinds[at], true
}

// KindNames answers the names of all kinds.
func KindNames() []string {
	var names []string
	for _, kind := range Kinds() {
		names = append(names, kind.Manifest.Kind)
	}
	return names
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// The options that only this vendor has.
const (
	optionNode       = "node"
	optionBridge     = "bridge"
	optionVLAN       = "vlan"
	optionDevices    = "network_devices"
	optionCPUType    = "cpu_type"
	optionOnBoot     = "on_boot"
	optionProtection = "protection"
)

// highestVLAN: qemu-server, QemuServer/Network.pm, tag.
const highestVLAN = 4094

// options: NICs are plugged while a machine runs; another CPU type needs a stop and a start (qemu-server, QemuServer.pm,
// vmconfig_hotplug_pending).
func options() []driver.Option {
	return append([]driver.Option{
		{
			Field: manifest.Field{
				Name: optionNode, Type: manifest.String,
				Doc: "Node that the machine is cloned to, in place of the account's. Another one than the template's needs shared storage.",
			},
			Effect: driver.Replaces, Refers: true, Hidden: true,
			Note: "A machine that was migrated since is left where it is: its node is not compared.",
		},
		driver.CommonOption(driver.OptionNetwork, driver.Option{
			Effect: driver.InPlace, Refers: true, Part: bridgePart, Addresses: true, Follows: []string{optionBridge, optionVLAN},
			Note: "The bridge or VNet of the first network device, with a VLAN tag behind a dot. The device keeps its hardware address, model and firewall flag.",
		}),
		{
			Field:  manifest.Field{Name: optionBridge, Type: manifest.String, Doc: "Bridge or VNet of the first network device, in place of `network`."},
			Effect: driver.InPlace, Refers: true, Addresses: true, Follows: []string{driver.OptionNetwork},
		},
		{
			Field: manifest.Field{
				Name: optionVLAN, Type: manifest.Integer, Check: checkVLAN,
				Doc: "VLAN tag of the first network device, 1 to 4094, in place of the one in `network`; 0: none.",
			},
			Effect: driver.InPlace, Addresses: true, Follows: []string{driver.OptionNetwork},
		},
		{
			Field: manifest.Field{
				Name: optionDevices, Type: manifest.StringList, Check: checkDevices,
				Doc: "Further network devices, in order: of each the bridge or VNet, with a VLAN tag behind a dot, such as `vmbr1` or `vmbr1.200`. `[]`: none.",
			},
			Effect: driver.InPlace, Refers: true, Part: bridgePart, Addresses: true,
			Note: "New ones are VirtIO devices. A guest that runs has to be told about a device that comes later.",
		},
	}, hardwareOptions()...)
}

func hardwareOptions() []driver.Option {
	return []driver.Option{
		{
			Field: manifest.Field{
				Name: optionCPUType, Type: manifest.String,
				Doc: "Type of the virtual CPU, such as `host` or `x86-64-v3`.",
			},
			Effect: driver.Restarts, Refers: true, Note: "CPU flags that the template sets are kept.",
		},
		{
			Field:  manifest.Field{Name: optionOnBoot, Type: manifest.Boolean, Doc: "Whether the machine is started when its node boots."},
			Effect: driver.InPlace,
		},
		{
			Field: manifest.Field{
				Name: optionProtection, Type: manifest.Boolean,
				Doc: "The vendor's own protection by itself: the machine and its disks cannot be removed. `delete_protection` sets it too, and plans honour it.",
			},
			Effect: driver.InPlace, Follows: []string{driver.OptionDeleteProtection},
		},
		driver.CommonOption(driver.OptionDeleteProtection, driver.Option{
			Effect: driver.InPlace, Follows: []string{optionProtection}, Note: "A reinstall removes the machine's disks too, so a protected machine refuses it.",
		}),
	}
}

func checkVLAN(value any) error {
	if tag, _ := value.(int64); tag < 0 || tag > highestVLAN {
		return fmt.Errorf("must be a VLAN tag from 1 to %d, or 0 for none", highestVLAN)
	}
	return nil
}

// maxDevices is how many network devices a machine has beside the first: with VMIDs of nine digits the host's names of
// more do not fit.
const maxDevices = 9

func checkDevices(value any) error {
	if devices, _ := value.([]string); len(devices) > maxDevices {
		return fmt.Errorf("must not be more than %d", maxDevices)
	}
	return nil
}

// checkOptions looks at options that depend on each other, and at texts that cannot be empty here.
func checkOptions(written manifest.Values) []manifest.Fault {
	var faults []manifest.Fault
	fault := func(option, message string) {
		faults = append(faults, manifest.Fault{Path: []string{option}, Message: message})
	}
	for _, name := range []string{optionNode, driver.OptionNetwork, optionBridge, optionCPUType} {
		if value, there := written[name]; there && value == "" {
			fault(name, "must not be empty: a machine at Proxmox VE always has one")
		}
	}
	bridge, vlan := splitNetwork(written.String(driver.OptionNetwork))
	for _, one := range []struct {
		name string
		same any
	}{{optionBridge, bridge}, {optionVLAN, vlan}} {
		if value, both := written[one.name]; both && bridge != "" && value != one.same {
			fault(one.name, "cannot be written together with network, which says another bridge or VLAN for the same device")
		}
	}
	own, hasOwn := written[optionProtection]
	if common, both := written[driver.OptionDeleteProtection]; both && hasOwn && own != common {
		fault(optionProtection, "contradicts delete_protection, which sets the same switch")
	}
	return faults
}

var taggedPattern = regexp.MustCompile(`^(.+)\.([1-9][0-9]{0,3})$`)

// splitNetwork reads a bridge with a VLAN tag behind a dot; 0: none.
func splitNetwork(text string) (bridge string, vlan int64) {
	found := taggedPattern.FindStringSubmatch(text)
	if found == nil {
		return text, 0
	}
	tag, err := strconv.ParseInt(found[2], 10, 64)
	if err != nil || tag > highestVLAN {
		return text, 0
	}
	return found[1], tag
}

func bridgePart(text string) string {
	bridge, _ := splitNetwork(text)
	return bridge
}

// networkOf writes the bridge and the VLAN of a network device; empty: it is on none.
func networkOf(device string) string {
	bridge, tag := property(device, "bridge", ""), property(device, "tag", "")
	if bridge == "" || tag == "" {
		return bridge
	}
	return bridge + "." + tag
}

// standardCPU is the type of a machine whose config names none (qemu-server, CPUConfig.pm, get_default_cpu_type).
const standardCPU = "kvm64"

func cpuTypeOf(config vmConfig) string {
	if kind := property(config["cpu"], "cputype", "cputype"); kind != "" {
		return kind
	}
	return standardCPU
}

// optionsOf are the options that a config shows; none while it is not the machine's own yet.
func optionsOf(found vm) manifest.Values {
	if found.unreadable() {
		return nil
	}
	config := found.config
	first := config["net0"]
	vlan, err := strconv.ParseInt(property(first, "tag", ""), 10, 64)
	if err != nil {
		vlan = 0
	}
	devices := []string{}
	for _, name := range config.furtherDevices() {
		devices = append(devices, networkOf(config[name]))
	}
	protected := config["protection"] == "1"
	return manifest.Values{
		driver.OptionNetwork: networkOf(first), optionBridge: property(first, "bridge", ""), optionVLAN: vlan, optionDevices: devices,
		optionCPUType: cpuTypeOf(config), optionOnBoot: config["onboot"] == "1", optionProtection: protected,
		driver.OptionDeleteProtection: protected,
	}
}

// furtherDevices are the names of the network devices beside the first, in order.
func (c vmConfig) furtherDevices() []string {
	var names []string
	for index := 1; index <= 31; index++ {
		if name := "net" + strconv.Itoa(index); c[name] != "" {
			names = append(names, name)
		}
	}
	return names
}

// withNetwork answers a network device on another bridge and VLAN, otherwise as it is; without one a new VirtIO device.
func withNetwork(device, bridge string, vlan int64) string {
	if device == "" {
		device = "virtio"
	}
	var parts []string
	for part := range strings.SplitSeq(device, ",") {
		if name, _, _ := strings.Cut(part, "="); name != "bridge" && name != "tag" {
			parts = append(parts, part)
		}
	}
	parts = append(parts, "bridge="+bridge)
	if vlan != 0 {
		parts = append(parts, "tag="+strconv.FormatInt(vlan, 10))
	}
	return strings.Join(parts, ",")
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"maps"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// proxmox has one region, the account's, sells what the account says, and has no prices.
var proxmox = Vendor{ //nolint:gosec // the words that look like a credential are the name of a variable and an error
	Name: "proxmox", Collection: "vms", Kind: "proxmox", Attribute: "proxmox",
	Place: "region", Region: "pve", Offer: "2c-4g-20d", OtherOffer: "4c-8g", DiskGiB: 20,
	Image: "debian-13", OtherImage: "ubuntu-24.04", ImageID: "9000", Addresses: 1, Running: "running",
	TokenVariable: "PROXMOX_VE_API_TOKEN", WrongToken: "the token is unknown, disabled or expired",
	CreatePath: "/api2/json/nodes/pve1/qemu/9000/clone", ActionsPath: "/api2/json/nodes/pve1/tasks",
	CreateOperation: "qmclone", RebuildOperation: "qmclone", DeleteOperation: "qmdestroy",
	UserDataBytes: 1 << 20, BadLabel: "a.b", OwnLabel: "better-compute", ReinstallsUserData: true,
	Off: "stopped", WritePath: "/api2/json/nodes/pve1/qemu/",
	ListPath: "/api2/json/cluster/resources", Blind: "no_audit", BlindSays: []string{"VM.Audit"}, ReusesIDs: true,
	Address: "url", Arguments: map[string]any{"offers": []string{"2c-4g-20d", "4c-8g"}},
	of: func(e *emulator.Emulator) *emulator.Vendor { return e.Proxmox }, fields: proxmoxFields, labels: proxmoxLabels,
	planted: emulator.Fields{"cores": 2, "memory": "4096", "scsi0": "local-lvm:disk,size=20G", "status": "running"},
}

// proxmoxLines are the lines of a description that are marks.
var proxmoxLines = map[string]string{"key": "better-compute", "account": "account", "claim": "claim"}

func proxmoxFields(labels, marks map[string]string) emulator.Fields {
	var tags, lines []string
	for key, value := range labels {
		tags = append(tags, strings.TrimSuffix(key+"."+value, "."))
	}
	for _, mark := range slices.Sorted(maps.Keys(marks)) {
		switch mark {
		case "managed":
			tags = append(tags, "better-compute")
		case "creating", "stopped":
			lines = append(lines, mark)
		default:
			lines = append(lines, proxmoxLines[mark]+" "+marks[mark])
		}
	}
	slices.Sort(tags)
	return emulator.Fields{"tags": strings.Join(tags, ";"), "description": strings.Join(lines, "\n")}
}

func proxmoxLabels(machine emulator.Object) (labels, marks map[string]string) {
	labels, marks = map[string]string{}, map[string]string{}
	for _, tag := range machine.Tags {
		if tag == "better-compute" {
			marks["managed"] = "true"
			continue
		}
		key, value, _ := strings.Cut(tag, ".")
		labels[key] = value
	}
	for line := range strings.Lines(machine.Description) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "creating" || name == "stopped" {
			marks[name] = "true"
		}
		for mark, word := range proxmoxLines {
			if word == name {
				marks[mark] = value
			}
		}
	}
	return labels, marks
}

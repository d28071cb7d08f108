// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// getConfig merges what waits for the next start, unless current=1 asks for what the guest has (qs API2/Qemu.pm,
// vm_config).
func getConfig(c *call, m *machine) core.Answer {
	if name := c.in["snapshot"]; name != "" {
		return c.died("snapshot '" + name + "' does not exist")
	}
	if c.in["current"] == "1" {
		return c.reply(m.body(m.config))
	}
	return c.reply(m.body(m.merged()))
}

// getPending lists every key with its value now and after the next start.
func getPending(c *call, m *machine) core.Answer {
	rows := []object{}
	for _, key := range sortedKeys(m.config) {
		row := object{"key": key, "value": shown(key, m.config[key])}
		if next, changes := m.pending[key]; changes {
			row["pending"] = shown(key, next)
		}
		if _, goes := m.dropped[key]; goes {
			row["delete"] = 1
		}
		rows = append(rows, row)
	}
	for _, key := range sortedKeys(m.pending) {
		if _, now := m.config[key]; !now {
			rows = append(rows, object{"key": key, "pending": shown(key, m.pending[key])})
		}
	}
	return c.reply(append(rows, object{"key": "digest", "value": m.digest()}))
}

// configRights are those of which an update needs any one before each key is looked at.
var configRights = []string{
	"VM.Config.Disk", "VM.Config.CDROM", "VM.Config.CPU", "VM.Config.Memory", "VM.Config.Network", "VM.Config.HWType",
	"VM.Config.Options", "VM.Config.Cloudinit",
}

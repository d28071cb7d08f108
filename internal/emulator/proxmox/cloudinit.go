// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// putCloudInit makes the cloud-init drive anew; without such a drive it does nothing.
func putCloudInit(c *call, m *machine) core.Answer {
	if problem := c.api.cloudInitProblem(m); problem != "" {
		return c.died(problem)
	}
	return c.reply(nil)
}

// cloudInitProblem says why the drive cannot be made: a snippet that is named and not there (qs QemuServer/Cloudinit.pm).
func (a *API) cloudInitProblem(m *machine) string {
	if a.cloudInitDrive(m) == "" {
		return ""
	}
	parts := properties(m.config["cicustom"])
	for _, kind := range sortedKeys(parts) {
		if a.volume(m.node, parts[kind]) == nil {
			return fmt.Sprintf("volume '%s' does not exist", parts[kind])
		}
	}
	return ""
}

// cloudInitDrive is the key of the machine's cloud-init drive, "" without one.
func (a *API) cloudInitDrive(m *machine) string {
	for key, value := range m.config {
		if isDrive(key) && isCDROM(value) && strings.Contains(value, "cloudinit") {
			return key
		}
	}
	return ""
}

// getCloudInit compares what the drive has with what it would get; the drive here is always as new as the start.
func getCloudInit(c *call, m *machine) core.Answer {
	rows := []object{}
	for _, key := range sortedKeys(m.config) {
		if isCloudInit(key) || key == "name" {
			rows = append(rows, object{"key": key, "value": shown(key, m.config[key])})
		}
	}
	return c.reply(rows)
}

// dumpCloudInit is the text that is generated for the guest; cicustom is ignored.
func dumpCloudInit(c *call, m *machine) core.Answer {
	if c.in["type"] == "meta" {
		return c.reply("instance-id: " + m.digest() + "\n")
	}
	if c.in["type"] == "network" {
		return c.reply("version: 1\nconfig:\n")
	}
	var user strings.Builder
	fmt.Fprintf(&user, "#cloud-config\nhostname: %s\nmanage_etc_hosts: true\n", m.displayName())
	if m.config.has("ciuser") {
		fmt.Fprintf(&user, "user: %s\n", m.config["ciuser"])
	}
	if keys, err := url.PathUnescape(m.config["sshkeys"]); err == nil && keys != "" {
		user.WriteString("ssh_authorized_keys:\n")
		for line := range strings.Lines(keys) {
			fmt.Fprintf(&user, "  - %s\n", strings.TrimSpace(line))
		}
	}
	user.WriteString("chpasswd:\n  expire: False\nusers:\n  - default\npackage_upgrade: true\n")
	return c.reply(user.String())
}

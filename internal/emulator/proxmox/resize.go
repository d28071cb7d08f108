// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

var sizeForm = regexp.MustCompile(`^\+?\d+(\.\d+)?[KMGT]?$`)

func resizeParams() []param {
	size := text("size")
	size.pattern = sizeForm
	return []param{must(choice("disk", driveNames()...)), must(size), text("digest"), flag("skiplock")}
}

// driveNames are all drives that a machine can have (qs QemuServer/Drive.pm, valid_drive_names).
func driveNames() []string {
	var names []string
	for _, bus := range []struct {
		name  string
		count int
	}{{"ide", 4}, {"scsi", 31}, {"virtio", 16}, {"sata", 6}} {
		for i := range bus.count {
			names = append(names, bus.name+strconv.Itoa(i))
		}
	}
	return append(names, "efidisk0", "tpmstate0")
}

// resizeDisk looks at nothing before the task, not even at the rights on the storage (qs API2/Qemu.pm, resize_vm).
func resizeDisk(c *call) core.Answer {
	if c.in["skiplock"] == "1" {
		return c.invalid(map[string]string{"skiplock": "Only root may use this option."})
	}
	id := c.in.number("vmid", 0)
	return c.fork("resize", c.in["vmid"], func(w *worker) {
		w.lock(id, lockWait, func() { w.resize(c, c.api.onNode(w.node, id)) })
	})
}

func (w *worker) resize(c *call, m *machine) {
	if m == nil {
		w.end(noConfig(w.node, c.in["vmid"]))
		return
	}
	disk := c.in["disk"]
	v := w.api.volumeOf(m.node, m.config[disk])
	if problem := c.resizeProblem(m, v); problem != "" {
		w.end(problem)
		return
	}
	wanted := sizeOf(strings.TrimPrefix(c.in["size"], "+"))
	if strings.HasPrefix(c.in["size"], "+") {
		wanted += v.size
	}
	if wanted < v.size {
		w.end("shrinking disks is not supported")
		return
	}
	w.finish(w.during(), func() {
		v.size = wanted
		m.config[disk] = withoutProperty(m.config[disk], "size") + ",size=" + sizeText(wanted)
	}, nothing)
}

func (c *call) resizeProblem(m *machine, v *volume) string {
	disk := c.in["disk"]
	switch {
	case c.in.has("digest") && c.in["digest"] != m.digest():
		return "checksum mismatch (file change by other user?)"
	case m.config.has("lock"):
		return "VM is locked (" + m.config["lock"] + ")"
	case !m.config.has(disk):
		return fmt.Sprintf("disk '%s' does not exist", disk)
	case isCDROM(m.config[disk]):
		return "you can't resize a cdrom"
	case v == nil:
		return fmt.Sprintf("volume '%s' does not exist", properties(m.config[disk])[""])
	}
	if where := "/storage/" + v.storage.id; !c.may(where, "Datastore.AllocateSpace") {
		return "403 " + permissionText(where+", Datastore.AllocateSpace")
	}
	return ""
}

// sizeOf reads a size such as 20G; without a unit it is bytes.
func sizeOf(size string) int64 {
	unit := int64(1)
	if i := strings.IndexAny(size, "KMGT"); i >= 0 {
		unit = int64(1) << (10 * (1 + strings.Index("KMGT", size[i:])))
		size = size[:i]
	}
	number, _ := strconv.ParseFloat(size, 64) // sizeForm has seen a number
	return int64(number * float64(unit))
}

// sizeText is how a drive's size is written: in the largest unit that leaves no rest (pve-common JSONSchema.pm,
// format_size).
func sizeText(size int64) string {
	for i := 4; i > 0; i-- {
		unit := int64(1) << (10 * i)
		if size >= unit && size%unit == 0 {
			return strconv.FormatInt(size/unit, 10) + "KMGT"[i-1:i]
		}
	}
	return strconv.FormatInt(size, 10)
}

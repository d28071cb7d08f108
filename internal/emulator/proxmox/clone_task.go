// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// clone is the task. The new machine is there from the moment that its lock file is had: first with a temporary
// configuration, after the first disk with its own and still locked, unlocked in the end, and only then on its target
// node and in its pool.
func (w *worker) clone(o order) {
	w.share(o.source.id, cloneWait, func() { w.makeClone(o) })
}

func (w *worker) makeClone(o order) {
	w.lock(o.newid, cloneWait, func() {
		if problem := w.taken(o); problem != "" {
			w.end(problem)
			return
		}
		m := newMachine(o.newid, w.node, values{"description": temporary, "lock": "clone"})
		w.api.machines = append(w.api.machines, m)
		w.log("create %s clone of drive", map[bool]string{true: "full", false: "linked"}[o.full])
		w.copyDisks(o, m)
	})
}

// taken says why the VMID cannot be had any more: a file on the same node is found, one on another node is refused by
// the cluster file system (pve-cluster memdb.c, EEXIST).
func (w *worker) taken(o order) string {
	other := w.api.machine(o.newid)
	switch {
	case w.api.machine(o.source.id) != o.source:
		return "clone failed: " + notOnNode(w.node, strconv.Itoa(o.source.id))
	case other == nil:
		return ""
	case other.node == w.node:
		return collision(o.newid)
	}
	return fmt.Sprintf("close (rename) atomic file '/etc/pve/nodes/%s/qemu-server/%d.conf' failed: File exists", w.node.name, o.newid)
}

// copyDisks takes half of the task's time for the first disk and half for the rest.
func (w *worker) copyDisks(o order, m *machine) {
	undo := func() { w.api.remove(m, true) }
	w.undo = undo
	if !w.api.settings.Get().HasRoom("", w.node.name, true) {
		w.after(w.during()/2, func() {
			undo()
			w.end("clone failed: " + o.noRoom())
		})
		return
	}
	copied := func() {
		m.config, m.firewall = o.config, o.source.firewall.copy() // pve-firewall Firewall.pm, clone_vmfw_conf
		m.config["lock"] = "clone"
		for _, key := range o.disks {
			_, options, _ := strings.Cut(o.source.config[key], ",")
			m.config[key] = w.api.cloneVolume(o, m, o.volumes[key]).id() + "," + options
		}
	}
	w.after(w.during()/2, func() {
		copied()
		w.finish(w.during()-w.during()/2, func() {
			delete(m.config, "lock")
			m.node = o.node
			if o.pool != nil {
				o.pool.add(m.id)
			}
		}, undo)
	})
}

// noRoom is what storages say when they are full.
func (o order) noRoom() string {
	for _, v := range o.volumes {
		if o.target(v).kind == "lvmthin" {
			return fmt.Sprintf("lvcreate 'pve/vm-%d-disk-0' error:   Cannot create new thin volume, "+
				"free space in thin pool pve/data reached threshold.", o.newid)
		}
	}
	return "unable to create image: No space left on device"
}

// target is the storage that a volume is copied to.
func (o order) target(v *volume) *storage {
	if o.storage != nil {
		return o.storage
	}
	return v.storage
}

// cloneVolume copies one volume. A cloud-init drive is always made anew.
func (a *API) cloneVolume(o order, m *machine, old *volume) *volume {
	switch {
	case old.isCloudInit():
		return a.newVolume(o.target(old), m, "cloudinit", old.size)
	case o.full:
		return a.newVolume(o.target(old), m, "disk", old.size)
	}
	return a.linkedVolume(old, m)
}

// convertToTemplate renames the disks and marks the machine (qs API2/Qemu.pm, template).
func convertToTemplate(c *call, m *machine) core.Answer {
	switch {
	case m.isTemplate():
		return c.died("you can't convert a template to a template")
	case m.running:
		return c.died("you can't convert a VM to template if VM is running")
	}
	return c.fork("qmtemplate", c.in["vmid"], func(w *worker) {
		w.lock(m.id, lockWait, func() {
			w.finish(w.during(), func() {
				for _, key := range c.api.disks(m) {
					if v := c.api.volumeOf(m.node, m.config[key]); !v.isCloudInit() {
						_, options, _ := strings.Cut(m.config[key], ",")
						v.toBase()
						m.config[key] = v.id() + "," + options
					}
				}
				m.config["template"] = "1"
			}, nothing)
		})
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// createParams are the keys of the configuration and the create's own parameters, without those that restore an archive.
var createParams = slices.Concat(configParams, []param{
	must(vmidParam("vmid")), formatted("pool", poolName), text("storage"), flag("start"), flag("force"), flag("unique"),
	number("bwlimit", 0, 1<<40), text("import-working-storage"), flag("ha-managed"),
})

// mayCreate: VM.Allocate on the new VMID or in the pool (qs API2/Qemu.pm, create_vm).
func mayCreate(c *call) *core.Answer {
	if answer := c.poolExists(); answer != nil {
		return answer
	}
	pool := c.in["pool"]
	if !c.may("/vms/"+c.in["vmid"], "VM.Allocate") && (pool == "" || !c.may("/pool/"+pool, "VM.Allocate")) {
		return c.forbidden("")
	}
	return nil
}

// createMachine makes a machine without a template. It is there at once, locked; its disks come with the task.
func createMachine(c *call) core.Answer {
	m := newMachine(c.in.number("vmid", 0), c.node, values{"lock": "create"})
	change := update{set: values{}, pool: c.api.pool(c.in["pool"])}
	for key, value := range c.in {
		if configParam(key).kind != "" {
			change.set[key] = value
		}
	}
	if other := c.api.machine(m.id); other != nil {
		return c.died(fmt.Sprintf("unable to create VM %d - VM %d already exists on node '%s'", m.id, m.id, other.node.name))
	}
	if answer := c.checkKeyRights(m, change); answer != nil {
		return *answer
	}
	if answer := c.checkKeys(change); answer != nil {
		return *answer
	}
	c.api.machines = append(c.api.machines, m)
	return c.fork("qmcreate", c.in["vmid"], func(w *worker) {
		w.lock(m.id, lockWait, func() { w.create(c, m, change) })
	})
}

func (w *worker) create(c *call, m *machine, change update) {
	undo := func() { w.api.remove(m, true) }
	w.undo = undo
	w.finish(w.during(), func() {
		delete(m.config, "lock")
		if problem := c.apply(m, change); problem != "" {
			undo()
			w.end("unable to create VM " + c.in["vmid"] + " - " + problem)
			return
		}
		m.config["smbios1"], m.config["vmgenid"] = "uuid="+newUUID(), newUUID()
		m.config["meta"] = fmt.Sprintf("creation-qemu=10.0.2,ctime=%d", w.now.Unix())
		if change.pool != nil {
			change.pool.add(m.id)
		}
		if c.in["start"] == "1" {
			w.api.powerOn(m, w.now)
		}
	}, undo)
}

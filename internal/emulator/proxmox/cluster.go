// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// listResources: what exists, where, its tags and its lock are live; the rest is as old as the statistics. Machines and
// storages show to those who may audit them, pools likewise, nodes to everybody (pm API2/Cluster.pm, resources).
func listResources(c *call) core.Answer {
	rows := []object{}
	kind := c.in["type"]
	if kind == "" || kind == "vm" {
		rows = append(rows, c.machineResources()...)
	}
	if kind == "" || kind == "node" {
		rows = append(rows, c.nodeResources()...)
	}
	if kind == "" || kind == "storage" {
		rows = append(rows, c.storageResources()...)
	}
	if kind == "" {
		for _, p := range c.visiblePools() {
			rows = append(rows, object{"id": "/pool/" + p.id, "type": "pool", "pool": p.id})
		}
	}
	return c.reply(rows)
}

func (c *call) machineResources() []object {
	rows := []object{}
	for _, m := range c.api.machines {
		if !c.may(m.path(), "VM.Audit") {
			continue
		}
		row := object{"id": "qemu/" + strconv.Itoa(m.id), "type": "qemu", "vmid": m.id, "node": m.node.name}
		fill(row, c.api.known(m))
		for _, live := range []string{"tags", "lock"} {
			if m.config.has(live) {
				row[live] = m.config[live]
			}
		}
		if p := c.api.poolOf(m.id); p != nil && c.may("/pool/"+p.id, "Pool.Audit") {
			row["pool"] = p.id
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *call) nodeResources() []object {
	var rows []object
	for _, n := range c.api.nodes {
		row := object{"id": "node/" + n.name, "type": "node", "node": n.name, "status": c.api.nodeStatus(n), "level": "", "cgroup-mode": 2}
		if c.may("/nodes/"+n.name, "Sys.Audit") {
			fill(row, c.api.figures(n))
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *call) storageResources() []object {
	var rows []object
	for _, s := range c.api.storages {
		for _, n := range c.api.nodes {
			if !c.mayAny("/storage/"+s.id, "Datastore.Audit", "Datastore.AllocateSpace") {
				continue
			}
			row := object{
				"id": "storage/" + n.name + "/" + s.id, "type": "storage", "storage": s.id, "node": n.name, "status": "available",
				"plugintype": s.kind, "shared": s.sharedFlag(), "content": s.contentText(), "disk": c.api.used(s, n), "maxdisk": s.total,
			}
			if c.api.down(n) {
				row["status"] = "unknown"
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Bounds of what nextid proposes (pm API2/Cluster.pm, nextid; datacenter.cfg, next-id): up to, not with, the second.
const (
	lowestNextID  = 100
	highestNextID = 1_000_000
)

// getNextID gives the lowest free VMID, or says whether one is free. It is text, reserves nothing, and needs no right.
func getNextID(c *call) core.Answer {
	if c.in.has("vmid") {
		id, _ := strconv.Atoi(c.in["vmid"]) // its form was checked
		if c.api.machine(id) != nil {
			return c.invalid(map[string]string{"vmid": fmt.Sprintf("VM %d already exists", id)})
		}
		return c.reply(c.in["vmid"])
	}
	for id := lowestNextID; id < highestNextID; id++ {
		if c.api.machine(id) == nil {
			return c.reply(strconv.Itoa(id))
		}
	}
	return c.died("unable to get any free VMID in range [100, 1000000]")
}

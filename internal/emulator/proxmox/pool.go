// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// pool is a set of machines and storages that rights are given on.
type pool struct {
	id       string
	comment  string
	machines []int
	storages []string
}

func (a *API) pool(id string) *pool {
	i := slices.IndexFunc(a.pools, func(p *pool) bool { return p.id == id })
	if id == "" || i < 0 {
		return nil
	}
	return a.pools[i]
}

func (a *API) poolOf(vmid int) *pool {
	i := slices.IndexFunc(a.pools, func(p *pool) bool { return slices.Contains(p.machines, vmid) })
	if i < 0 {
		return nil
	}
	return a.pools[i]
}

// covers says whether rights on the pool count on a path.
func (p *pool) covers(_ *API, path string) bool {
	if id, isMachine := strings.CutPrefix(path, "/vms/"); isMachine {
		n, err := strconv.Atoi(id)
		return err == nil && slices.Contains(p.machines, n)
	}
	id, isStorage := strings.CutPrefix(path, "/storage/")
	return isStorage && slices.Contains(p.storages, id)
}

func (p *pool) add(vmid int) {
	if !slices.Contains(p.machines, vmid) {
		p.machines = append(p.machines, vmid)
	}
}

func (p *pool) remove(vmid int) {
	p.machines = slices.DeleteFunc(p.machines, func(id int) bool { return id == vmid })
}

// poolExists: an unknown pool is a missing permission (ac RPCEnvironment.pm, check_pool_exist).
func (c *call) poolExists() *core.Answer {
	if id := c.in["pool"]; id != "" && c.api.pool(id) == nil {
		return c.forbidden(fmt.Sprintf("pool '%s' does not exist", id))
	}
	return nil
}

func (c *call) visiblePools() []*pool {
	var visible []*pool
	for _, p := range c.api.pools {
		if c.mayAny("/pool/"+p.id, "Pool.Audit", "Pool.Allocate") {
			visible = append(visible, p)
		}
	}
	return visible
}

// listPools lists the pools that the token may audit; poolid makes it one, with its members (pm API2/Pool.pm, index).
func listPools(c *call) core.Answer {
	rows := []object{}
	for _, p := range c.visiblePools() {
		row := object{"poolid": p.id}
		if p.comment != "" {
			row["comment"] = p.comment
		}
		if c.in.has("poolid") {
			row["members"] = c.members(p)
		}
		if !c.in.has("poolid") || c.in["poolid"] == p.id {
			rows = append(rows, row)
		}
	}
	if c.in.has("poolid") && len(rows) == 0 {
		return c.died(fmt.Sprintf("pool '%s' does not exist", c.in["poolid"]))
	}
	return c.reply(rows)
}

// members are as old as the statistics, as in cluster/resources.
func (c *call) members(p *pool) []object {
	rows := []object{}
	for _, row := range c.machineResources() {
		if id, _ := row["vmid"].(int); slices.Contains(p.machines, id) && (c.in["type"] == "" || c.in["type"] == "qemu") {
			rows = append(rows, row)
		}
	}
	return rows
}

func withPool(handle func(*call, *pool) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		p := c.api.pool(c.in["poolid"])
		if p == nil {
			return c.died(fmt.Sprintf("pool '%s' does not exist", c.in["poolid"]))
		}
		return handle(c, p)
	}
}

func getPool(c *call, p *pool) core.Answer {
	return c.reply(object{"comment": p.comment, "members": c.members(p)})
}

func createPool(c *call) core.Answer {
	if c.api.pool(c.in["poolid"]) != nil {
		return c.died(fmt.Sprintf("create pool failed: pool '%s' already exists", c.in["poolid"]))
	}
	c.api.pools = append(c.api.pools, &pool{id: c.in["poolid"], comment: c.in["comment"]})
	return c.reply(nil)
}

// updatePool changes the comment and adds members, or with delete=1 takes them out; allow-move takes machines over from
// another pool.
func updatePool(c *call, p *pool) core.Answer {
	if comment, given := c.in["comment"]; given {
		p.comment = comment
	}
	for _, text := range c.in.list("vms") {
		id, err := strconv.Atoi(text)
		if err != nil {
			return c.invalid(map[string]string{"vms": "invalid format - value does not look like a valid VM ID"})
		}
		if answer := c.movePool(p, id); answer != nil {
			return *answer
		}
	}
	return c.reply(nil)
}

func (c *call) movePool(p *pool, id int) *core.Answer {
	if where := "/vms/" + strconv.Itoa(id); !c.may(where, "VM.Allocate") {
		return c.forbidden(where + ", VM.Allocate")
	}
	now := c.api.poolOf(id)
	switch {
	case c.in["delete"] == "1" && now != p:
		return new(c.died(fmt.Sprintf("update pools failed: VM %d is not a pool member", id)))
	case c.in["delete"] == "1":
		p.remove(id)
		return nil
	case now == p:
		return new(c.died(fmt.Sprintf("update pools failed: VM %d is already a pool member", id)))
	case now != nil && c.in["allow-move"] != "1":
		return new(c.died(fmt.Sprintf("update pools failed: VM %d belongs already to pool '%s' and allow-move is not set", id, now.id)))
	case now != nil:
		now.remove(id)
	}
	p.add(id)
	return nil
}

func deletePool(c *call, p *pool) core.Answer {
	if len(p.machines) > 0 || len(p.storages) > 0 {
		return c.died(fmt.Sprintf("delete pool failed: pool '%s' is not empty", p.id))
	}
	c.api.pools = slices.DeleteFunc(c.api.pools, func(other *pool) bool { return other == p })
	return c.reply(nil)
}

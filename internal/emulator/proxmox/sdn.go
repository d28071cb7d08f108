// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/sha1" //nolint:gosec // the vendor's digest of a configuration is a SHA-1
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// zone is a zone of the cluster's software-defined network. It is planted; the API has no create.
type zone struct {
	name, kind string   // kind: simple, vlan, qinq, vxlan or evpn
	bridge     string   // of a vlan or qinq zone
	nodes      []string // where it is; empty: everywhere
}

// vnet is a virtual network of a zone, which machines use like a bridge.
type vnet struct {
	name, zone, alias string
	tag               int // 0 without
	vlanAware         bool
}

func (z *zone) on(n *node) bool { return len(z.nodes) == 0 || slices.Contains(z.nodes, n.name) }

func (a *API) zone(name string) *zone {
	i := slices.IndexFunc(a.zones, func(z *zone) bool { return z.name == name })
	if i < 0 {
		return nil
	}
	return a.zones[i]
}

func (a *API) vnet(name string) *vnet {
	i := slices.IndexFunc(a.vnets, func(v *vnet) bool { return v.name == name })
	if i < 0 {
		return nil
	}
	return a.vnets[i]
}

func (z *zone) body(digest string) object {
	body := object{"zone": z.name, "type": z.kind, "digest": digest}
	if z.bridge != "" {
		body["bridge"] = z.bridge
	}
	if len(z.nodes) > 0 {
		body["nodes"] = strings.Join(z.nodes, ",")
	}
	return body
}

func (v *vnet) body(digest string) object {
	body := object{"vnet": v.name, "type": "vnet", "zone": v.zone, "digest": digest}
	if v.alias != "" {
		body["alias"] = v.alias
	}
	if v.tag != 0 {
		body["tag"] = v.tag
	}
	if v.vlanAware {
		body["vlanaware"] = 1
	}
	return body
}

// digestOf is the digest of a configuration file.
func digestOf(parts ...any) string {
	sum := sha1.Sum([]byte(fmt.Sprint(parts...))) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

func (a *API) zonesDigest() string {
	var all []any
	for _, z := range a.zones {
		all = append(all, *z)
	}
	return digestOf(all...)
}

func (a *API) vnetsDigest() string {
	var all []any
	for _, v := range a.vnets {
		all = append(all, *v)
	}
	return digestOf(all...)
}

func (a *API) addSDNRoutes() {
	shown := []param{flag("running"), flag("pending")}
	a.route("GET /cluster/sdn/zones", anyone, append(shown, choice("type", "simple", "vlan", "qinq", "vxlan", "evpn", "faucet")), listZones)
	a.route("GET /cluster/sdn/zones/{zone}", oneOf("/sdn/zones/{zone}", "SDN.Audit", "SDN.Allocate"), shown, getZone)
	a.route("GET /cluster/sdn/vnets", anyone, shown, listVNets)
	a.route("GET /cluster/sdn/vnets/{vnet}", anyone, shown, getVNet)
}

// listZones shows zones to those who may audit or allocate them (pn API2/Network/SDN/Zones.pm, index).
func listZones(c *call) core.Answer {
	rows := []object{}
	for _, z := range c.api.zones {
		fits := c.in["type"] == "" || c.in["type"] == z.kind
		if fits && c.mayAny("/sdn/zones/"+z.name, "SDN.Audit", "SDN.Allocate") {
			rows = append(rows, z.body(c.api.zonesDigest()))
		}
	}
	return c.reply(rows)
}

func getZone(c *call) core.Answer {
	if z := c.api.zone(c.in["zone"]); z != nil {
		return c.reply(z.body(c.api.zonesDigest()))
	}
	return c.died(fmt.Sprintf("sdn '%s' does not exist", c.in["zone"]))
}

// listVNets: pn API2/Network/SDN/Vnets.pm, index.
func listVNets(c *call) core.Answer {
	rows := []object{}
	for _, v := range c.api.vnets {
		if c.mayAny(v.path(), "SDN.Audit", "SDN.Allocate") {
			rows = append(rows, v.body(c.api.vnetsDigest()))
		}
	}
	return c.reply(rows)
}

func (v *vnet) path() string { return "/sdn/zones/" + v.zone + "/" + v.name }

func getVNet(c *call) core.Answer {
	v := c.api.vnet(c.in["vnet"])
	if v == nil {
		return c.died(fmt.Sprintf("sdn '%s' does not exist", c.in["vnet"]))
	}
	if !c.mayAny(v.path(), "SDN.Audit", "SDN.Allocate") {
		return *c.forbidden(v.path() + ", SDN.Audit|SDN.Allocate")
	}
	return c.reply(v.body(c.api.vnetsDigest()))
}

// localVNets are the rows of a node's VNets among its interfaces (pn Network/SDN.pm, get_local_vnets).
func (c *call) localVNets() []object {
	var rows []object
	for _, v := range c.api.vnets {
		if !c.api.zone(v.zone).on(c.node) || !c.mayAny(v.path(), "SDN.Audit", "SDN.Use") {
			continue
		}
		row := object{"iface": v.name, "type": "vnet", "active": "1", "ipam": 0, "vlanaware": map[bool]int{true: 1}[v.vlanAware]}
		if v.alias != "" {
			row["comments"] = v.alias
		}
		rows = append(rows, row)
	}
	return rows
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

func (a *API) networkObjects(kind string) []core.Object {
	var objects []core.Object
	switch kind {
	case "bridges":
		for _, b := range a.bridges {
			objects = append(objects, b.object())
		}
	case "zones":
		for _, z := range a.zones {
			objects = append(objects, core.Object{ID: z.name, Name: z.name, State: z.kind})
		}
	case "vnets":
		for _, v := range a.vnets {
			objects = append(objects, core.Object{ID: v.name, Name: v.name, State: v.zone})
		}
	case "security_groups":
		for _, g := range a.groups {
			objects = append(objects, core.Object{ID: g.name, Name: g.name, Description: g.comment})
		}
	}
	return objects
}

// dropNetwork takes one away, whatever uses it; false when there is none.
func (a *API) dropNetwork(kind, id string) bool {
	switch {
	case kind == "bridges" && a.bridge(id) != nil:
		a.bridges = slices.DeleteFunc(a.bridges, func(b *localBridge) bool { return b.id() == id })
	case kind == "zones" && a.zone(id) != nil:
		a.zones = slices.DeleteFunc(a.zones, func(z *zone) bool { return z.name == id })
		a.vnets = slices.DeleteFunc(a.vnets, func(v *vnet) bool { return v.zone == id })
	case kind == "vnets" && a.vnet(id) != nil:
		a.vnets = slices.DeleteFunc(a.vnets, func(v *vnet) bool { return v.name == id })
	case kind == "security_groups" && a.group(id) != nil:
		a.groups = slices.DeleteFunc(a.groups, func(g *securityGroup) bool { return g.name == id })
	default:
		return false
	}
	return true
}

// plantNetwork makes a bridge on a node (fields node, iface, cidr, comments, bridge_ports, bridge_vlan_aware), a zone
// (zone, type, bridge, nodes), a VNet (vnet, zone, alias, tag, vlanaware) or a security group (group, comment).
func (a *API) plantNetwork(kind string, fields map[string]json.RawMessage) (core.Object, error) {
	switch kind {
	case "bridges":
		b := &localBridge{node: a.nodes[0], ports: ""}
		err := b.patch(a, fields)
		if err != nil || b.name == "" || a.bridge(b.id()) != nil {
			return core.Object{}, unfit("iface", b.name, err)
		}
		a.bridges = append(a.bridges, b)
		return b.object(), nil
	case "zones":
		z := &zone{kind: "simple"}
		err := z.patch(fields)
		if err != nil || z.name == "" || a.zone(z.name) != nil {
			return core.Object{}, unfit("zone", z.name, err)
		}
		a.zones = append(a.zones, z)
	case "vnets":
		v := &vnet{}
		err := v.patch(a, fields)
		if err != nil || v.name == "" || a.vnet(v.name) != nil {
			return core.Object{}, unfit("vnet", v.name, err)
		}
		a.vnets = append(a.vnets, v)
	case "security_groups":
		g := &securityGroup{}
		err := g.patch(fields)
		if err != nil || g.name == "" || a.group(g.name) != nil {
			return core.Object{}, unfit("group", g.name, err)
		}
		a.groups = append(a.groups, g)
	default:
		return core.Object{}, fmt.Errorf("there are no %s", kind)
	}
	objects := a.networkObjects(kind)
	return objects[len(objects)-1], nil
}

func unfit(field, name string, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %q is empty or taken", field, name)
}

// patchNetwork changes one as others would. Names stay.
func (a *API) patchNetwork(kind, id string, fields map[string]json.RawMessage) (core.Object, error) {
	var err error
	b, z, v, g := a.bridge(id), a.zone(id), a.vnet(id), a.group(id)
	switch {
	case kind == "bridges" && b != nil:
		err = b.patch(a, fields)
	case kind == "zones" && z != nil:
		err = z.patch(fields)
	case kind == "vnets" && v != nil:
		err = v.patch(a, fields)
	case kind == "security_groups" && g != nil:
		err = g.patch(fields)
	default:
		return core.Object{}, fmt.Errorf("there is no %s %s", kind, id)
	}
	objects := a.networkObjects(kind)
	return objects[slices.IndexFunc(objects, func(o core.Object) bool { return o.ID == id })], err
}

// once sets a name where there is none yet.
func once(name *string) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		if *name != "" {
			return fmt.Errorf("it is %s and stays so", *name)
		}
		return json.Unmarshal(raw, name)
	}
}

func (b *localBridge) patch(a *API, fields map[string]json.RawMessage) error {
	next, on := *b, b.node.name
	err := core.Setters{
		"iface": once(&next.name), "node": core.Into(&on), "cidr": core.Into(&next.cidr), "comments": core.Into(&next.comments),
		"bridge_ports": core.Into(&next.ports), "bridge_vlan_aware": core.Into(&next.vlanAware),
	}.Apply(fields)
	if err != nil {
		return err
	}
	if next.node = a.node(on); next.node == nil || b.name != "" && next.node != b.node {
		return fmt.Errorf("node: there is no node %q, or the bridge is on another", on)
	}
	*b = next
	return nil
}

func (z *zone) patch(fields map[string]json.RawMessage) error {
	return core.Setters{
		"zone": once(&z.name), "type": core.Into(&z.kind), "bridge": core.Into(&z.bridge), "nodes": core.Into(&z.nodes),
	}.Apply(fields)
}

func (v *vnet) patch(a *API, fields map[string]json.RawMessage) error {
	next := *v
	err := core.Setters{
		"vnet": once(&next.name), "zone": core.Into(&next.zone), "alias": core.Into(&next.alias), "tag": core.Into(&next.tag),
		"vlanaware": core.Into(&next.vlanAware),
	}.Apply(fields)
	if err != nil {
		return err
	}
	if a.zone(next.zone) == nil {
		return fmt.Errorf("zone: there is no zone %q", next.zone)
	}
	*v = next
	return nil
}

func (g *securityGroup) patch(fields map[string]json.RawMessage) error {
	return core.Setters{"group": once(&g.name), "comment": core.Into(&g.comment), "rules": core.Into(&g.rules)}.Apply(fields)
}

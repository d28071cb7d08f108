// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// plantBasic makes a network, a firewall or a placement group as others would have. A network without fields is
// 10.0.0.0/16 with one subnet in eu-central.
func (a *API) plantBasic(owner *project, kind string, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	b := basic{created: now}
	switch kind {
	case "networks":
		b.kind, b.id = "network", take(&a.ids.network)
		n := &network{basic: b, ipRange: netip.MustParsePrefix("10.0.0.0/16")}
		n.subnets = []*subnet{{kind: "cloud", ipRange: netip.MustParsePrefix("10.0.1.0/24"), zone: "eu-central"}}
		if err := n.patch(fields); err != nil {
			return core.Object{}, err
		}
		owner.networks = append(owner.networks, n)
		return n.object(owner), nil
	case "firewalls":
		b.kind, b.id = "firewall", take(&a.ids.firewall)
		f := &firewall{basic: b}
		if err := f.patch(fields); err != nil {
			return core.Object{}, err
		}
		owner.firewalls = append(owner.firewalls, f)
		return f.object(owner), nil
	}
	b.kind, b.id = "placement_group", take(&a.ids.group)
	g := &placementGroup{basic: b}
	if err := g.patch(fields, nil); err != nil {
		return core.Object{}, err
	}
	owner.groups = append(owner.groups, g)
	return g.object(owner), nil
}

func (n *network) object(owner *project) core.Object { return n.basic.object(owner, "available") }

func (f *firewall) object(owner *project) core.Object { return f.basic.object(owner, "available") }

func (g *placementGroup) object(owner *project) core.Object {
	return g.basic.object(owner, "available")
}

// patch changes name, labels and what else an object of its sort has.
func (b *basic) patch(fields map[string]json.RawMessage, more core.Setters) error {
	next := *b
	setters := core.Setters{"name": core.Into(&next.name), "labels": replaceLabels(&next.labels), "created": core.Into(&next.created)}
	for name, set := range more {
		setters[name] = set
	}
	if err := setters.Apply(fields); err != nil {
		return err
	}
	*b = next
	if b.name == "" {
		b.name = b.kind + "-" + text(b.id)
	}
	return nil
}

func (n *network) patch(fields map[string]json.RawMessage) error {
	var protection struct{ Delete bool }
	var subnets []subnetOrder
	ipRange := n.ipRange.String()
	err := n.basic.patch(fields, core.Setters{
		"ip_range": core.Into(&ipRange), "subnets": core.Into(&subnets), "protection": core.Into(&protection),
	})
	if err != nil {
		return err
	}
	if n.ipRange, err = netip.ParsePrefix(ipRange); err != nil {
		return fmt.Errorf("ip_range: %w", err)
	}
	if _, given := fields["protection"]; given {
		n.protected = protection.Delete
	}
	if _, given := fields["subnets"]; !given {
		return nil
	}
	n.subnets = nil
	in := newFields()
	for _, wanted := range subnets {
		if made := n.subnetFor(in, "", wanted); made != nil {
			n.subnets = append(n.subnets, made)
		}
	}
	if len(in.errors) > 0 {
		return fmt.Errorf("subnets: %s %s", in.errors[0].field, in.errors[0].message)
	}
	return nil
}

func (f *firewall) patch(fields map[string]json.RawMessage) error {
	rules, applied := f.rules, []resourceOrder(nil)
	err := f.basic.patch(fields, core.Setters{"rules": core.Into(&rules), "applied_to": core.Into(&applied)})
	if err != nil {
		return err
	}
	f.rules = rules
	if _, given := fields["applied_to"]; given {
		f.selectors = nil
	}
	for _, resource := range applied {
		if resource.Selector == nil {
			return fmt.Errorf("applied_to: only label selectors; a server is put behind it with its own field firewalls")
		}
		f.selectors = append(f.selectors, resource.Selector.Selector)
	}
	return nil
}

// basicObjects adds the objects of the kinds of this file.
func (p *project) basicObjects(kind string, byID map[int64]core.Object) {
	switch kind {
	case "networks":
		for _, n := range p.networks {
			byID[n.id] = n.object(p)
		}
	case "firewalls":
		for _, f := range p.firewalls {
			byID[f.id] = f.object(p)
		}
	case "placement_groups":
		for _, g := range p.groups {
			byID[g.id] = g.object(p)
		}
	}
}

// patchBasic changes an object of the kinds of this file; there is false when there is none.
func (p *project) patchBasic(kind string, id int64, fields map[string]json.RawMessage) (changed core.Object, there bool, err error) {
	switch kind {
	case "networks":
		if n, there := ofID(p.networks, id); there {
			changed, err = patched(n.patch(fields), func() core.Object { return n.object(p) })
			return changed, true, err
		}
	case "firewalls":
		if f, there := ofID(p.firewalls, id); there {
			changed, err = patched(f.patch(fields), func() core.Object { return f.object(p) })
			return changed, true, err
		}
	case "placement_groups":
		if g, there := ofID(p.groups, id); there {
			changed, err = patched(g.patch(fields, nil), func() core.Object { return g.object(p) })
			return changed, true, err
		}
	}
	return core.Object{}, false, nil
}

// dropBasic removes an object of the kinds of this file and what holds on to it; false when there is none.
func (p *project) dropBasic(kind string, id int64) bool {
	n, isNetwork := ofID(p.networks, id)
	f, isFirewall := ofID(p.firewalls, id)
	g, isGroup := ofID(p.groups, id)
	switch {
	case kind == "networks" && isNetwork:
		p.dropNetwork(n)
	case kind == "firewalls" && isFirewall:
		p.firewalls = without(p.firewalls, f)
		for _, s := range p.servers {
			s.barriers = without(s.barriers, s.behind(f))
		}
	case kind == "placement_groups" && isGroup:
		p.dropGroup(g)
	default:
		return false
	}
	return true
}

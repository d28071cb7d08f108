// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// subnetOrder and routeOrder are what a request says of a subnet and a route.
type subnetOrder struct {
	Kind    string  `json:"type"`
	IPRange *string `json:"ip_range"`
	Zone    string  `json:"network_zone"`
	VSwitch *int64  `json:"vswitch_id"`
}

type routeOrder struct {
	Destination string `json:"destination"`
	Gateway     string `json:"gateway"`
}

// prefix reads a range in CIDR form without host bits.
func (f *fields) prefix(field string, required bool) netip.Prefix {
	given, found := f.text(field)
	if !found {
		if required && len(f.errors) == 0 {
			f.fail(field, "is required")
		}
		return netip.Prefix{}
	}
	return f.parsePrefix(field, given)
}

func (f *fields) parsePrefix(field, given string) netip.Prefix {
	prefix, err := netip.ParsePrefix(given)
	if err != nil || prefix != prefix.Masked() {
		f.fail(field, "is not a network in CIDR notation")
		return netip.Prefix{}
	}
	return prefix
}

// changeNetwork is an action on a network: change reads and checks the body and answers what happens when it ends.
func changeNetwork(name string, change func(*call, *fields, *network) func()) func(*call, *network) core.Answer {
	return func(c *call, n *network) core.Answer {
		if len(n.running) > 0 {
			return conflicting(&n.basic)
		}
		in, wrong := c.fields()
		if wrong != nil {
			return *wrong
		}
		effect := change(c, in, n)
		if answer := in.answer(); answer != nil {
			return about(*answer, n.id)
		}
		started := c.changeBased(name, &n.basic, nil, outcome{success: func(time.Time) { effect() }})
		return reply(http.StatusCreated, object{"action": started.body()}, n.id)
	}
}

func addSubnet(_ *call, in *fields, n *network) func() {
	var wanted subnetOrder
	in.read("type", &wanted.Kind, "a string")
	in.read("network_zone", &wanted.Zone, "a string")
	in.read("ip_range", &wanted.IPRange, "a string")
	in.read("vswitch_id", &wanted.VSwitch, "a number")
	made := n.subnetFor(in, "", wanted)
	return func() { n.subnets = append(n.subnets, made) }
}

// subnetFor checks a subnet; without a range it gets the first free /24.
func (n *network) subnetFor(in *fields, at string, wanted subnetOrder) *subnet {
	if !slices.Contains([]string{"cloud", "server", "vswitch"}, wanted.Kind) {
		in.fail(at+"type", "must be one of cloud, server, vswitch")
	}
	if !slices.ContainsFunc(locations, func(l location) bool { return l.zone == wanted.Zone }) {
		in.fail(at+"network_zone", "is not a network zone")
	}
	made := &subnet{kind: wanted.Kind, zone: wanted.Zone, vSwitch: wanted.VSwitch}
	if wanted.IPRange == nil {
		made.ipRange = n.freeRange()
	} else {
		made.ipRange = in.parsePrefix(at+"ip_range", *wanted.IPRange)
	}
	switch {
	case !made.ipRange.IsValid():
		if wanted.IPRange == nil {
			in.fail(at+"ip_range", "no /24 is free in the network")
		}
	case made.ipRange.Bits() > 30 || made.ipRange.Bits() < n.ipRange.Bits() || !n.ipRange.Contains(made.ipRange.Addr()):
		in.fail(at+"ip_range", "must be a part of the network's range and at least a /30")
	case n.taken(made.ipRange):
		in.fail(at+"ip_range", "overlaps with another subnet or a route")
	}
	if len(in.errors) > 0 {
		return nil
	}
	return made
}

func (n *network) taken(wanted netip.Prefix) bool {
	return slices.ContainsFunc(n.subnets, func(s *subnet) bool { return s.ipRange.Overlaps(wanted) }) ||
		slices.ContainsFunc(n.routes, func(r route) bool { return r.destination.Bits() > 0 && r.destination.Overlaps(wanted) })
}

func (n *network) freeRange() netip.Prefix {
	for base := n.ipRange.Masked().Addr(); n.ipRange.Contains(base); base = after(netip.PrefixFrom(base, 24)) {
		if wanted := netip.PrefixFrom(base, 24); !n.taken(wanted) {
			return wanted
		}
	}
	return netip.Prefix{}
}

// after is the address that follows a range.
func after(whole netip.Prefix) netip.Addr {
	address := whole.Addr()
	for whole.Contains(address) {
		address = address.Next()
	}
	return address
}

// deleteSubnet: not while servers have addresses in it.
func deleteSubnet(c *call, in *fields, n *network) func() {
	wanted := in.prefix("ip_range", true)
	at := slices.IndexFunc(n.subnets, func(s *subnet) bool { return s.ipRange == wanted })
	if at < 0 {
		if len(in.errors) == 0 {
			in.refuse("ip_range", "subnet not found")
		}
		return nil
	}
	for _, s := range c.project.servers {
		if found := s.attachedTo(n); found != nil && wanted.Contains(found.ip) {
			in.refuse("ip_range", "servers are attached to the subnet")
		}
	}
	return func() { n.subnets = slices.Delete(n.subnets, at, at+1) }
}

func orderedRoute(in *fields) routeOrder {
	var wanted routeOrder
	in.read("destination", &wanted.Destination, "a string")
	in.read("gateway", &wanted.Gateway, "a string")
	return wanted
}

func addRoute(_ *call, in *fields, n *network) func() {
	made, _ := n.routeFor(in, "", orderedRoute(in))
	return func() { n.routes = append(n.routes, made) }
}

func (n *network) routeFor(in *fields, at string, wanted routeOrder) (route, bool) {
	gateway, err := netip.ParseAddr(wanted.Gateway)
	if err != nil || gateway == n.gateway() || !n.ipRange.Contains(gateway) {
		in.fail(at+"gateway", "is no address of the network that can be a gateway")
	}
	destination := in.parsePrefix(at+"destination", wanted.Destination)
	if destination.IsValid() && destination.Bits() > 0 && n.taken(destination) {
		in.fail(at+"destination", "overlaps with a subnet or another route")
	}
	return route{destination, gateway}, len(in.errors) == 0
}

func deleteRoute(_ *call, in *fields, n *network) func() {
	wanted := orderedRoute(in)
	at := slices.IndexFunc(n.routes, func(r route) bool {
		return r.destination.String() == wanted.Destination && r.gateway.String() == wanted.Gateway
	})
	if at < 0 {
		in.refuse("destination", "route not found")
		return nil
	}
	return func() { n.routes = slices.Delete(n.routes, at, at+1) }
}

// changeIPRange only extends the range at its end.
func changeIPRange(_ *call, in *fields, n *network) func() {
	wanted := in.prefix("ip_range", true)
	if wanted.IsValid() && (wanted.Addr() != n.ipRange.Addr() || wanted.Bits() > n.ipRange.Bits()) {
		in.fail("ip_range", "can only be extended")
	}
	return func() { n.ipRange = wanted }
}

func changeNetworkProtection(_ *call, in *fields, n *network) func() {
	protected := in.flag("delete", n.protected)
	return func() { n.protected = protected }
}

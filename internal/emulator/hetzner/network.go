// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// network is a private network of a project.
type network struct {
	basic
	ipRange   netip.Prefix
	subnets   []*subnet
	routes    []route
	protected bool
	exposes   bool // its routes to the vSwitch
}

// subnet is a part of a network in one network zone, from which servers get their addresses.
type subnet struct {
	kind    string // cloud, server or vswitch
	ipRange netip.Prefix
	zone    string
	vSwitch *int64
}

type route struct {
	destination netip.Prefix
	gateway     netip.Addr
}

func networksOf(p *project) []*network { return p.networks }

func (a *API) addNetworks() {
	with := func(handle func(*call, *network) core.Answer) func(*call) core.Answer {
		return withBased(networksOf, "network", handle)
	}
	a.route("GET /networks", func(c *call) core.Answer {
		return listBased(c, "networks", c.project.networks, func(n *network) object { return n.body(c.project) })
	})
	a.route("POST /networks", createNetwork)
	a.route("GET /networks/{id}", with(getNetwork))
	a.route("PUT /networks/{id}", with(updateNetwork))
	a.route("DELETE /networks/{id}", with(deleteNetwork))
	a.routeActions("networks", "network")
	a.route("GET /networks/{id}/actions", with(listActionsOf[*network]))
	a.route("GET /networks/{id}/actions/{action}", with(getActionOf[*network]))
	for name, change := range map[string]func(*call, *fields, *network) func(){
		"add_subnet": addSubnet, "delete_subnet": deleteSubnet, "add_route": addRoute, "delete_route": deleteRoute,
		"change_ip_range": changeIPRange, "change_protection": changeNetworkProtection,
	} {
		a.route("POST /networks/{id}/actions/"+name, with(changeNetwork(name, change)))
	}
}

func (n *network) body(owner *project) object {
	subnets, routes, servers := []object{}, []object{}, []int64{}
	for _, s := range n.subnets {
		subnets = append(subnets, object{
			"type": s.kind, "ip_range": s.ipRange.String(), "network_zone": s.zone, "gateway": n.gateway().String(), "vswitch_id": s.vSwitch,
		})
	}
	for _, r := range n.routes {
		routes = append(routes, object{"destination": r.destination.String(), "gateway": r.gateway.String()})
	}
	for _, s := range owner.servers {
		if found := s.attachedTo(n); found != nil && found.ready {
			servers = append(servers, s.id)
		}
	}
	return object{
		"id": n.id, "name": n.name, "ip_range": n.ipRange.String(), "subnets": subnets, "routes": routes, "servers": servers,
		"load_balancers": []int64{}, "protection": object{"delete": n.protected}, "labels": labelsBody(n.labels),
		"created": timestamp(n.created), "expose_routes_to_vswitch": n.exposes,
	}
}

// gateway is the first address of the network's range, whatever the subnet.
func (n *network) gateway() netip.Addr { return n.ipRange.Masked().Addr().Next() }

func getNetwork(c *call, n *network) core.Answer {
	return reply(http.StatusOK, object{"network": n.body(c.project)}, n.id)
}

func createNetwork(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	n := &network{basic: c.orderedBasic(in, "network"), exposes: in.flag("expose_routes_to_vswitch", false)}
	n.ipRange = in.prefix("ip_range", true)
	if n.ipRange.IsValid() {
		n.checkRange(in, "ip_range")
	}
	c.orderedSubnets(in, n)
	if answer := in.answer(); answer != nil {
		return *answer
	}
	if refused := refuseBasic(c, c.project.networks, n.basic, "networks"); refused != nil {
		return *refused
	}
	n.id = take(&c.api.ids.network)
	c.project.networks = append(c.project.networks, n)
	return reply(http.StatusCreated, object{"network": n.body(c.project)}, n.id)
}

// checkRange: a private IPv4 range, /24 at the least (Hetzner API document, POST /networks).
func (n *network) checkRange(in *fields, field string) {
	private := slices.ContainsFunc(privateRanges, func(whole netip.Prefix) bool {
		return whole.Bits() <= n.ipRange.Bits() && whole.Contains(n.ipRange.Addr())
	})
	switch {
	case !private:
		in.fail(field, "must be one of the private IPv4 ranges of RFC 1918")
	case n.ipRange.Bits() > 24:
		in.fail(field, "must be /24 or larger")
	}
}

var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
}

// orderedSubnets reads the subnets and routes of a create.
func (c *call) orderedSubnets(in *fields, n *network) {
	var subnets []subnetOrder
	in.read("subnets", &subnets, "a list of subnets")
	for i, wanted := range subnets {
		if made := n.subnetFor(in, fmt.Sprintf("subnets.%d.", i), wanted); made != nil {
			n.subnets = append(n.subnets, made)
		}
	}
	var routes []routeOrder
	in.read("routes", &routes, "a list of routes")
	for i, wanted := range routes {
		if made, ok := n.routeFor(in, fmt.Sprintf("routes.%d.", i), wanted); ok {
			n.routes = append(n.routes, made)
		}
	}
}

func updateNetwork(c *call, n *network) core.Answer {
	if len(n.running) > 0 {
		return conflicting(&n.basic)
	}
	return updateBased(c, c.project.networks, n, func() core.Answer {
		in, wrong := c.fields()
		if wrong != nil {
			return *wrong
		}
		n.exposes = in.flag("expose_routes_to_vswitch", n.exposes)
		return getNetwork(c, n)
	})
}

// deleteNetwork takes the servers off (Hetzner API document, DELETE /networks/{id}).
func deleteNetwork(c *call, n *network) core.Answer {
	if n.protected {
		return about(failure(http.StatusLocked, "protected", "network deletion is protected", nil), n.id)
	}
	c.project.dropNetwork(n)
	return noContent(n.id)
}

func (p *project) dropNetwork(n *network) {
	p.networks = without(p.networks, n)
	for _, s := range p.servers {
		s.leave(n)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// mostNetworks is how many networks a server can be in (Hetzner documentation, "Networks", limits).
const mostNetworks = 3

// attachment is a server's interface in a network. It holds its address from the request on and shows when it is ready.
type attachment struct {
	network *network
	ip      netip.Addr
	alias   []netip.Addr
	mac     string
	ready   bool
}

func (s *server) attachedTo(n *network) *attachment {
	at := slices.IndexFunc(s.attachments, func(a *attachment) bool { return a.network == n })
	if at < 0 {
		return nil
	}
	return s.attachments[at]
}

func (s *server) leave(n *network) {
	s.attachments = slices.DeleteFunc(s.attachments, func(a *attachment) bool { return a.network == n })
}

func (s *server) privateNet() []object {
	shown := []object{}
	for _, a := range s.attachments {
		if !a.ready {
			continue
		}
		alias := []string{}
		for _, ip := range a.alias {
			alias = append(alias, ip.String())
		}
		shown = append(shown, object{"network": a.network.id, "ip": a.ip.String(), "alias_ips": alias, "mac_address": a.mac})
	}
	return shown
}

// attachmentOrder is what a request says of an interface.
type attachmentOrder struct {
	Network int64    `json:"network"`
	IP      string   `json:"ip"`
	IPRange string   `json:"ip_range"`
	Alias   []string `json:"alias_ips"`
}

// attachToNetwork: Hetzner API document, POST /servers/{id}/actions/attach_to_network, with its specific errors.
func attachToNetwork(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	var wanted attachmentOrder
	in.read("network", &wanted.Network, "a number")
	in.read("ip", &wanted.IP, "a string")
	in.read("ip_range", &wanted.IPRange, "a string")
	in.read("alias_ips", &wanted.Alias, "a list of addresses")
	n, there := ofID(c.project.networks, wanted.Network)
	if !there && len(in.errors) == 0 {
		in.refuse("network", "network "+text(wanted.Network)+" not found")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	made, refused := c.project.attachmentFor(s, n, wanted)
	if refused != nil {
		return about(*refused, s.id)
	}
	s.attachments = append(s.attachments, made)
	return replyStarted(s, c.attach(s, made))
}

// attach runs the action that makes an interface ready.
func (c *call) attach(s *server, made *attachment) *action {
	return c.changeBased("attach_to_network", &made.network.basic, s, outcome{
		success: func(time.Time) { made.ready = true },
		failure: func(time.Time) { s.attachments = without(s.attachments, made) },
	})
}

// attachmentFor gives an interface its address: the one that is asked for, or the first free one of a subnet in the
// server's network zone.
func (p *project) attachmentFor(s *server, n *network, wanted attachmentOrder) (*attachment, *core.Answer) {
	switch {
	case len(n.running) > 0:
		return nil, new(conflicting(&n.basic))
	case s.attachedTo(n) != nil:
		return nil, new(refusal("server_already_attached", "server is already attached to network"))
	case len(s.attachments) >= mostNetworks:
		return nil, new(overLimit("server_networks_limit", "server is in too many networks"))
	case slices.ContainsFunc(s.attachments, func(a *attachment) bool { return a.network.ipRange.Overlaps(n.ipRange) }):
		return nil, new(refusal("networks_overlap", "network overlaps with another network of the server"))
	}
	made := &attachment{network: n, mac: fmt.Sprintf("86:00:00:%02x:%02x:%02x", s.id>>16&0xff, s.id>>8&0xff, len(s.attachments))}
	var refused *core.Answer
	if wanted.IP == "" {
		made.ip, refused = p.freeIP(n, s.location.zone, wanted.IPRange)
	} else {
		made.ip, refused = p.wantedIP(n, s.location.zone, wanted.IP)
	}
	if refused != nil {
		return nil, refused
	}
	made.alias, refused = p.aliases(n, s, made, wanted.Alias)
	return made, refused
}

func refusal(code, message string) core.Answer {
	return failure(http.StatusUnprocessableEntity, code, message, nil)
}

func (p *project) freeIP(n *network, zone, ipRange string) (netip.Addr, *core.Answer) {
	for _, s := range n.subnets {
		if s.kind == "vswitch" || s.zone != zone || ipRange != "" && s.ipRange.String() != ipRange {
			continue
		}
		for ip := s.ipRange.Addr(); s.ipRange.Contains(ip); ip = ip.Next() {
			if p.ipFree(n, s, ip) {
				return ip, nil
			}
		}
	}
	return netip.Addr{}, new(refusal("no_subnet_available", "no subnet or IP is available for the server within the network"))
}

// ipFree: the network's first address is the gateway, and a subnet's first and last ones are no host.
func (p *project) ipFree(n *network, s *subnet, ip netip.Addr) bool {
	if ip == n.gateway() || ip == s.ipRange.Addr() || !s.ipRange.Contains(ip.Next()) || ip == netip.MustParseAddr("172.31.1.1") {
		return false
	}
	for _, other := range p.servers {
		if a := other.attachedTo(n); a != nil && (a.ip == ip || slices.Contains(a.alias, ip)) {
			return false
		}
	}
	return true
}

func (p *project) wantedIP(n *network, zone, wanted string) (netip.Addr, *core.Answer) {
	ip, err := netip.ParseAddr(wanted)
	if err != nil {
		return ip, new(invalid("ip", "is not an IP address"))
	}
	at := slices.IndexFunc(n.subnets, func(s *subnet) bool { return s.zone == zone && s.kind != "vswitch" && s.ipRange.Contains(ip) })
	if at < 0 || !p.ipFree(n, n.subnets[at], ip) {
		return ip, new(refusal("ip_not_available", "the provided IP is not available in the network"))
	}
	return ip, nil
}

func (p *project) aliases(n *network, s *server, own *attachment, wanted []string) ([]netip.Addr, *core.Answer) {
	var alias []netip.Addr
	for _, one := range wanted {
		if ip, err := netip.ParseAddr(one); err == nil && slices.Contains(own.alias, ip) {
			alias = append(alias, ip)
			continue
		}
		ip, refused := p.wantedIP(n, s.location.zone, one)
		if refused != nil {
			return nil, refused
		}
		alias = append(alias, ip)
	}
	return alias, nil
}

// onAttachment reads the network of an action on an interface.
func onAttachment(handle func(*call, *server, *attachment, *fields) core.Answer) func(*call, *server) core.Answer {
	return func(c *call, s *server) core.Answer {
		if s.busy() {
			return locked(s.id)
		}
		in, wrong := c.fields()
		if wrong != nil {
			return *wrong
		}
		var id int64
		in.read("network", &id, "a number")
		n, there := ofID(c.project.networks, id)
		if !there || s.attachedTo(n) == nil {
			in.refuse("network", "server is not attached to network "+text(id))
			return about(*in.answer(), s.id)
		}
		return handle(c, s, s.attachedTo(n), in)
	}
}

func detachFromNetwork(c *call, s *server, a *attachment, _ *fields) core.Answer {
	return replyStarted(s, c.changeBased("detach_from_network", &a.network.basic, s, outcome{
		success: func(time.Time) { s.attachments = without(s.attachments, a) },
	}))
}

// changeAliasIPs replaces them (Hetzner API document, POST /servers/{id}/actions/change_alias_ips).
func changeAliasIPs(c *call, s *server, a *attachment, in *fields) core.Answer {
	var wanted []string
	in.read("alias_ips", &wanted, "a list of addresses")
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	alias, refused := c.project.aliases(a.network, s, a, wanted)
	if refused != nil {
		return about(*refused, s.id)
	}
	return replyStarted(s, c.changeBased("change_alias_ips", &a.network.basic, s, outcome{success: func(time.Time) { a.alias = alias }}))
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

func (a *API) addServerOptions() {
	a.route("POST /servers/{id}/actions/attach_to_network", withServer(attachToNetwork))
	a.route("POST /servers/{id}/actions/detach_from_network", withServer(onAttachment(detachFromNetwork)))
	a.route("POST /servers/{id}/actions/change_alias_ips", withServer(onAttachment(changeAliasIPs)))
	a.route("POST /servers/{id}/actions/enable_backup", withServer(switchBackup("enable_backup", "22-02")))
	a.route("POST /servers/{id}/actions/disable_backup", withServer(switchBackup("disable_backup", "")))
	a.route("POST /servers/{id}/actions/add_to_placement_group", withServer(addToGroup))
	a.route("POST /servers/{id}/actions/remove_from_placement_group", withServer(removeFromGroup))
	a.route("POST /servers/{id}/actions/change_dns_ptr", withServer(changeServerReverse))
}

// switchBackup: the window is the vendor's choice.
func switchBackup(command, window string) func(*call, *server) core.Answer {
	return func(c *call, s *server) core.Answer {
		if s.busy() {
			return locked(s.id)
		}
		return replyStarted(s, c.change(command, s, "", func(time.Time) { s.backupWindow = window }))
	}
}

// reverseNames are the DNS names of an address or a network that were set, by host address.
type reverseNames map[string]string

// body answers what a floating or a primary IP shows: an IPv4 address always has a name, the vendor's own at first.
func (r reverseNames) body(family, ip string) []object {
	names := []object{}
	if family == "ipv4" && r[ip] == "" {
		names = append(names, object{"ip": ip, "dns_ptr": reverseName(ip)})
	}
	for host, name := range r {
		names = append(names, object{"ip": host, "dns_ptr": name})
	}
	return names
}

// with answers the names after a change; an empty name takes the host's away.
func (r reverseNames) with(host, name string) reverseNames {
	changed := reverseNames{}
	for other, own := range r {
		changed[other] = own
	}
	changed[host] = name
	if name == "" {
		delete(changed, host)
	}
	return changed
}

// orderedReverse reads the body of change_dns_ptr: null puts the vendor's own name back. The host must be one of the
// given addresses or networks; which one is answered.
func orderedReverse(in *fields, of ...string) (host, name string, at int) {
	host, _ = in.text("ip")
	if raw, given := in.values["dns_ptr"]; !given {
		in.fail("dns_ptr", "is required")
	} else if string(raw) != "null" && json.Unmarshal(raw, &name) != nil {
		in.fail("dns_ptr", "must be a string")
	}
	parsed, err := netip.ParseAddr(host)
	if err != nil {
		in.fail("ip", "is not an IP address")
		return host, name, -1
	}
	for i, whole := range of {
		network, err := netip.ParsePrefix(whole)
		if whole == host || err == nil && network.Contains(parsed) {
			return parsed.String(), name, i
		}
	}
	in.refuse("ip", "the IP is not one of this resource")
	return host, name, -1
}

// changeServerReverse is done at once and does not lock the server (unverified, but the vendor's own Terraform provider changes
// the names of a server's two addresses side by side and never waits for a lock).
func changeServerReverse(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	var own []*primaryIP
	var addresses []string
	for _, p := range []*primaryIP{s.ipv4, s.ipv6} {
		if p != nil {
			own, addresses = append(own, p), append(addresses, p.ip)
		}
	}
	host, name, at := orderedReverse(in, addresses...)
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	started := &action{id: take(&c.api.ids.action), command: "change_dns_ptr", status: "running", started: c.now, server: s}
	c.project.actions = append(c.project.actions, started)
	c.run(started, c.api.settings.Get().ActionTimes["change_dns_ptr"].Value(), outcome{success: func(time.Time) {
		own[at].reverse = own[at].reverse.with(host, name)
	}})
	c.api.timeline.Advance(c.now)
	return replyStarted(s, started)
}

// orderedOptions reads the networks, firewalls and the placement group of a create. "datacenter" was removed on 1 July 2026,
// and a project of the emulator has no volumes.
func (c *call) orderedOptions(in *fields, o *order) {
	var networks []int64
	in.read("networks", &networks, "a list of numbers")
	for _, id := range networks {
		n, there := ofID(c.project.networks, id)
		if !there {
			in.refuse("networks", "network "+text(id)+" not found")
			continue
		}
		o.networks = append(o.networks, n)
	}
	var firewalls []struct {
		Firewall int64 `json:"firewall"`
	}
	in.read("firewalls", &firewalls, "a list of firewalls")
	for _, wanted := range firewalls {
		f, there := ofID(c.project.firewalls, wanted.Firewall)
		if !there {
			in.refuse("firewalls", "firewall "+text(wanted.Firewall)+" not found")
			continue
		}
		o.firewalls = append(o.firewalls, f)
	}
	var group int64
	if in.read("placement_group", &group, "a number") {
		var there bool
		if o.group, there = ofID(c.project.groups, group); !there {
			in.refuse("placement_group", "placement group "+text(group)+" not found")
		}
	}
	refuseUnknown(in)
}

// checkOptions finds what speaks against the networks, firewalls and the placement group of an order.
func (c *call) checkOptions(o order) *core.Answer {
	public := o.ipv4.enabled || o.ipv6.enabled
	switch {
	case !public && len(o.networks) == 0 && o.start:
		// (unverified: the document says only that a server needs an interface to be powered on)
		return new(invalid("public_net", "a server needs a public or a private network to be started"))
	case !public && len(o.firewalls) > 0:
		return new(refusal("private_net_only_server", "server has no public network interface"))
	case len(o.firewalls) > mostFirewalls:
		return new(overLimit("server_firewalls_limit", "server has too many firewalls"))
	case o.group != nil:
		return o.group.refuse(c.project)
	}
	return nil
}

// attachOrdered gives a new server its interfaces; the actions that make them ready are still to be run.
func (c *call) attachOrdered(s *server, o order) *core.Answer {
	for _, n := range o.networks {
		made, refused := c.project.attachmentFor(s, n, attachmentOrder{Network: n.id})
		if refused != nil {
			return refused
		}
		s.attachments = append(s.attachments, made)
	}
	for _, f := range o.firewalls {
		s.barriers = append(s.barriers, &barrier{firewall: f})
	}
	s.group = o.group
	return nil
}

// noInterface: a server needs a public or a private network to run (Hetzner API document, POST /primary_ips/{id}/actions/unassign).
func noInterface(s *server) *core.Answer {
	if s.public() || len(s.attachments) > 0 {
		return nil
	}
	return new(about(failure(http.StatusUnprocessableEntity, "service_error", "server needs a public or a private network to be started", nil), s.id))
}

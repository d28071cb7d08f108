// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// rule lets traffic in or out. Ports are "0" for all, one, or a range such as 8000-9000.
type rule struct {
	Protocol     string  `json:"protocol"`
	Ports        string  `json:"ports"`
	Sources      *target `json:"sources"`
	Destinations *target `json:"destinations"`
}

// target is where a rule's traffic comes from or goes to.
type target struct {
	Addresses  []string `json:"addresses,omitempty"`
	Droplets   []int64  `json:"droplet_ids,omitempty"`
	Balancers  []string `json:"load_balancer_uids,omitempty"`
	Kubernetes []string `json:"kubernetes_ids,omitempty"`
	Tags       []string `json:"tags,omitempty"`
}

func (r rule) target() *target {
	if r.Sources != nil {
		return r.Sources
	}
	return r.Destinations
}

func ruleBodies(rules []rule, direction string) []object {
	bodies := []object{}
	for _, r := range rules {
		bodies = append(bodies, object{"protocol": r.Protocol, "ports": r.Ports, direction: r.target()})
	}
	return bodies
}

func withoutRules(rules, gone []rule) []rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool {
		return slices.ContainsFunc(gone, func(other rule) bool { return reflect.DeepEqual(r, other) })
	})
}

// firewallName: DigitalOcean API document, model firewall.
var firewallName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9.-]+$`)

// readFirewall reads a whole firewall. Another firewall of the name, and the texts beyond it, as terraform's and doctl's
// users quote them.
func (c *call) readFirewall(next *firewall) (*firewall, *core.Answer) {
	in, wrong := c.fields()
	if wrong != nil {
		return nil, wrong
	}
	next.name = in.text("name")
	if !firewallName.MatchString(next.name) {
		in.refuse(unprocessable("name is invalid"))
	}
	parts := c.readParts(in)
	next.droplets, next.tags, next.inbound, next.outbound = parts.droplets, parts.tags, parts.inbound, parts.outbound
	next.checkLimits(in)
	if slices.ContainsFunc(c.team.firewalls, func(f *firewall) bool { return f.id != next.id && f.name == next.name }) {
		in.refuse(failure(http.StatusConflict, "duplicate name"))
	}
	return next, in.problem
}

// readParts reads droplets, tags and rules. A tag and a droplet must be there.
func (c *call) readParts(in *fields) *firewall {
	parts := &firewall{}
	var names []string
	in.read("droplet_ids", &parts.droplets, "a list of integers")
	in.read("tags", &names, "a list of strings")
	in.read("inbound_rules", &parts.inbound, "a list of rules")
	in.read("outbound_rules", &parts.outbound, "a list of rules")
	parts.droplets = union(nil, parts.droplets)
	for _, id := range parts.droplets {
		if c.team.droplet(id) == nil {
			in.refuse(unprocessable("droplet %d not found", id)) // wording unverified
		}
	}
	for _, name := range names {
		worn := c.team.tag(name)
		if worn == nil {
			in.refuse(unprocessable("tag %s not found", name)) // wording unverified
			continue
		}
		parts.tags = union(parts.tags, []*tag{worn})
	}
	for i := range parts.inbound {
		parts.inbound[i].Destinations = nil
		c.checkRule(in, &parts.inbound[i])
	}
	for i := range parts.outbound {
		parts.outbound[i].Sources = nil
		c.checkRule(in, &parts.outbound[i])
	}
	return parts
}

// checkRule: all ports are written 0, also where they were asked for as "all" (api-v2, issue 171; doorkeeper, pull request
// 17); a rule for ICMP has no ports to name (doctl, pull request 278).
func (c *call) checkRule(in *fields, r *rule) {
	if !slices.Contains([]string{"tcp", "udp", "icmp"}, r.Protocol) {
		in.refuse(unprocessable("you must specify a valid protocol"))
	}
	if r.Ports == "all" || r.Ports == "" && r.Protocol == "icmp" {
		r.Ports = "0"
	}
	if r.Protocol == "icmp" && r.Ports != "0" {
		in.refuse(unprocessable("You must specify a positive value for ports."))
	}
	if !validPorts(r.Ports) {
		in.refuse(unprocessable("you must specify a valid range for ports"))
	}
	if r.target() == nil {
		in.refuse(unprocessable("a rule needs sources or destinations")) // wording unverified
		return
	}
	for _, address := range r.target().Addresses {
		_, noBlock := netip.ParsePrefix(address)
		if _, noAddress := netip.ParseAddr(address); noBlock != nil && noAddress != nil {
			in.refuse(unprocessable("invalid address"))
		}
	}
	for _, name := range r.target().Tags {
		if c.team.tag(name) == nil {
			in.refuse(unprocessable("tag %s not found", name)) // wording unverified
		}
	}
}

func validPorts(ports string) bool {
	if ports == "0" {
		return true
	}
	first, last, ranged := strings.Cut(ports, "-")
	if !ranged {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 16)
	to, wrong := strconv.ParseUint(last, 10, 16)
	return err == nil && wrong == nil && from > 0 && from <= to
}

// checkLimits: the text for droplets is quoted by ai-memory-mcp's issue 1537; the others read alike.
func (f *firewall) checkLimits(in *fields) {
	switch {
	case len(f.inbound)+len(f.outbound) == 0:
		in.refuse(unprocessable("must have at least one rule"))
	case len(f.inbound)+len(f.outbound) > maxFirewallRules:
		in.refuse(unprocessable("must have no more than %d rules", maxFirewallRules))
	case len(f.droplets) > maxFirewallDroplets:
		in.refuse(unprocessable("must have no more than %d droplets", maxFirewallDroplets))
	case len(f.tags) > maxFirewallTags:
		in.refuse(unprocessable("must have no more than %d tags", maxFirewallTags))
	case duplicated(f.inbound), duplicated(f.outbound):
		in.refuse(unprocessable("duplicate rules")) // kelda, pull request 1227; the wording is unverified
	}
}

func duplicated(rules []rule) bool {
	for i, r := range rules {
		if slices.ContainsFunc(rules[:i], func(other rule) bool { return reflect.DeepEqual(r, other) }) {
			return true
		}
	}
	return false
}

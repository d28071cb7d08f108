// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

const (
	// mostRules and mostFirewalls are the rules of a firewall and the firewalls of a server at most (Hetzner API document,
	// POST /firewalls and apply_to_resources).
	mostRules     = 50
	mostFirewalls = 5
)

// firewall is a set of rules that servers with a public interface are put behind, one by one or by a label selector.
type firewall struct {
	basic
	rules     []firewallRule
	selectors []string
}

// firewallRule is a rule as the vendor writes it.
type firewallRule struct {
	Direction    string   `json:"direction"`
	Protocol     string   `json:"protocol"`
	Port         *string  `json:"port"`
	Sources      []string `json:"source_ips"`
	Destinations []string `json:"destination_ips"`
	Description  *string  `json:"description"`
}

func firewallsOf(p *project) []*firewall { return p.firewalls }

func (a *API) addFirewalls() {
	with := func(handle func(*call, *firewall) core.Answer) func(*call) core.Answer {
		return withBased(firewallsOf, "firewall", handle)
	}
	a.route("GET /firewalls", func(c *call) core.Answer {
		return listBased(c, "firewalls", c.project.firewalls, func(f *firewall) object { return f.body(c.project) })
	})
	a.route("POST /firewalls", createFirewall)
	a.route("GET /firewalls/{id}", with(getFirewall))
	a.route("PUT /firewalls/{id}", with(func(c *call, f *firewall) core.Answer {
		return updateBased(c, c.project.firewalls, f, func() core.Answer { return getFirewall(c, f) })
	}))
	a.route("DELETE /firewalls/{id}", with(deleteFirewall))
	a.routeActions("firewalls", "firewall")
	a.route("GET /firewalls/{id}/actions", with(listActionsOf[*firewall]))
	a.route("GET /firewalls/{id}/actions/{action}", with(getActionOf[*firewall]))
	a.route("POST /firewalls/{id}/actions/set_rules", with(setRules))
	a.route("POST /firewalls/{id}/actions/apply_to_resources", with(applyFirewall))
	a.route("POST /firewalls/{id}/actions/remove_from_resources", with(removeFirewall))
}

func (f *firewall) body(owner *project) object {
	applied := []object{}
	for _, s := range owner.servers {
		if s.behind(f) != nil {
			applied = append(applied, serverResource(s))
		}
	}
	for _, selector := range f.selectors {
		chosen := []object{}
		for _, s := range owner.servers {
			if selectedBy(selector, s) {
				chosen = append(chosen, serverResource(s))
			}
		}
		applied = append(applied, object{
			"type": "label_selector", "label_selector": object{"selector": selector}, "applied_to_resources": chosen,
		})
	}
	rules := f.rules
	if rules == nil {
		rules = []firewallRule{}
	}
	return object{
		"id": f.id, "name": f.name, "labels": labelsBody(f.labels), "created": timestamp(f.created), "rules": rules, "applied_to": applied,
	}
}

func serverResource(s *server) object {
	return object{"type": "server", "server": object{"id": s.id}}
}

// selectedBy says whether a label selector of a firewall, which was checked as it came in, chooses a server.
func selectedBy(selector string, s *server) bool {
	requirements, err := parseSelector(selector)
	return err == nil && s.public() && selects(requirements, s.labels)
}

func getFirewall(c *call, f *firewall) core.Answer {
	return reply(http.StatusOK, object{"firewall": f.body(c.project)}, f.id)
}

func createFirewall(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	f := &firewall{basic: c.orderedBasic(in, "firewall"), rules: orderedRules(in)}
	if len(f.name) > 128 {
		in.fail("name", "is too long")
	}
	resources := orderedResources(in, "apply_to")
	if answer := in.answer(); answer != nil {
		return *answer
	}
	if refused := refuseBasic(c, c.project.firewalls, f.basic, "firewalls"); refused != nil {
		return *refused
	}
	if refused := c.checkApply(f, resources); refused != nil {
		return *refused
	}
	f.id = take(&c.api.ids.firewall)
	c.project.firewalls = append(c.project.firewalls, f)
	actions := c.apply(f, resources)
	return reply(http.StatusCreated, object{"firewall": f.body(c.project), "actions": actions}, f.id)
}

var portPattern = regexp.MustCompile(`^[0-9]{1,5}(-[0-9]{1,5})?$`)

// orderedRules reads and checks rules (Hetzner API document, POST /firewalls).
func orderedRules(in *fields) []firewallRule {
	var rules []firewallRule
	in.read("rules", &rules, "a list of rules")
	if len(rules) > mostRules {
		in.fail("rules", "must have at most 50 entries")
	}
	for i, rule := range rules {
		if field, problem := rule.fault(); problem != "" {
			in.fail(fmt.Sprintf("rules.%d.%s", i, field), problem)
		}
		rules[i].Sources, rules[i].Destinations = orNone(rule.Sources), orNone(rule.Destinations)
	}
	return rules
}

func orNone(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

func (r firewallRule) fault() (field, problem string) {
	peers, field := r.Sources, "source_ips"
	if r.Direction == "out" {
		peers, field = r.Destinations, "destination_ips"
	}
	withPort := r.Protocol == "tcp" || r.Protocol == "udp"
	switch {
	case r.Direction != "in" && r.Direction != "out":
		return "direction", "must be one of in, out"
	case !slices.Contains([]string{"tcp", "udp", "icmp", "esp", "gre"}, r.Protocol):
		return "protocol", "must be one of tcp, udp, icmp, esp, gre"
	case withPort != (r.Port != nil):
		return "port", "goes with the protocols tcp and udp, and only with these"
	case r.Port != nil && !portPattern.MatchString(*r.Port):
		return "port", "is neither a port nor a range of ports"
	case len(peers) == 0 || len(peers) > 100:
		return field, "must have 1 to 100 CIDR blocks"
	}
	for _, peer := range peers {
		if _, err := netip.ParsePrefix(peer); err != nil {
			return field, "must be in CIDR notation"
		}
	}
	return "", ""
}

// deleteFirewall: not while it is applied (Hetzner API document, DELETE /firewalls/{id}).
func deleteFirewall(c *call, f *firewall) core.Answer {
	inUse := len(f.selectors) > 0 || slices.ContainsFunc(c.project.servers, func(s *server) bool { return s.behind(f) != nil })
	if inUse {
		return about(refusal("resource_in_use", "firewall is still in use"), f.id)
	}
	c.project.firewalls = without(c.project.firewalls, f)
	return noContent(f.id)
}

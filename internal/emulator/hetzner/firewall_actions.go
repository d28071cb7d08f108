// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// barrier is a firewall that a server was put behind by itself. It works when the action has ended.
type barrier struct {
	firewall *firewall
	applied  bool
}

// public says whether the server has a public interface.
func (s *server) public() bool { return s.ipv4 != nil || s.ipv6 != nil }

func (s *server) behind(f *firewall) *barrier {
	at := slices.IndexFunc(s.barriers, func(b *barrier) bool { return b.firewall == f })
	if at < 0 {
		return nil
	}
	return s.barriers[at]
}

// firewallsBody are the firewalls of a server: those that it was put behind by itself, then those by selector.
func (s *server) firewallsBody() []object {
	shown := []object{}
	for _, b := range s.barriers {
		status := "pending"
		if b.applied {
			status = "applied"
		}
		shown = append(shown, object{"id": b.firewall.id, "status": status})
	}
	for _, f := range s.owner.firewalls {
		chosen := slices.ContainsFunc(f.selectors, func(selector string) bool { return selectedBy(selector, s) })
		if chosen && s.behind(f) == nil {
			shown = append(shown, object{"id": f.id, "status": "applied"})
		}
	}
	return shown
}

// resourceOrder is a resource that a firewall is to be applied to or removed from.
type resourceOrder struct {
	Type   string `json:"type"`
	Server *struct {
		ID int64 `json:"id"`
	} `json:"server"`
	Selector *struct {
		Selector string `json:"selector"`
	} `json:"label_selector"`
}

func orderedResources(in *fields, field string) []resourceOrder {
	var resources []resourceOrder
	in.read(field, &resources, "a list of resources")
	for _, resource := range resources {
		switch {
		case resource.Type == "server" && resource.Server != nil:
		case resource.Type == "label_selector" && resource.Selector != nil:
			if _, err := parseSelector(resource.Selector.Selector); err != nil {
				in.fail(field, err.Error())
			}
		default:
			in.fail(field, "must be servers or label selectors")
		}
	}
	return resources
}

// checkApply finds what speaks against putting resources behind a firewall (Hetzner API document, apply_to_resources).
func (c *call) checkApply(f *firewall, resources []resourceOrder) *core.Answer {
	for _, resource := range resources {
		if resource.Server == nil {
			if slices.Contains(f.selectors, resource.Selector.Selector) {
				return new(refusal("firewall_already_applied", "firewall is already applied"))
			}
			continue
		}
		s := c.project.server(resource.Server.ID)
		switch {
		case s == nil:
			return new(failure(http.StatusNotFound, "firewall_resource_not_found", "firewall resource not found", nil))
		case s.behind(f) != nil:
			return new(refusal("firewall_already_applied", "firewall is already applied"))
		case !s.public():
			return new(refusal("private_net_only_server", "server has no public network interface"))
		case len(s.firewallsBody()) >= mostFirewalls:
			return new(overLimit("server_firewalls_limit", "server has too many firewalls"))
		}
	}
	return nil
}

// apply puts resources behind a firewall, each by an action of its own. A selector works at once and takes none.
func (c *call) apply(f *firewall, resources []resourceOrder) []object {
	actions := []object{}
	for _, resource := range resources {
		if resource.Server == nil {
			f.selectors = append(f.selectors, resource.Selector.Selector)
			continue
		}
		s := c.project.server(resource.Server.ID)
		made := &barrier{firewall: f}
		s.barriers = append(s.barriers, made)
		actions = append(actions, c.changeFirewall("apply_firewall", f, s, outcome{
			success: func(time.Time) { made.applied = true },
			failure: func(time.Time) { s.barriers = without(s.barriers, made) },
		}).body())
	}
	return actions
}

// changeFirewall runs an action on a firewall, which locks neither it nor the server.
func (c *call) changeFirewall(command string, f *firewall, s *server, o outcome) *action {
	made := &action{id: take(&c.api.ids.action), command: command, status: "running", started: c.now, server: s, on: &f.basic}
	c.project.actions = append(c.project.actions, made)
	c.run(made, c.api.settings.Get().TimeOf(command), o)
	return made
}

func applyFirewall(c *call, f *firewall) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	resources := orderedResources(in, "apply_to")
	if answer := in.answer(); answer != nil {
		return about(*answer, f.id)
	}
	if refused := c.checkApply(f, resources); refused != nil {
		return about(*refused, f.id)
	}
	return reply(http.StatusCreated, object{"actions": c.apply(f, resources)}, f.id)
}

// removeFirewall: a server that a selector chooses cannot be taken off by itself.
func removeFirewall(c *call, f *firewall) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	resources := orderedResources(in, "remove_from")
	if answer := in.answer(); answer != nil {
		return about(*answer, f.id)
	}
	for _, resource := range resources {
		if refused := c.checkRemove(f, resource); refused != nil {
			return about(*refused, f.id)
		}
	}
	actions := []object{}
	for _, resource := range resources {
		if resource.Server == nil {
			f.selectors = without(f.selectors, resource.Selector.Selector)
			continue
		}
		s := c.project.server(resource.Server.ID)
		actions = append(actions, c.changeFirewall("remove_firewall", f, s, outcome{
			success: func(time.Time) { s.barriers = without(s.barriers, s.behind(f)) },
		}).body())
	}
	return reply(http.StatusCreated, object{"actions": actions}, f.id)
}

func (c *call) checkRemove(f *firewall, resource resourceOrder) *core.Answer {
	missing := new(failure(http.StatusNotFound, "firewall_resource_not_found", "firewall resource not found", nil))
	if resource.Server == nil {
		if slices.Contains(f.selectors, resource.Selector.Selector) {
			return nil
		}
		return missing
	}
	s := c.project.server(resource.Server.ID)
	switch {
	case s == nil:
		return missing
	case s.behind(f) != nil:
		return nil
	case slices.ContainsFunc(f.selectors, func(selector string) bool { return selectedBy(selector, s) }):
		return new(refusal("firewall_managed_by_label_selector", "firewall is applied by a label selector"))
	}
	return missing
}

// setRules replaces the rules, and applies them to every server anew.
func setRules(c *call, f *firewall) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	rules := orderedRules(in)
	if answer := in.answer(); answer != nil {
		return about(*answer, f.id)
	}
	actions := []object{c.changeFirewall("set_firewall_rules", f, nil, outcome{success: func(time.Time) { f.rules = rules }}).body()}
	for _, s := range c.project.servers {
		if s.behind(f) != nil {
			actions = append(actions, c.changeFirewall("apply_firewall", f, s, outcome{}).body())
		}
	}
	return reply(http.StatusCreated, object{"actions": actions}, f.id)
}

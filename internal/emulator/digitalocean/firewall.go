// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// firewall is a cloud firewall of a team. It covers the droplets that it names and those that bear one of its tags.
type firewall struct {
	id, name          string
	created           time.Time
	inbound, outbound []rule
	droplets          []int64
	tags              []*tag
	pending           []pendingChange
	failed            bool
}

// pendingChange is a droplet whose rules are being changed.
type pendingChange struct {
	droplet  int64
	removing bool
}

// Limits: docs.digitalocean.com/products/networking/firewalls/details/limits.
const (
	maxFirewallDroplets = 10
	maxFirewallTags     = 5
	maxFirewallRules    = 50
)

// covers says whether the droplet is under the firewall, by its id or by a tag.
func (f *firewall) covers(d *droplet) bool {
	return slices.Contains(f.droplets, d.id) || slices.ContainsFunc(f.tags, d.bears)
}

func (f *firewall) covered(t *team) []int64 {
	var ids []int64
	for _, d := range t.droplets {
		if f.covers(d) {
			ids = append(ids, d.id)
		}
	}
	return ids
}

// status: DigitalOcean API document, model firewall.
func (f *firewall) status() string {
	switch {
	case len(f.pending) > 0:
		return "waiting"
	case f.failed:
		return "failed"
	}
	return "succeeded"
}

func (f *firewall) body() object {
	changes, tags := []object{}, []string{}
	for _, change := range f.pending {
		changes = append(changes, object{"droplet_id": change.droplet, "removing": change.removing, "status": "waiting"})
	}
	for _, worn := range f.tags {
		tags = append(tags, worn.name)
	}
	return object{
		"id": f.id, "name": f.name, "status": f.status(), "created_at": timestamp(f.created), "pending_changes": changes,
		"droplet_ids": orEmpty(f.droplets), "tags": tags, "inbound_rules": ruleBodies(f.inbound, "sources"),
		"outbound_rules": ruleBodies(f.outbound, "destinations"),
	}
}

func (t *team) firewall(id string) *firewall {
	i := slices.IndexFunc(t.firewalls, func(f *firewall) bool { return f.id == id })
	if i < 0 {
		return nil
	}
	return t.firewalls[i]
}

func (t *team) dropFirewall(f *firewall) {
	t.firewalls = slices.DeleteFunc(t.firewalls, func(other *firewall) bool { return other == f })
}

func (a *API) addFirewalls() {
	a.route("GET /v2/firewalls", listFirewalls)
	a.route("POST /v2/firewalls", createFirewall)
	a.route("GET /v2/firewalls/{firewall}", withFirewall(getFirewall))
	a.route("PUT /v2/firewalls/{firewall}", withFirewall(updateFirewall))
	a.route("DELETE /v2/firewalls/{firewall}", withFirewall(deleteFirewall))
	for _, part := range []string{"droplets", "tags", "rules"} {
		a.route("POST /v2/firewalls/{firewall}/"+part, withFirewall(changeFirewall(part, (*firewall).add)))
		a.route("DELETE /v2/firewalls/{firewall}/"+part, withFirewall(changeFirewall(part, (*firewall).take)))
	}
	a.route("GET /v2/droplets/{droplet}/firewalls", withDroplet(listFirewallsOfDroplet))
}

func withFirewall(handle func(*call, *firewall) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		if found := c.team.firewall(c.Params["firewall"]); found != nil {
			return handle(c, found)
		}
		return notFound()
	}
}

func listFirewalls(c *call) core.Answer {
	return c.replyList("firewalls", len(c.team.firewalls), func(i int) any { return c.team.firewalls[i].body() })
}

func listFirewallsOfDroplet(c *call, d *droplet) core.Answer {
	found := slices.DeleteFunc(slices.Clone(c.team.firewalls), func(f *firewall) bool { return !f.covers(d) })
	return c.replyList("firewalls", len(found), func(i int) any { return found[i].body() })
}

func getFirewall(_ *call, f *firewall) core.Answer {
	return reply(http.StatusOK, object{"firewall": f.body()}, f.id)
}

func deleteFirewall(c *call, f *firewall) core.Answer {
	c.team.dropFirewall(f)
	return noContent(f.id)
}

// createFirewall answers 202 with what is being applied; it has no action (DigitalOcean API document, POST
// /v2/firewalls). A taken name is refused with "duplicate name" (harmony-ops, issue 374).
func createFirewall(c *call) core.Answer {
	next, wrong := c.readFirewall(&firewall{id: newUUID(), created: c.now})
	if wrong != nil {
		return *wrong
	}
	if len(c.team.firewalls) >= c.quota("firewalls") {
		return unprocessable("you have reached the limit of firewalls")
	}
	c.team.firewalls = append(c.team.firewalls, next)
	c.applyFirewall(next, nil)
	return reply(http.StatusAccepted, object{"firewall": next.body()}, next.id)
}

// updateFirewall replaces everything: what is not given is reset (same document, PUT).
func updateFirewall(c *call, f *firewall) core.Answer {
	next, wrong := c.readFirewall(&firewall{id: f.id, created: f.created, pending: f.pending})
	if wrong != nil {
		return about(*wrong, f.id)
	}
	before := f.covered(c.team)
	*f = *next
	c.applyFirewall(f, before)
	return reply(http.StatusOK, object{"firewall": f.body()}, f.id)
}

// changeFirewall adds or removes droplets, tags or rules and answers 204.
func changeFirewall(part string, change func(*firewall, *firewall)) func(*call, *firewall) core.Answer {
	return func(c *call, f *firewall) core.Answer {
		in, wrong := c.fields()
		if wrong != nil {
			return about(*wrong, f.id)
		}
		named := c.readParts(in)
		if len(named.droplets)+len(named.tags)+len(named.inbound)+len(named.outbound) == 0 {
			in.refuse(unprocessable("%s can't be blank", part))
		}
		next := *f
		change(&next, named)
		next.checkLimits(in)
		if in.problem != nil {
			return about(*in.problem, f.id)
		}
		before := f.covered(c.team)
		*f = next
		c.applyFirewall(f, before)
		return noContent(f.id)
	}
}

func (f *firewall) add(more *firewall) {
	f.droplets, f.tags = union(f.droplets, more.droplets), union(f.tags, more.tags)
	f.inbound, f.outbound = slices.Concat(f.inbound, more.inbound), slices.Concat(f.outbound, more.outbound)
}

func (f *firewall) take(less *firewall) {
	f.droplets, f.tags = except(f.droplets, less.droplets), except(f.tags, less.tags)
	f.inbound, f.outbound = withoutRules(f.inbound, less.inbound), withoutRules(f.outbound, less.outbound)
}

func union[T comparable](list, more []T) []T {
	return slices.Concat(list, except(more, list))
}

func except[T comparable](list, less []T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(e T) bool { return slices.Contains(less, e) })
}

// applyFirewall takes a while for every droplet that is or was covered: until then the firewall waits.
func (c *call) applyFirewall(f *firewall, before []int64) {
	now := f.covered(c.team)
	result := c.api.settings.TakeResult("apply_firewall")
	f.pending = nil
	for _, id := range union(now, before) {
		f.pending = append(f.pending, pendingChange{droplet: id, removing: !slices.Contains(now, id)})
	}
	if len(f.pending) == 0 || result.Status == "never" {
		return
	}
	c.later(c.settings.TimeOf("apply_firewall"), func(time.Time) {
		f.pending, f.failed = nil, result.Status == "error"
	})
}

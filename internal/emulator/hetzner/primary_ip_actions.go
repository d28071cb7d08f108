// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

func (a *API) addPrimaryIPs() {
	a.route("GET /primary_ips", listPrimaryIPs)
	a.route("POST /primary_ips", createPrimaryIP)
	a.route("GET /primary_ips/{id}", withPrimaryIP(getPrimaryIP))
	a.route("PUT /primary_ips/{id}", withPrimaryIP(updatePrimaryIP))
	a.route("DELETE /primary_ips/{id}", withPrimaryIP(deletePrimaryIP))
	a.routeActions("primary_ips", "primary_ip")
	a.route("GET /primary_ips/{id}/actions", withPrimaryIP(listActionsOfPrimaryIP))
	a.route("GET /primary_ips/{id}/actions/{action}", withPrimaryIP(getActionOfPrimaryIP))
	a.route("POST /primary_ips/{id}/actions/assign", withPrimaryIP(assignPrimaryIP))
	a.route("POST /primary_ips/{id}/actions/unassign", withPrimaryIP(unassignPrimaryIP))
	a.route("POST /primary_ips/{id}/actions/change_dns_ptr", withPrimaryIP(changePrimaryReverse))
	a.route("POST /primary_ips/{id}/actions/change_protection", withPrimaryIP(changePrimaryProtection))
}

// withPrimaryIP finds the primary IP of the path.
func withPrimaryIP(handle func(*call, *primaryIP) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.project.primaryIP(c.id("id"))
		if found == nil || (c.IsRead() && c.hidden(found.created, c.api.settings.Get().Lag.Get)) {
			return notFound("primary IP")
		}
		return handle(c, found)
	}
}

// changePrimary makes and runs an action on a primary IP; the server that it is about is locked meanwhile.
// isOf says whether an action is about a primary IP.
func (a *action) isOf(p *primaryIP) bool {
	return a.on != nil && a.on.kind == "primary_ip" && a.on.id == p.id
}

func listActionsOfPrimaryIP(c *call, p *primaryIP) core.Answer {
	return c.replyList("actions", c.actionRows(c.project.actions, func(a *action) bool { return a.isOf(p) }), actionSorts...)
}

func getActionOfPrimaryIP(c *call, p *primaryIP) core.Answer {
	return c.replyAction(func(a *action) bool { return a.isOf(p) })
}

func (c *call) changePrimary(command string, p *primaryIP, s *server, success func()) core.Answer {
	return reply(http.StatusCreated, object{"action": c.runPrimary(command, p, s, success).body()}, p.id)
}

func (c *call) runPrimary(command string, p *primaryIP, s *server, success func()) *action {
	return c.changeBased(command, &basic{id: p.id, kind: "primary_ip"}, s, outcome{success: func(time.Time) { success() }})
}

// createPrimaryIP: Hetzner API document, POST /primary_ips. Location and assignee exclude each other.
func createPrimaryIP(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	b := c.orderedBasic(in, "primary_ip")
	p := &primaryIP{name: b.name, labels: b.labels, created: c.now, autoDelete: in.flag("auto_delete", false)}
	if p.family, _ = in.text("type"); p.family != "ipv4" && p.family != "ipv6" {
		in.fail("type", "must be one of ipv4, ipv6")
	}
	holder := c.orderedAssignee(in, p)
	if answer := in.answer(); answer != nil {
		return *answer
	}
	if refused := c.checkPrimary(p, holder); refused != nil {
		return *refused
	}
	p.id, p.ip = take(&c.api.ids.primaryIP), c.api.freshAddress(p.family)
	c.project.primaryIPs = append(c.project.primaryIPs, p)
	body := object{"action": nil}
	if holder != nil {
		body["action"] = c.runPrimary("create_primary_ip", p, holder, func() { p.moveTo(c.project, &holder.id) }).body()
	}
	body["primary_ip"] = p.body()
	return reply(http.StatusCreated, body, p.id)
}

func (c *call) orderedAssignee(in *fields, p *primaryIP) *server {
	if kind, given := in.text("assignee_type"); given && kind != "server" && kind != "unassigned" {
		in.fail("assignee_type", "must be one of server, unassigned")
	}
	var on int64
	if in.read("assignee_id", &on, "a number") {
		holder := c.project.server(on)
		if holder == nil {
			in.refuse("assignee_id", "server "+text(on)+" not found")
			return nil
		}
		p.location = holder.location
		return holder
	}
	where := in.reference("location")
	at := slices.IndexFunc(locations, func(l location) bool { return l.name == where || text(l.id) == where })
	if at < 0 {
		in.fail("location", "either location or assignee_id must be given")
		return nil
	}
	p.location = locations[at]
	return nil
}

func (c *call) checkPrimary(p *primaryIP, holder *server) *core.Answer {
	if slices.ContainsFunc(c.project.primaryIPs, func(other *primaryIP) bool { return other.name == p.name }) {
		return new(taken("name", "primary IP name is already used"))
	}
	if quota, set := c.api.settings.Get().Quotas["primary_ips"]; set && len(c.project.primaryIPs) >= quota {
		return new(overLimit("primary_ip_limit", "Primary IP limit exceeded"))
	}
	if holder == nil {
		return nil
	}
	return checkHolder(p, holder)
}

// checkHolder: a server takes one address of each family, in its own location, while it is off.
func checkHolder(p *primaryIP, s *server) *core.Answer {
	place := s.ipv4
	if p.family == "ipv6" {
		place = s.ipv6
	}
	switch {
	case s.busy():
		return new(locked(s.id))
	case place != nil:
		return new(refusal("server_has_"+p.family, "server already has an "+p.family+" address"))
	case s.status != "off":
		return new(refusal("server_not_stopped", "server is not stopped"))
	case s.location.id != p.location.id:
		return new(refusal("primary_ip_datacenter_mismatch", "primary IP is in another location"))
	}
	return nil
}

func updatePrimaryIP(c *call, p *primaryIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name, hasName := in.text("name")
	labels, hasLabels := in.labels()
	autoDelete := in.flag("auto_delete", p.autoDelete)
	if hasName && strings.TrimSpace(name) == "" {
		in.fail("name", "must not be empty")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, p.id)
	}
	if hasName && slices.ContainsFunc(c.project.primaryIPs, func(other *primaryIP) bool { return other != p && other.name == name }) {
		return about(taken("name", "primary IP name is already used"), p.id)
	}
	if hasName {
		p.name = name
	}
	if hasLabels {
		p.labels = labels
	}
	p.autoDelete = autoDelete
	return getPrimaryIP(c, p)
}

// deletePrimaryIP: an assigned one must be taken off first since 1 May 2026 (Hetzner API document, DELETE /primary_ips/{id}).
func deletePrimaryIP(c *call, p *primaryIP) core.Answer {
	switch {
	case p.protected:
		return about(failure(http.StatusLocked, "protected", "primary IP deletion is protected", nil), p.id)
	case p.holder != nil:
		return about(refusal("must_be_unassigned", "primary IP must be unassigned"), p.id)
	}
	c.project.release(p)
	return noContent(p.id)
}

func assignPrimaryIP(c *call, p *primaryIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	var on int64
	in.read("assignee_id", &on, "a number")
	s := c.project.server(on)
	if s == nil {
		in.refuse("assignee_id", "server "+text(on)+" not found")
		return about(*in.answer(), p.id)
	}
	if p.holder != nil {
		return about(refusal("primary_ip_already_assigned", "primary IP is already assigned"), p.id)
	}
	if refused := checkHolder(p, s); refused != nil {
		return *refused
	}
	return c.changePrimary("assign_primary_ip", p, s, func() { p.moveTo(c.project, &s.id) })
}

func unassignPrimaryIP(c *call, p *primaryIP) core.Answer {
	switch {
	case p.holder == nil:
		return about(refusal("service_error", "primary IP is not assigned"), p.id)
	case p.holder.busy():
		return locked(p.holder.id)
	case p.holder.status != "off":
		return about(refusal("server_not_stopped", "server is not stopped"), p.id)
	}
	return c.changePrimary("unassign_primary_ip", p, p.holder, p.leave)
}

func changePrimaryReverse(c *call, p *primaryIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	host, name, _ := orderedReverse(in, p.ip)
	if answer := in.answer(); answer != nil {
		return about(*answer, p.id)
	}
	return c.changePrimary("change_dns_ptr", p, nil, func() { p.reverse = p.reverse.with(host, name) })
}

// changePrimaryProtection needs auto_delete off (Hetzner API document, POST /primary_ips/{id}/actions/change_protection).
func changePrimaryProtection(c *call, p *primaryIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	protected := in.flag("delete", p.protected)
	if protected && p.autoDelete {
		in.fail("delete", "needs auto_delete to be false")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, p.id)
	}
	return c.changePrimary("change_protection", p, nil, func() { p.protected = protected })
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

func (a *API) addFloatingIPs() {
	a.route("GET /floating_ips", listFloatingIPs)
	a.route("POST /floating_ips", createFloatingIP)
	a.route("GET /floating_ips/{id}", withFloatingIP(getFloatingIP))
	a.route("PUT /floating_ips/{id}", withFloatingIP(updateFloatingIP))
	a.route("DELETE /floating_ips/{id}", withFloatingIP(deleteFloatingIP))

	a.routeActions("floating_ips", "floating_ip")
	a.route("GET /floating_ips/{id}/actions", withFloatingIP(listActionsOfFloatingIP))
	a.route("GET /floating_ips/{id}/actions/{action}", withFloatingIP(getActionOfFloatingIP))
	a.route("POST /floating_ips/{id}/actions/assign", withFloatingIP(assignFloatingIP))
	a.route("POST /floating_ips/{id}/actions/unassign", withFloatingIP(unassignFloatingIP))
	a.route("POST /floating_ips/{id}/actions/change_dns_ptr", withFloatingIP(changeFloatingReverse))
	a.route("POST /floating_ips/{id}/actions/change_protection", withFloatingIP(changeFloatingProtection))
}

func listActionsOfFloatingIP(c *call, f *floatingIP) core.Answer {
	rows := c.actionRows(c.project.actions, func(a *action) bool { return a.floating == f })
	return c.replyList("actions", rows, actionSorts...)
}

func getActionOfFloatingIP(c *call, f *floatingIP) core.Answer {
	return c.replyAction(func(a *action) bool { return a.floating == f })
}

// changeFloating makes and runs an action on a floating IP, which is locked meanwhile.
func (c *call) changeFloating(command string, f *floatingIP, s *server, during time.Duration, success func(at time.Time)) *action {
	made := &action{id: take(&c.api.ids.action), command: command, status: "running", started: c.now, server: s, floating: f}
	c.project.actions = append(c.project.actions, made)
	f.running = append(f.running, made)
	c.run(made, during, outcome{success: success})
	return made
}

func (c *call) replyFloatingAction(f *floatingIP, started *action) core.Answer {
	return reply(http.StatusCreated, object{"action": started.body()}, f.id)
}

// assignTo moves a floating IP when its action ends, unless the server has gone by then.
func (c *call) assignTo(f *floatingIP, s *server) *action {
	owner := c.project
	return c.changeFloating("assign_floating_ip", f, s, c.api.settings.Get().TimeOf("assign_floating_ip"), func(at time.Time) {
		if owner.server(s.id) != nil {
			f.moveTo(s, at)
		}
	})
}

func (f *floatingIP) moveTo(s *server, at time.Time) {
	f.shown, f.moved = f.holder, at
	f.holder = s
}

// assignFloatingIP takes a server straight from another one; only the one that holds it already is refused (documented
// as floating_ip_assigned; the vendor's own clients move addresses without taking them off).
func assignFloatingIP(c *call, f *floatingIP) core.Answer {
	if f.busy() {
		return floatingLocked(f)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	var on int64
	in.read("server", &on, "a number")
	target := c.project.server(on)
	if target == nil {
		in.refuse("server", "server "+text(on)+" not found")
		return about(*in.answer(), f.id)
	}
	if f.holder == target {
		return about(failure(http.StatusUnprocessableEntity, "floating_ip_assigned", "floating IP is already assigned", nil), f.id)
	}
	return c.replyFloatingAction(f, c.assignTo(f, target))
}

func unassignFloatingIP(c *call, f *floatingIP) core.Answer {
	if f.busy() {
		return floatingLocked(f)
	}
	if f.holder == nil {
		return about(failure(http.StatusUnprocessableEntity, "service_error", "floating IP is not assigned", nil), f.id)
	}
	started := c.changeFloating("unassign_floating_ip", f, f.holder, c.api.settings.Get().TimeOf("unassign_floating_ip"),
		func(at time.Time) { f.moveTo(nil, at) })
	return c.replyFloatingAction(f, started)
}

// changeFloatingReverse sets or, with null, removes the DNS name of an address.
func changeFloatingReverse(c *call, f *floatingIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	host, name, _ := orderedReverse(in, f.ip)
	if answer := in.answer(); answer != nil {
		return about(*answer, f.id)
	}
	started := c.changeFloating("change_dns_ptr", f, f.holder, c.api.settings.Get().ActionTimes["change_dns_ptr"].Value(), func(time.Time) {
		f.reverse = f.reverse.with(host, name)
	})
	c.api.timeline.Advance(c.now)
	return c.replyFloatingAction(f, started)
}

func changeFloatingProtection(c *call, f *floatingIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	protected := in.flag("delete", f.protected)
	if answer := in.answer(); answer != nil {
		return about(*answer, f.id)
	}
	started := c.changeFloating("change_protection", f, f.holder, c.api.settings.Get().ActionTimes["change_protection"].Value(),
		func(time.Time) { f.protected = protected })
	c.api.timeline.Advance(c.now)
	return c.replyFloatingAction(f, started)
}

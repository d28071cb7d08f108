// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// createServer checks in the vendor's order: fields (422), the name (409), limits (403), stock (412).
func createServer(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	o := c.readOrder(in)
	if answer := in.answer(); answer != nil {
		return *answer
	}
	if refused := c.checkOrder(o); refused != nil {
		return *refused
	}
	made, refused := c.build(o)
	if refused != nil {
		return *refused
	}
	created, next := c.startCreate(made, o.start)
	body := object{
		"server": made.body(c.api.settings.Get(), c.now), "action": created.body(), "next_actions": next,
		"root_password": nil,
	}
	if !o.withKeys {
		body["root_password"] = rootPassword()
	}
	return reply(http.StatusCreated, body, made.id)
}

// checkOrder finds what speaks against an order whose fields hold.
func (c *call) checkOrder(o order) *core.Answer {
	settings := c.api.settings.Get()
	if c.project.nameTaken(o.name) {
		return new(taken("name", "server name is already used"))
	}
	if quota, set := settings.Quotas["servers"]; set && len(c.project.servers) >= quota {
		return new(overLimit("server_limit", "server limit exceeded"))
	}
	if refused := c.checkAddresses(o, settings); refused != nil {
		return refused
	}
	if refused := c.checkOptions(o); refused != nil {
		return refused
	}
	return c.checkStock(o.offer, o.where.name, settings)
}

// checkStock: a deprecated type whose time is over is refused as such, one that is out of stock with 412.
func (c *call) checkStock(offer serverType, where string, settings core.Settings) *core.Answer {
	if offer.deprecationIn(settings, where).over(c.now) {
		return new(invalidFields([]fieldError{
			{field: "server_type", message: "server type " + text(offer.id) + " is deprecated", whole: true},
		}))
	}
	if slices.Contains(settings.ClosedRegions, where) {
		return new(failure(http.StatusPreconditionFailed, "resource_unavailable", "server location disabled", nil))
	}
	if !settings.HasRoom(offer.name, where, !slices.Contains(offer.retired, where)) {
		return new(failure(http.StatusPreconditionFailed, "resource_unavailable", "error during placement", nil))
	}
	return nil
}

func (c *call) build(o order) (*server, *core.Answer) {
	s := &server{
		name: o.name, created: c.now, status: "initializing", offer: o.offer,
		image: &o.image, location: o.where, labels: o.labels, disk: o.offer.disk, userData: o.userData,
		withKeys: o.withKeys, owner: c.project,
	}
	if refused := c.attachOrdered(s, o); refused != nil {
		return nil, refused
	}
	s.id = take(&c.api.ids.server)
	s.ipv4, s.ipv6 = c.addressFor(s, o.ipv4), c.addressFor(s, o.ipv6)
	c.project.servers = append(c.project.servers, s)
	return s, nil
}

// ready shows what the order put the server into, once it is made; what an interface needs is an action of its own.
func (s *server) ready() {
	for _, b := range s.barriers {
		b.applied = true
	}
}

// startCreate starts create_server, and after it one attach_to_network for each network and start_server unless the order
// says not to. All must be awaited. A create that fails leaves the server, off.
func (c *call) startCreate(s *server, start bool) (created *action, next []object) {
	next = []object{}
	created = c.newAction("create_server", s)
	var then []followUp
	for _, a := range s.attachments {
		attached := c.newAction("attach_to_network", s)
		attached.on = &a.network.basic
		then = append(then, followUp{attached, outcome{
			success: func(time.Time) { a.ready = true },
			failure: func(time.Time) { s.attachments = without(s.attachments, a) },
		}, ""})
	}
	if start {
		off := func(time.Time) { s.setStatus("off") }
		then = append(then, followUp{c.newAction("start_server", s), outcome{func(time.Time) { s.setStatus("running") }, off}, "starting"})
	}
	for _, one := range then {
		next = append(next, one.action.body())
	}
	c.run(created, c.api.settings.Get().TimeOf("create_server"), outcome{
		success: func(at time.Time) {
			s.setStatus("off")
			s.ready()
			c.at(at).follow(s, then)
		},
		failure: func(at time.Time) {
			s.setStatus("off")
			for _, one := range then {
				one.action.end(at, core.Result{Status: "error", Code: "action_failed", Message: "the server was not created"})
			}
		},
	})
	return created, next
}

// followUp is an action that begins when a create has ended; meanwhile is the server's status while it runs.
type followUp struct {
	action    *action
	outcome   outcome
	meanwhile string
}

func (c *call) follow(s *server, all []followUp) {
	for _, one := range all {
		if one.meanwhile != "" {
			s.setStatus(one.meanwhile)
		}
		c.run(one.action, c.api.settings.Get().TimeOf(one.action.command), one.outcome)
	}
}

// at is the same call at a later time, for what happens then.
func (c *call) at(now time.Time) *call {
	later := *c
	later.now = now
	return &later
}

func rootPassword() string {
	return core.RandomText("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", 20)
}

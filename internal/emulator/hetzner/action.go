// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// action is one asynchronous change of a server or a floating IP, which is locked while it runs, or of a certificate.
type action struct {
	id          int64
	command     string
	status      string // running, success, error, or the word that a setting gives
	started     time.Time
	finished    time.Time
	failure     object       // code and message, nil without
	server      *server      // nil where a floating IP is on none
	floating    *floatingIP  // nil where the change is one of a server
	certificate *certificate // nil where it is none of a certificate
	on          *basic       // nil where it is about none of a network, a firewall, a placement group and a primary IP
}

// outcome is what an action does when it ends.
type outcome struct {
	success, failure func(at time.Time)
}

func (a *action) body() object {
	progress := 100
	if a.finished.IsZero() {
		progress = 0
	}
	var problem any
	if a.failure != nil {
		problem = a.failure
	}
	return object{
		"id": a.id, "command": a.command, "status": a.status, "progress": progress, "started": timestamp(a.started),
		"finished": timestampOrNull(a.finished), "error": problem,
		"resources": a.resources(),
	}
}

func (a *action) resources() []object {
	on := []object{}
	if a.server != nil {
		on = append(on, object{"id": a.server.id, "type": "server"})
	}
	if a.floating != nil {
		on = append(on, object{"id": a.floating.id, "type": "floating_ip"})
	}
	if a.certificate != nil {
		on = append(on, object{"id": a.certificate.id, "type": "certificate"})
	}
	if a.on != nil {
		on = append(on, object{"id": a.on.id, "type": a.on.kind})
	}
	return on
}

// end closes the action and unlocks what it was about.
func (a *action) end(at time.Time, result core.Result) {
	a.finished, a.status = at, "success"
	if result.Status != "" {
		a.status = result.Status
	}
	if a.status == "error" {
		a.failure = object{"code": orElse(result.Code, "action_failed"), "message": orElse(result.Message, "Action failed")}
	}
	switch {
	case a.certificate != nil:
	case a.floating != nil:
		a.floating.running = without(a.floating.running, a)
	case a.server != nil:
		a.server.running = without(a.server.running, a)
	case a.on != nil:
		a.on.running = without(a.on.running, a)
	}
}

func orElse(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

// newAction makes a running action that locks its server.
func (c *call) newAction(command string, s *server) *action {
	made := &action{id: take(&c.api.ids.action), command: command, status: "running", started: c.now, server: s}
	c.project.actions = append(c.project.actions, made)
	s.running = append(s.running, made)
	return made
}

// run lets an action end after a time, as the setting action_results says: well, with an error, with a word that
// clients do not know, or never.
func (c *call) run(a *action, during time.Duration, o outcome) {
	result := c.api.settings.TakeResult(a.command)
	if result.Status == "never" {
		return
	}
	c.api.timeline.At(c.now.Add(during), func(at time.Time) {
		a.end(at, result)
		effect := o.success
		if result.Status == "error" {
			effect = o.failure
		}
		if effect != nil {
			effect(at)
		}
	})
}

// change makes and runs an action. Meanwhile the server shows a status ("" for the one it has); a failure gives it the
// old one back.
func (c *call) change(command string, s *server, meanwhile string, success func(at time.Time)) *action {
	before := s.status
	if meanwhile != "" {
		s.setStatus(meanwhile)
	}
	made := c.newAction(command, s)
	c.run(made, c.api.settings.Get().TimeOf(command), outcome{
		success: success, failure: func(time.Time) { s.setStatus(before) },
	})
	return made
}

func (c *call) actionRows(actions []*action, wanted func(*action) bool) []row {
	var rows []row
	for _, a := range actions {
		if wanted(a) && c.wanted("status", a.status) {
			rows = append(rows, row{body: a.body(), keys: map[string]sortKey{
				"id": number(a.id), "command": word(a.command), "status": word(a.status),
				"started": number(a.started.UnixNano()), "finished": word(timestamp(a.finished)),
			}})
		}
	}
	return rows
}

var actionSorts = []string{"id", "command", "status", "started", "finished"}

// listActions needs ids since 30 January 2025; an unknown id is simply missing. Without ids it answers as a removed
// endpoint (inferred from the announcement).
func listActions(c *call) core.Answer {
	if len(c.Query["id"]) == 0 {
		return failure(http.StatusGone, "deprecated_api_endpoint", "listing all actions has been removed, give ids",
			object{"announcement": "https://docs.hetzner.cloud/changelog#2025-01-30-listing-arbitrary-actions-removed"})
	}
	return c.replyActions(func(*action) bool { return true })
}

// replyActions answers a page of the actions that are wanted and, where ids are given, have one of these.
func (c *call) replyActions(wanted func(*action) bool) core.Answer {
	rows := c.actionRows(c.project.actions, func(a *action) bool { return wanted(a) && c.wanted("id", text(a.id)) })
	return c.replyList("actions", rows, actionSorts...)
}

// routeActions adds the routes to the actions of all objects of a kind: those that have one among their resources.
func (a *API) routeActions(collection, kind string) {
	concerns := func(one *action) bool {
		return slices.ContainsFunc(one.resources(), func(on object) bool { return on["type"] == kind })
	}
	a.route("GET /"+collection+"/actions", func(c *call) core.Answer { return c.replyActions(concerns) })
	a.route("GET /"+collection+"/actions/{action}", func(c *call) core.Answer { return c.replyAction(concerns) })
}

func listActionsOfServer(c *call, s *server) core.Answer {
	rows := c.actionRows(c.project.actions, func(a *action) bool { return a.server == s })
	return c.replyList("actions", rows, actionSorts...)
}

func getAction(c *call) core.Answer {
	return c.replyAction(func(*action) bool { return true })
}

func getActionOfServer(c *call, s *server) core.Answer {
	return c.replyAction(func(a *action) bool { return a.server == s })
}

func (c *call) replyAction(wanted func(*action) bool) core.Answer {
	id := c.id("action")
	for _, a := range c.project.actions {
		if a.id == id && wanted(a) {
			return reply(http.StatusOK, object{"action": a.body()}, 0)
		}
	}
	return notFound("action")
}

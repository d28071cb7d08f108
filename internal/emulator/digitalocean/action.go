// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// action is one event of a droplet. There is one at a time.
type action struct {
	id        int64
	kind      string // its type, such as power_off
	status    string // in-progress, completed, errored, or the word that a setting gives
	started   time.Time
	completed time.Time
	droplet   *droplet
	region    string
}

// outcome is what an action does when it ends.
type outcome struct {
	success, failure func(at time.Time)
}

// actionBody: an action that failed says no more than errored.
func (c *call) actionBody(a *action) object {
	return object{
		"id": a.id, "status": a.status, "type": a.kind, "started_at": timestamp(a.started),
		"completed_at": timestampOrNull(a.completed), "resource_id": a.droplet.id, "resource_type": "droplet",
		"region": c.shown().region(a.region), "region_slug": a.region,
	}
}

// actionLink is how the answer to a create names its action.
func (c *call) actionLink(a *action, relation string) object {
	return object{"id": a.id, "rel": relation, "href": baseURL(c.Request) + "/v2/actions/" + text(a.id)}
}

// busy refuses what a droplet cannot take now, nil if it can. "locked" is an administrator's and no sign of events.
func busy(d *droplet) *core.Answer {
	if d.event != nil {
		return new(about(unprocessable("Droplet already has a pending event."), text(d.id)))
	}
	if d.locked {
		return new(about(unprocessable("Droplet is locked."), text(d.id)))
	}
	return nil
}

// start makes and runs an action.
func (c *call) start(kind string, d *droplet, o outcome) *action {
	made := &action{
		id: take(&c.api.ids.action), kind: kind, status: "in-progress", started: c.now, droplet: d, region: d.region,
	}
	c.team.actions = append(c.team.actions, made)
	d.event = made
	c.run(made, o)
	return made
}

// run lets an event end after its time, as the setting action_results says: well, with an error, with a word that
// clients do not know, or never.
func (c *call) run(a *action, o outcome) {
	result := c.api.settings.TakeResult(a.kind)
	if result.Status == "never" {
		return
	}
	c.later(c.settings.TimeOf(a.kind), func(at time.Time) {
		effect := a.end(at, result, o)
		if effect != nil {
			effect(at)
		}
	})
}

// end closes the action, frees the droplet, and gives what comes of it.
func (a *action) end(at time.Time, result core.Result, o outcome) func(time.Time) {
	a.completed, a.status = at, "completed"
	if a.droplet.event == a {
		a.droplet.event = nil
	}
	switch result.Status {
	case "":
		return o.success
	case "error", "errored":
		a.status = "errored"
		return o.failure
	}
	a.status = result.Status
	return o.success
}

// becomes gives the droplet a status, which others see after the lag of the status.
func (c *call) becomes(d *droplet, status string) {
	lag := c.settings.Lag.Status
	if lag == 0 {
		d.setStatus(status)
		return
	}
	c.later(lag.Value(), func(time.Time) { d.setStatus(status) })
}

// replyActions lists actions, the newest first.
func (c *call) replyActions(wanted func(*action) bool) core.Answer {
	var found []*action
	for _, a := range slices.Backward(c.team.actions) {
		if wanted(a) {
			found = append(found, a)
		}
	}
	return c.replyList("actions", len(found), func(i int) any { return c.actionBody(found[i]) })
}

func listActions(c *call) core.Answer { return c.replyActions(func(*action) bool { return true }) }

func listActionsOfDroplet(c *call, d *droplet) core.Answer {
	return c.replyActions(func(a *action) bool { return a.droplet == d })
}

func getAction(c *call) core.Answer { return c.replyAction(func(*action) bool { return true }) }

func getActionOfDroplet(c *call, d *droplet) core.Answer {
	return c.replyAction(func(a *action) bool { return a.droplet == d })
}

func (c *call) replyAction(wanted func(*action) bool) core.Answer {
	id := c.id("action")
	for _, a := range c.team.actions {
		if a.id == id && wanted(a) {
			return reply(http.StatusOK, object{"action": c.actionBody(a)}, "")
		}
	}
	return notFound()
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/binary"
	"net/http"
	"net/netip"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// moveAddress assigns or unassigns (DigitalOcean API document, POST /v2/reserved_ips/{reserved_ip}/actions).
func moveAddress(c *call, r *reservedIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	kind := in.text("type")
	if r.event != nil || r.locked {
		return about(pendingEvent(), r.ip)
	}
	var onto *droplet
	switch kind {
	case "assign":
		onto = c.target(in, r)
	case "unassign":
		if r.holder == nil {
			in.refuse(unprocessable("The reserved IP is not assigned to a droplet."))
		}
	default:
		in.refuse(unprocessable("%q is not a valid type of action for a reserved IP", kind))
	}
	if in.problem != nil {
		return about(*in.problem, r.ip)
	}
	started := c.startMove(kind, r, onto)
	return reply(http.StatusCreated, object{"action": c.actionBody(started)}, r.ip)
}

// target reads the droplet of an assign. One event at a time: a droplet that is busy refuses it.
func (c *call) target(in *fields, r *reservedIP) *droplet {
	var id int64
	in.read("droplet_id", &id, "an integer")
	onto := c.team.droplet(id)
	switch {
	case onto == nil:
		in.refuse(unprocessable("droplet_id is not a Droplet of yours"))
	case onto.region != r.region:
		in.refuse(unprocessable("The Droplet must be in the same region as the reserved IP."))
	case onto == r.holder:
		in.refuse(unprocessable("The reserved IP is already assigned to this droplet."))
	default:
		if refused := busy(onto); refused != nil {
			in.refuse(*refused)
		}
	}
	return onto
}

// startMove makes and runs the action that moves an address: it takes place when the action ends. An IPv6 address that
// goes straight from one droplet to another fails (terraform-provider-digitalocean, pull request 1277). The actions of
// BYOIP addresses can never be asked for (the same, issue 1557).
func (c *call) startMove(kind string, r *reservedIP, onto *droplet) *action {
	made := &action{
		id: take(&c.api.ids.action), kind: kind + "_ip", status: "in-progress", started: c.now, address: r, region: r.region,
	}
	r.event = made
	if r.prefix == nil {
		c.team.actions = append(c.team.actions, made)
	} else {
		c.team.use(r)
	}
	owner := c.team
	fails := r.isIPv6() && onto != nil && r.holder != nil
	result := c.moveResult(kind)
	if fails {
		result = core.Result{Status: "errored"}
	}
	if result.Status == "never" {
		return made
	}
	c.later(c.moveTime(kind), func(at time.Time) {
		if effect := made.end(at, result, outcome{success: func(at time.Time) { owner.move(r, onto, at) }}); effect != nil {
			effect(at)
		}
	})
	return made
}

// moveResult and moveTime read the settings by the type of the request, or of the action.
func (c *call) moveResult(kind string) core.Result {
	if result := c.api.settings.TakeResult(kind); result.Status != "" {
		return result
	}
	return c.api.settings.TakeResult(kind + "_ip")
}

func (c *call) moveTime(kind string) time.Duration {
	if own, set := c.settings.ActionTimes[kind]; set {
		return own.Value()
	}
	return c.settings.TimeOf(kind + "_ip")
}

// move puts an address on a droplet that is still there, or off.
func (t *team) move(r *reservedIP, onto *droplet, at time.Time) {
	if onto != nil && t.droplet(onto.id) == nil {
		return
	}
	r.shown, r.moved = r.holder, at
	r.holder = onto
	if r.prefix != nil && onto == nil {
		t.forget(r)
	}
}

func listActionsOfAddress(c *call, r *reservedIP) core.Answer {
	return c.replyActions(func(a *action) bool { return a.address == r })
}

func getActionOfAddress(c *call, r *reservedIP) core.Answer {
	return c.replyAction(func(a *action) bool { return a.address == r })
}

// resource is what an action is about. The id of an IPv4 address is the address as a number (doctl issue 493); that of an
// IPv6 address is not known.
func (a *action) resource() (id int64, kind string) {
	if a.address == nil {
		return a.droplet.id, "droplet"
	}
	if a.address.isIPv6() {
		return 0, "reserved_ipv6"
	}
	address := netip.MustParseAddr(a.address.ip).As4()
	return int64(binary.BigEndian.Uint32(address[:])), "reserved_ip"
}

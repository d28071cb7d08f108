// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// createDroplet answers 202, which says nothing about success: the create runs on as an action. With names[] there are
// several droplets, with an action each (DigitalOcean API document, POST /v2/droplets).
func createDroplet(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	o := c.readOrder(in)
	if in.problem != nil {
		return *in.problem
	}
	if len(c.team.droplets)+len(o.names) > c.quota("droplets") {
		return unprocessable("creating this/these droplet(s) will exceed your droplet limit")
	}
	bodies, links := []object{}, []object{}
	var first *droplet
	for _, name := range o.names {
		made := c.build(o, name)
		started := c.startCreate(made)
		// The answer names the tags that are to come.
		body := c.dropletWith(made, made.tagNames())
		delete(body, "vpc_uuid") // shown from the first GET on (openapi, pull request 457)
		bodies = append(bodies, body)
		links = append(links, c.actionLink(started, "create"))
		if first == nil {
			first = made
		}
	}
	body := object{"droplet": bodies[0], "links": object{"actions": links}}
	if o.many {
		body = object{"droplets": bodies, "links": object{"actions": links}}
	}
	return reply(http.StatusAccepted, body, text(first.id))
}

func (d *droplet) tagNames() []string {
	names := make([]string, 0, len(d.tags))
	for _, b := range d.tags {
		names = append(names, b.tag.name)
	}
	return names
}

func (c *call) build(o order, name string) *droplet {
	d := &droplet{
		id: take(&c.api.ids.droplet), name: name, created: c.now, status: "new", size: o.size, disk: o.size.disk,
		image: o.image, region: o.region, features: slices.Clone(o.features),
		network: c.team.newNetwork(take(&c.api.ids.address), o.vpc, o.public, slices.Contains(o.features, "ipv6")),
		backups: o.backups,
	}
	for _, wanted := range o.tags {
		d.putOn(c.team.makeTag(wanted), c.now) // tags that do not exist are made on the way
	}
	c.team.droplets = append(c.team.droplets, d)
	return d
}

// startCreate starts the create. One that fails takes the droplet away again: that is how a placement fails that was
// accepted.
func (c *call) startCreate(d *droplet) *action {
	return c.start("create", d, outcome{
		success: func(at time.Time) {
			d.network.since = at.Add(c.settings.Lag.Network.Value())
			c.at(at).becomes(d, "active")
		},
		failure: func(time.Time) { c.team.remove(d) },
	})
}

// deleteDroplet: for as long as the destroy runs a GET still answers, and a second DELETE does not find the droplet
// (unverified: for that short time). During an event it is refused, as packer's issue 1814 shows.
func deleteDroplet(c *call, d *droplet) core.Answer {
	if d.event != nil && d.event.kind == "destroy" {
		return notFound()
	}
	if refused := busy(d); refused != nil {
		return *refused
	}
	c.destroy(d)
	return noContent(text(d.id))
}

// destroy is an event without an action that clients could ask for.
func (c *call) destroy(d *droplet) {
	d.event = &action{kind: "destroy", droplet: d, region: d.region, started: c.now}
	c.run(d.event, outcome{success: func(time.Time) { c.team.remove(d) }})
}

// deleteByTag destroys all droplets that bear the tag but those with an event, which it passes over (unverified).
func deleteByTag(c *call) core.Answer {
	wanted := c.team.tag(c.Query.Get("tag_name"))
	if wanted == nil {
		return notFound()
	}
	for _, d := range c.tagged(wanted) {
		if d.event == nil {
			c.destroy(d)
		}
	}
	return noContent(wanted.name)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// mostSpread is how many servers a spread group takes (Hetzner documentation, "Placement groups", limits).
const mostSpread = 10

// placementGroup keeps servers on different hosts.
type placementGroup struct{ basic }

func groupsOf(p *project) []*placementGroup { return p.groups }

func (a *API) addPlacementGroups() {
	with := func(handle func(*call, *placementGroup) core.Answer) func(*call) core.Answer {
		return withBased(groupsOf, "placement group", handle)
	}
	a.route("GET /placement_groups", func(c *call) core.Answer {
		return listBased(c, "placement_groups", c.project.groups, func(g *placementGroup) object { return g.body(c.project) })
	})
	a.route("POST /placement_groups", createGroup)
	a.route("GET /placement_groups/{id}", with(getGroup))
	a.route("PUT /placement_groups/{id}", with(func(c *call, g *placementGroup) core.Answer {
		return updateBased(c, c.project.groups, g, func() core.Answer { return getGroup(c, g) })
	}))
	a.route("DELETE /placement_groups/{id}", with(deleteGroup))
}

func (g *placementGroup) body(owner *project) object {
	return object{
		"id": g.id, "name": g.name, "type": "spread", "labels": labelsBody(g.labels), "created": timestamp(g.created),
		"servers": g.servers(owner),
	}
}

func (g *placementGroup) servers(owner *project) []int64 {
	ids := []int64{}
	for _, s := range owner.servers {
		if s.group == g {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// inServer is the group as its server shows it, null without one.
func (g *placementGroup) inServer(owner *project) any {
	if g == nil {
		return nil
	}
	return g.body(owner)
}

func getGroup(c *call, g *placementGroup) core.Answer {
	return reply(http.StatusOK, object{"placement_group": g.body(c.project)}, g.id)
}

func createGroup(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	g := &placementGroup{basic: c.orderedBasic(in, "placement_group")}
	if kind, _ := in.text("type"); kind != "spread" {
		in.fail("type", "must be one of spread")
	}
	if answer := in.answer(); answer != nil {
		return *answer
	}
	if refused := refuseBasic(c, c.project.groups, g.basic, "placement_groups"); refused != nil {
		return *refused
	}
	g.id = take(&c.api.ids.group)
	c.project.groups = append(c.project.groups, g)
	return reply(http.StatusCreated, object{"placement_group": g.body(c.project), "action": nil}, g.id)
}

// deleteGroup leaves the servers where they are.
func deleteGroup(c *call, g *placementGroup) core.Answer {
	c.project.dropGroup(g)
	return noContent(g.id)
}

func (p *project) dropGroup(g *placementGroup) {
	p.groups = without(p.groups, g)
	for _, s := range p.servers {
		if s.group == g {
			s.group = nil
		}
	}
}

func (g *placementGroup) refuse(owner *project) *core.Answer {
	if len(g.servers(owner)) < mostSpread {
		return nil
	}
	return new(refusal("placement_error", "placement group is full"))
}

// addToGroup needs a stopped server (Hetzner API document, POST /servers/{id}/actions/add_to_placement_group).
func addToGroup(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	var id int64
	in.read("placement_group", &id, "a number")
	g, there := ofID(c.project.groups, id)
	if !there {
		in.refuse("placement_group", "placement group "+text(id)+" not found")
		return about(*in.answer(), s.id)
	}
	switch {
	case s.status != "off":
		return about(refusal("server_not_stopped", "server is not stopped"), s.id)
	case s.group != nil:
		return about(refusal("already_in_placement_group", "server is already in a placement group"), s.id)
	}
	if refused := g.refuse(c.project); refused != nil {
		return about(*refused, s.id)
	}
	return replyStarted(s, c.changeBased("add_to_placement_group", &g.basic, s, outcome{success: func(time.Time) { s.group = g }}))
}

func removeFromGroup(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	if s.group == nil {
		return about(refusal("service_error", "server is in no placement group"), s.id)
	}
	return replyStarted(s, c.changeBased("remove_from_placement_group", &s.group.basic, s, outcome{success: func(time.Time) { s.group = nil }}))
}

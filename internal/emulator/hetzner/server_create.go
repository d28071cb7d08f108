// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// maxUserData is 32 KiB (Hetzner API document, POST /servers).
const maxUserData = 32 << 10

// order is a POST /servers whose fields hold.
type order struct {
	name       string
	offer      serverType
	image      image
	where      location
	labels     map[string]string
	userData   string
	withKeys   bool
	start      bool
	ipv4, ipv6 addressOrder
}

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
	made := c.build(o)
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

func (c *call) readOrder(in *fields) order {
	o := order{start: in.flag("start_after_create", true)}
	name, found := in.text("name")
	if !found && len(in.errors) == 0 {
		in.fail("name", "is required")
	} else if found {
		in.hostName("name", name)
	}
	o.name = name
	o.offer = c.orderedType(in)
	o.image = c.orderedImage(in, o.offer)
	o.where = c.orderedLocation(in, o.offer)
	o.labels, _ = in.labels()
	o.userData, _ = in.text("user_data")
	if len(o.userData) > maxUserData {
		in.fail("user_data", "is too long")
	}
	o.withKeys = c.orderedKeys(in)
	c.orderedAddresses(in, &o)
	refuseUnknown(in)
	return o
}

func (c *call) orderedType(in *fields) serverType {
	wanted := in.reference("server_type")
	if wanted == "" {
		if !in.has("server_type") {
			in.fail("server_type", "is required")
		}
		return serverType{}
	}
	found, ok := c.typeNamed(wanted)
	if !ok {
		in.refuse("server_type", "server type '"+wanted+"' not found")
	}
	return found
}

func (c *call) typeNamed(wanted string) (serverType, bool) {
	for _, t := range c.types() {
		if t.name == wanted || text(t.id) == wanted {
			return t, true
		}
	}
	return serverType{}, false
}

// orderedImage finds the image by id, or by name and the architecture of the type.
func (c *call) orderedImage(in *fields, offer serverType) image {
	wanted := in.reference("image")
	if wanted == "" {
		if !in.has("image") {
			in.fail("image", "is required")
		}
		return image{}
	}
	found, problem := c.imageNamed(wanted, offer.architecture)
	if problem != "" && offer.id != 0 {
		in.refuse("image", problem)
	}
	return found
}

// imageNamed says what is wrong: no such image, or one of another architecture only.
func (c *call) imageNamed(wanted, architecture string) (image, string) {
	problem := "image '" + wanted + "' not found"
	for _, i := range c.images() {
		if text(i.id) != wanted && i.name != wanted {
			continue
		}
		if i.architecture == architecture {
			return i, ""
		}
		problem = "image architecture '" + i.architecture + "' is incompatible with server type architecture '" + architecture + "'"
	}
	return image{}, problem
}

// orderedLocation: a name or an id; without one the first where the type is on stock.
func (c *call) orderedLocation(in *fields, offer serverType) location {
	wanted := in.reference("location")
	if wanted == "" {
		return c.anyLocation(offer)
	}
	for _, l := range locations {
		if l.name != wanted && text(l.id) != wanted {
			continue
		}
		if offer.id != 0 && !slices.Contains(offer.sold, l.name) {
			in.refuse("location", "unsupported location for server type")
		}
		return l
	}
	in.refuse("location", "location '"+wanted+"' not found")
	return location{}
}

func (c *call) anyLocation(offer serverType) location {
	settings := c.api.settings.Get()
	for _, l := range locations {
		if slices.Contains(offer.sold, l.name) && offer.availableIn(settings, l.name, c.now) {
			return l
		}
	}
	return locations[0]
}

// orderedKeys resolves ssh_keys: ids or names of keys in the project.
func (c *call) orderedKeys(in *fields) bool {
	var wanted []json.RawMessage
	in.read("ssh_keys", &wanted, "a list")
	for _, raw := range wanted {
		var value any
		if json.Unmarshal(raw, &value) != nil || c.project.keyNamed(referenceText(raw, value)) == nil {
			in.refuse("ssh_keys", "SSH key "+string(raw)+" not found")
		}
	}
	return len(wanted) > 0
}

// refuseUnknown: a project of the emulator has no volumes, networks, firewalls and placement groups, so naming one
// names none that exists. "datacenter" was removed on 1 July 2026.
func refuseUnknown(in *fields) {
	for _, field := range []string{"volumes", "networks", "firewalls"} {
		var named []json.RawMessage
		if in.read(field, &named, "a list") && len(named) > 0 {
			in.fail(field, "not found")
		}
	}
	for _, field := range []string{"placement_group", "datacenter"} {
		if in.has(field) {
			in.fail(field, map[string]string{"placement_group": "not found", "datacenter": "is not supported"}[field])
		}
	}
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

func (c *call) build(o order) *server {
	s := &server{
		id: take(&c.api.ids.server), name: o.name, created: c.now, status: "initializing", offer: o.offer,
		image: &o.image, location: o.where, labels: o.labels, disk: o.offer.disk, userData: o.userData,
		withKeys: o.withKeys,
	}
	s.ipv4, s.ipv6 = c.addressFor(s, o.ipv4), c.addressFor(s, o.ipv6)
	c.project.servers = append(c.project.servers, s)
	return s
}

// startCreate starts create_server, and start_server after it unless the order says not to. Both must be awaited. A
// create that fails leaves the server, off.
func (c *call) startCreate(s *server, start bool) (created *action, next []object) {
	next = []object{}
	created = c.newAction("create_server", s)
	if !start {
		c.run(created, c.api.settings.Get().TimeOf("create_server"), outcome{
			success: func(time.Time) { s.setStatus("off") }, failure: func(time.Time) { s.setStatus("off") },
		})
		return created, next
	}
	started := c.newAction("start_server", s)
	next = append(next, started.body())
	c.run(created, c.api.settings.Get().TimeOf("create_server"), outcome{
		success: func(at time.Time) {
			s.setStatus("starting")
			c.at(at).run(started, c.api.settings.Get().TimeOf("start_server"), outcome{
				success: func(time.Time) { s.setStatus("running") }, failure: func(time.Time) { s.setStatus("off") },
			})
		},
		failure: func(at time.Time) {
			s.setStatus("off")
			started.end(at, core.Result{Status: "error", Code: "action_failed", Message: "the server was not created"})
		},
	})
	return created, next
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

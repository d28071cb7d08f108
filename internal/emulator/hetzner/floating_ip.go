// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// floatingIP is an address that goes from server to server. An IPv6 one is a /64 network, not a host.
type floatingIP struct {
	id          int64
	name        string
	description *string
	family      string // ipv4 or ipv6
	ip          string
	holder      *server
	home        location
	labels      map[string]string
	created     time.Time
	protected   bool
	blocked     bool
	lockedBy    bool // by others, through control
	reverse     reverseNames
	running     []*action
	// shown is the holder that answers give until moved plus the lag.
	shown *server
	moved time.Time
}

func (f *floatingIP) busy() bool { return f.lockedBy || len(f.running) > 0 }

// host is the address, or the first one of a network.
func (f *floatingIP) host() string {
	if network, err := netip.ParsePrefix(f.ip); err == nil {
		return network.Masked().Addr().Next().String()
	}
	return f.ip
}

func (c *call) floatingBody(f *floatingIP) object {
	holder := f.holder
	if c.now.Sub(f.moved) < time.Duration(c.api.settings.Get().Lag.Holder) {
		holder = f.shown
	}
	var on, description any
	if holder != nil {
		on = holder.id
	}
	if f.description != nil {
		description = *f.description
	}
	return object{
		"id": f.id, "name": f.name, "description": description, "ip": f.ip, "type": f.family, "server": on,
		"dns_ptr": f.reverse.body(f.family, f.ip), "home_location": f.home.body(), "blocked": f.blocked,
		"protection": object{"delete": f.protected}, "labels": labelsBody(f.labels), "created": timestamp(f.created),
	}
}

func (c *call) replyFloating(status int, f *floatingIP) core.Answer {
	return reply(status, object{"floating_ip": c.floatingBody(f)}, f.id)
}

func (p *project) floatingIP(id int64) *floatingIP {
	for _, f := range p.floatingIPs {
		if f.id == id {
			return f
		}
	}
	return nil
}

// withFloatingIP finds the floating IP of the path.
func withFloatingIP(handle func(*call, *floatingIP) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.project.floatingIP(c.id("id"))
		if found == nil || (c.IsRead() && c.hidden(found.created, c.api.settings.Get().Lag.Get)) {
			return notFound("floating IP")
		}
		return handle(c, found)
	}
}

func getFloatingIP(c *call, f *floatingIP) core.Answer { return c.replyFloating(http.StatusOK, f) }

func listFloatingIPs(c *call) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	lag := c.api.settings.Get().Lag.List
	var rows []row
	for _, f := range c.project.floatingIPs {
		if c.wanted("name", f.name) && selects(requirements, f.labels) && !c.hidden(f.created, lag) {
			keys := map[string]sortKey{"id": number(f.id), "created": number(f.created.UnixNano())}
			rows = append(rows, row{body: c.floatingBody(f), keys: keys})
		}
	}
	return c.replyList("floating_ips", rows, "id", "created")
}

// createFloatingIP answers with an action only when the order names a server (Hetzner API document, POST /floating_ips).
func createFloatingIP(c *call) core.Answer {
	f, wrong := c.orderedFloatingIP()
	if wrong != nil {
		return *wrong
	}
	settings := c.api.settings.Get()
	if quota, set := settings.Quotas["floating_ips"]; set && len(c.project.floatingIPs) >= quota {
		return overLimit("floating_ip_limit", "Floating IP limit exceeded")
	}
	if slices.Contains(settings.ClosedRegions, f.home.name) {
		return failure(http.StatusPreconditionFailed, "resource_unavailable", "location disabled", nil)
	}
	holder := f.holder
	f.id, f.ip, f.created, f.holder = take(&c.api.ids.floatingIP), c.api.freshAddress(f.family), c.now, nil
	f.fill(c.api)
	c.project.floatingIPs = append(c.project.floatingIPs, f)
	body := object{"action": nil}
	if holder != nil {
		body["action"] = c.assignTo(f, holder).body()
	}
	body["floating_ip"] = c.floatingBody(f)
	return reply(http.StatusCreated, body, f.id)
}

// orderedFloatingIP reads a create's body; the holder is the server that it names.
func (c *call) orderedFloatingIP() (*floatingIP, *core.Answer) {
	in, wrong := c.fields()
	if wrong != nil {
		return nil, wrong
	}
	f := &floatingIP{}
	f.family, _ = in.text("type")
	if f.family != "ipv4" && f.family != "ipv6" {
		in.fail("type", "must be one of ipv4, ipv6")
	}
	f.name, _ = in.text("name")
	f.labels, _ = in.labels()
	if description, given := in.text("description"); given {
		f.description = &description
	}
	c.orderedHome(in, f)
	if answer := in.answer(); answer != nil {
		return nil, answer
	}
	if f.name != "" && c.project.floatingNameTaken(f.name) {
		return nil, new(taken("name", "floating IP name is already used"))
	}
	return f, nil
}

func (c *call) orderedHome(in *fields, f *floatingIP) {
	var on int64
	if in.read("server", &on, "a number") {
		if f.holder = c.project.server(on); f.holder == nil {
			in.refuse("server", "server "+text(on)+" not found")
			return
		}
		f.home = f.holder.location
		return
	}
	home := in.reference("home_location")
	at := slices.IndexFunc(locations, func(l location) bool { return l.name == home || text(l.id) == home })
	switch {
	case home == "":
		in.fail("home_location", "either home_location or server must be given")
	case at < 0:
		in.refuse("home_location", "location '"+home+"' not found")
	default:
		f.home = locations[at]
	}
}

// fill completes a floating IP. The vendor names one without a name after its id (unverified).
func (f *floatingIP) fill(a *API) {
	if f.name == "" {
		f.name = "floating-ip-" + text(f.id)
	}
	if f.ip == "" {
		f.ip = a.freshAddress(f.family)
	}
}

func (p *project) floatingNameTaken(name string) bool {
	return slices.ContainsFunc(p.floatingIPs, func(f *floatingIP) bool { return f.name == name })
}

// updateFloatingIP changes name, description and labels; labels replace the whole map.
func updateFloatingIP(c *call, f *floatingIP) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name, hasName := in.text("name")
	description, hasDescription := in.text("description")
	labels, hasLabels := in.labels()
	if hasName && strings.TrimSpace(name) == "" {
		in.fail("name", "must not be empty")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, f.id)
	}
	if hasName && name != f.name && c.project.floatingNameTaken(name) {
		return about(taken("name", "floating IP name is already used"), f.id)
	}
	if hasName {
		f.name = name
	}
	if hasDescription {
		f.description = &description
	}
	if hasLabels {
		f.labels = labels
	}
	return getFloatingIP(c, f)
}

// deleteFloatingIP: an assigned one must be taken off first since 1 May 2026 (Hetzner API document, DELETE
// /floating_ips/{id}).
func deleteFloatingIP(c *call, f *floatingIP) core.Answer {
	switch {
	case f.busy():
		return floatingLocked(f)
	case f.protected:
		return about(failure(http.StatusLocked, "protected", "floating IP deletion is protected", nil), f.id)
	case f.holder != nil:
		return about(failure(http.StatusUnprocessableEntity, "must_be_unassigned", "floating IP must be unassigned", nil), f.id)
	}
	c.project.releaseFloating(f)
	return noContent(f.id)
}

func (p *project) releaseFloating(f *floatingIP) {
	p.floatingIPs = slices.DeleteFunc(p.floatingIPs, func(other *floatingIP) bool { return other == f })
	f.holder = nil
}

func floatingLocked(f *floatingIP) core.Answer {
	return about(failure(http.StatusLocked, "locked", "cannot perform operation because floating IP is locked", nil), f.id)
}

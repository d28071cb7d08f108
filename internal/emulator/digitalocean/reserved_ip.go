// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// reservedIP is an address of a team, IPv4 or IPv6. It has no name, no tags and, if it is IPv4, no time.
type reservedIP struct {
	ip       string
	region   string
	holder   *droplet
	reserved time.Time
	event    *action
	locked   bool // by others, through control
	// prefix is the team's own that the address is out of; such an address is never reserved.
	prefix *prefix
	// shown is the holder that answers give until moved plus the lag.
	shown *droplet
	moved time.Time
}

func (r *reservedIP) isIPv6() bool {
	address, err := netip.ParseAddr(r.ip)
	return err == nil && address.Is6()
}

// holderBody is the droplet that holds the address, whole, or null.
func (c *call) holderBody(r *reservedIP) any {
	holder := r.holder
	if c.hidden(r.moved, c.settings.Lag.Holder) {
		holder = r.shown
	}
	if holder == nil {
		return nil
	}
	return c.dropletBody(holder)
}

// reservedBody is the address as its family shows it (DigitalOcean API document, models reserved_ip and reserved_ipv6).
func (c *call) reservedBody(r *reservedIP) object {
	if r.isIPv6() {
		return object{
			"ip": r.ip, "region_slug": r.region, "reserved_at": timestamp(r.reserved), "droplet": c.holderBody(r),
		}
	}
	body := object{
		"ip": r.ip, "region": c.shown().region(r.region), "droplet": c.holderBody(r), "locked": r.locked || r.event != nil,
		"project_id": c.team.projectOfAddress(r).id,
	}
	if c.Token == noProjects {
		body["project_id"] = ""
	}
	return body
}

// family is how the paths of a sort of addresses are called and answered. floating_ips is the older name of reserved_ips.
type family struct {
	path, root, roots string
	six               bool
}

var families = []family{
	{"reserved_ips", "reserved_ip", "reserved_ips", false},
	{"floating_ips", "floating_ip", "floating_ips", false},
	{"reserved_ipv6", "reserved_ipv6", "reserved_ipv6s", true},
}

func (a *API) addAddresses() {
	for _, f := range families {
		base := "/v2/" + f.path
		a.route("GET "+base, f.list)
		a.route("POST "+base, f.create)
		a.route("GET "+base+"/{ip}", f.with(f.get))
		a.route("DELETE "+base+"/{ip}", f.with(releaseAddress))
		a.route("POST "+base+"/{ip}/actions", f.with(moveAddress))
		if f.six {
			// The vendor has no list of the actions of an IPv6 address; see GET /v2/actions.
			continue
		}
		a.route("GET "+base+"/{ip}/actions", f.with(listActionsOfAddress))
		a.route("GET "+base+"/{ip}/actions/{action}", f.with(getActionOfAddress))
	}
	a.addPrefixes()
}

// with finds the address of the path: a reserved one, or any of an active prefix of the team's.
func (f family) with(handle func(*call, *reservedIP) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.team.address(unescaped(c.Params["ip"]))
		if found == nil || found.isIPv6() != f.six || c.IsRead() && found.prefix == nil && c.hidden(found.reserved, c.settings.Lag.Get) {
			return notFound()
		}
		return handle(c, found)
	}
}

// address finds a reserved address, or one of a prefix, which is there without being reserved.
func (t *team) address(ip string) *reservedIP {
	written, err := netip.ParseAddr(ip)
	if err != nil {
		return nil
	}
	for _, r := range t.addresses {
		if own, err := netip.ParseAddr(r.ip); err == nil && own == written {
			return r
		}
	}
	return t.prefixAddress(written)
}

func (f family) list(c *call) core.Answer {
	var found []*reservedIP
	for _, r := range c.team.addresses {
		if r.isIPv6() == f.six && r.prefix == nil && !c.hidden(r.reserved, c.settings.Lag.List) {
			found = append(found, r)
		}
	}
	return c.replyList(f.roots, len(found), func(i int) any { return c.reservedBody(found[i]) })
}

func (f family) get(c *call, r *reservedIP) core.Answer {
	return reply(http.StatusOK, object{f.root: c.reservedBody(r)}, r.ip)
}

// create answers 202 for IPv4 and 201 for IPv6; only an IPv4 order may name a droplet, which then wins over a region.
func (f family) create(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	r, onto := f.ordered(c, in)
	into := c.orderedProject(in, f.six || onto != nil)
	if in.problem != nil {
		return *in.problem
	}
	kind := "reserved_ips"
	if f.six {
		kind = "reserved_ipv6"
	}
	if limit := c.quota(kind); c.team.countAddresses(f.six) >= limit {
		return unprocessable("creating this reserved IP will exceed your reserved IP limit of %d", limit)
	}
	r.ip, r.reserved = c.api.freshReserved(f.six), c.now
	c.team.addresses = append(c.team.addresses, r)
	c.team.join(r.urn(), into, c.now)
	if f.six {
		return reply(http.StatusCreated, object{f.root: c.reservedBody(r)}, r.ip)
	}
	links := object{}
	if onto != nil {
		started := c.startMove("assign", r, onto)
		links = object{
			"droplets": []object{{"id": onto.id, "rel": "droplet", "href": baseURL(c.Request) + "/v2/droplets/" + text(onto.id)}},
			"actions":  []object{c.actionLink(started, "assign_ip")},
		}
	}
	return reply(http.StatusAccepted, object{f.root: c.reservedBody(r), "links": links}, r.ip)
}

// ordered reads a create's body.
func (f family) ordered(c *call, in *fields) (r *reservedIP, onto *droplet) {
	field := "region"
	if f.six {
		field = "region_slug"
	}
	r = &reservedIP{region: in.text(field)}
	var id int64
	if !f.six && in.read("droplet_id", &id, "an integer") {
		if onto = c.team.droplet(id); onto == nil {
			in.refuse(unprocessable("droplet_id is not a Droplet of yours"))
			return r, nil
		}
		r.region = onto.region
		if refused := busy(onto); refused != nil {
			in.refuse(*refused)
		}
	}
	where, known := regionNamed(r.region)
	switch {
	case r.region == "":
		in.refuse(unprocessable("%s is required", field))
	case !known, !c.shown().open(where):
		in.refuse(unprocessable("Region is not available"))
	}
	return r, onto
}

// orderedProject reads the project of an IPv4 address without a droplet (DigitalOcean API document, POST /v2/reserved_ips;
// how an unknown one is refused is unverified).
func (c *call) orderedProject(in *fields, ignored bool) *project {
	wanted := in.text("project_id")
	if ignored || wanted == "" {
		return c.team.defaultProject
	}
	found := c.team.project(wanted)
	if found == nil || c.Token == noProjects {
		in.refuse(unprocessable("project_id is not a project of yours"))
	}
	return found
}

func (t *team) countAddresses(six bool) int {
	count := 0
	for _, r := range t.addresses {
		if r.isIPv6() == six && r.prefix == nil {
			count++
		}
	}
	return count
}

// freshReserved takes from networks that no machine on the internet has.
func (a *API) freshReserved(six bool) string {
	n := take(&a.ids.reserved)
	if six {
		return fmt.Sprintf("2001:db8:d1::%x", n)
	}
	return fmt.Sprintf("198.19.%d.%d", 128+n>>8&0x7f, n&0xff)
}

// releaseAddress: an assigned IPv6 address is refused in a way of its own (terraform-provider-digitalocean, pull request
// 1277); of an assigned IPv4 address the vendor says nothing, so it is taken off and released.
func releaseAddress(c *call, r *reservedIP) core.Answer {
	switch {
	case r.event != nil || r.locked:
		return about(pendingEvent(), r.ip)
	case r.prefix != nil:
		return about(unprocessable("BYOIP addresses cannot be released"), r.ip)
	case r.isIPv6() && r.holder != nil:
		return about(failure(http.StatusBadRequest, "flipv6 released failed: assigned FLIP cannot be released"), r.ip)
	}
	c.team.forget(r)
	return noContent(r.ip)
}

func (t *team) forget(r *reservedIP) {
	t.addresses = slices.DeleteFunc(t.addresses, func(other *reservedIP) bool { return other == r })
	delete(t.joined, r.urn())
	r.holder = nil
}

// pendingEvent: the text as clients quote it (doctl issue 493), which has kept the older name.
func pendingEvent() core.Answer {
	return unprocessable("The floating IP already has a pending event.")
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// primaryIP is an address that a server holds. An IPv6 one is a /64 network, not a host.
type primaryIP struct {
	id         int64
	name       string
	family     string // ipv4 or ipv6
	ip         string
	autoDelete bool
	holder     *server
	location   location
	labels     map[string]string
	created    time.Time
	protected  bool
	reverse    reverseNames
}

// addressOrder is what a create wants of one family: a new address, an existing one, or none.
type addressOrder struct {
	family   string
	enabled  bool
	existing *primaryIP
}

func (p *primaryIP) body() object {
	var holder any
	kind := "unassigned" // since 23 September 2026
	if p.holder != nil {
		holder, kind = p.holder.id, "server"
	}
	return object{
		"id": p.id, "name": p.name, "type": p.family, "ip": p.ip, "auto_delete": p.autoDelete, "assignee_id": holder,
		"assignee_type": kind, "location": p.location.body(), "labels": labelsBody(p.labels), "blocked": false,
		"dns_ptr": p.reverse.body(p.family, p.ip), "protection": object{"delete": p.protected}, "created": timestamp(p.created),
	}
}

func reverseName(ip string) string {
	var a, b, c, d int
	if _, err := fmt.Sscanf(ip, "%d.%d.%d.%d", &a, &b, &c, &d); err != nil {
		return ""
	}
	return fmt.Sprintf("static.%d.%d.%d.%d.clients.your-server.de", d, c, b, a)
}

// inServer is the address as its server shows it, null without one.
func (p *primaryIP) inServer() any {
	if p == nil {
		return nil
	}
	names := p.reverse.body(p.family, p.ip)
	body := object{"id": p.id, "ip": p.ip, "blocked": false, "dns_ptr": names}
	if p.family == "ipv4" {
		body["dns_ptr"] = names[0]["dns_ptr"]
	}
	return body
}

// orderedAddresses reads public_net: both families unless it says otherwise.
func (c *call) orderedAddresses(in *fields, o *order) {
	var wanted struct {
		EnableIPv4 *bool  `json:"enable_ipv4"`
		EnableIPv6 *bool  `json:"enable_ipv6"`
		IPv4       *int64 `json:"ipv4"`
		IPv6       *int64 `json:"ipv6"`
	}
	in.read("public_net", &wanted, "an object with enable_ipv4, enable_ipv6, ipv4 and ipv6")
	o.ipv4 = c.orderedAddress(in, "ipv4", wanted.EnableIPv4, wanted.IPv4)
	o.ipv6 = c.orderedAddress(in, "ipv6", wanted.EnableIPv6, wanted.IPv6)
}

func (c *call) orderedAddress(in *fields, family string, enabled *bool, existing *int64) addressOrder {
	o := addressOrder{family: family, enabled: enabled == nil || *enabled}
	if !o.enabled || existing == nil {
		return o
	}
	if o.existing = c.project.primaryIP(*existing); o.existing == nil {
		in.refuse("public_net."+family, "primary IP "+text(*existing)+" not found")
	}
	return o
}

// checkAddresses: operation specific errors of POST /servers, and the quota, which new addresses count against.
func (c *call) checkAddresses(o order, settings core.Settings) *core.Answer {
	fresh := 0
	for _, wanted := range []addressOrder{o.ipv4, o.ipv6} {
		if wanted.enabled && wanted.existing == nil {
			fresh++
		}
		if refused := wanted.check(o.where); refused != nil {
			return refused
		}
	}
	if quota, set := settings.Quotas["primary_ips"]; set && fresh > 0 && len(c.project.primaryIPs)+fresh > quota {
		return new(overLimit("primary_ip_limit", "Primary IP limit exceeded"))
	}
	return nil
}

func (o addressOrder) check(where location) *core.Answer {
	switch {
	case o.existing == nil:
		return nil
	case o.existing.family != o.family:
		return new(failure(http.StatusPreconditionFailed, "primary_ip_version_mismatch", "primary IP has the wrong IP version", nil))
	case o.existing.holder != nil:
		return new(failure(http.StatusUnprocessableEntity, "primary_ip_assigned", "primary IP is already assigned", nil))
	case o.existing.location.id != where.id:
		return new(failure(http.StatusUnprocessableEntity, "primary_ip_datacenter_mismatch", "primary IP is in another location", nil))
	}
	return nil
}

// addressFor gives a server its address. A new one dies with the server and is named after its id (unverified).
func (c *call) addressFor(s *server, o addressOrder) *primaryIP {
	if !o.enabled {
		return nil
	}
	if o.existing != nil {
		o.existing.holder = s
		return o.existing
	}
	return c.api.makeAddress(c.project, o.family, s, c.now)
}

func (a *API) makeAddress(owner *project, family string, s *server, now time.Time) *primaryIP {
	id := take(&a.ids.primaryIP)
	made := &primaryIP{
		id: id, name: fmt.Sprintf("primary_ip-%d", id), family: family, ip: a.freshAddress(family), autoDelete: true,
		holder: s, location: s.location, created: now,
	}
	owner.primaryIPs = append(owner.primaryIPs, made)
	return made
}

// freshAddress takes from 198.18.0.0/15 and 2001:db8::/32, which no machine on the internet has.
func (a *API) freshAddress(family string) string {
	n := take(&a.ids.address)
	if family == "ipv6" {
		return fmt.Sprintf("2001:db8:%x:%x::/64", n>>16&0xffff, n&0xffff)
	}
	return fmt.Sprintf("198.%d.%d.%d", 18+n>>16&1, n>>8&0xff, n&0xff)
}

func (p *project) primaryIP(id int64) *primaryIP {
	for _, address := range p.primaryIPs {
		if address.id == id {
			return address
		}
	}
	return nil
}

// remove takes a server away. Its own addresses go with it, the user's stay, unassigned.
func (p *project) remove(s *server) {
	p.servers = slices.DeleteFunc(p.servers, func(other *server) bool { return other == s })
	p.primaryIPs = slices.DeleteFunc(p.primaryIPs, func(a *primaryIP) bool { return a.holder == s && a.autoDelete })
	for _, address := range p.primaryIPs {
		if address.holder == s {
			address.holder = nil
		}
	}
	for _, f := range p.floatingIPs {
		if f.holder == s {
			f.holder = nil
		}
	}
}

func listPrimaryIPs(c *call) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	lag := c.api.settings.Get().Lag.List
	var rows []row
	for _, p := range c.project.primaryIPs {
		fits := c.wanted("name", p.name) && c.wanted("ip", p.ip) && selects(requirements, p.labels)
		if fits && !c.hidden(p.created, lag) {
			keys := map[string]sortKey{"id": number(p.id), "created": number(p.created.UnixNano())}
			rows = append(rows, row{body: p.body(), keys: keys})
		}
	}
	return c.replyList("primary_ips", rows, "id", "created")
}

func getPrimaryIP(_ *call, p *primaryIP) core.Answer {
	return reply(http.StatusOK, object{"primary_ip": p.body()}, p.id)
}

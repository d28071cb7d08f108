// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// prefix is a block of IPv4 addresses that a team has brought along (BYOIP).
type prefix struct {
	uuid, cidr, region, status string
	advertised, locked         bool
	created                    time.Time
}

// active is the status of a prefix whose addresses can be used.
const active = "active"

func (p *prefix) body(owner *team) object {
	return object{
		"uuid": p.uuid, "prefix": p.cidr, "region": p.region, "status": p.status, "advertised": p.advertised, "locked": p.locked,
		"project_id": owner.defaultProject.id, "validations": []object{}, "failure_reason": "",
	}
}

func (a *API) addPrefixes() {
	a.route("GET /v2/byoip_prefixes", listPrefixes)
	a.route("POST /v2/byoip_prefixes", createPrefix)
	a.route("GET /v2/byoip_prefixes/{uuid}", withPrefix(getPrefix))
	a.route("PATCH /v2/byoip_prefixes/{uuid}", withPrefix(updatePrefix))
	a.route("DELETE /v2/byoip_prefixes/{uuid}", withPrefix(deletePrefix))
	a.route("GET /v2/byoip_prefixes/{uuid}/ips", withPrefix(listPrefixIPs))
}

func withPrefix(handle func(*call, *prefix) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		if found := c.team.prefix(c.Params["uuid"]); found != nil {
			return handle(c, found)
		}
		return notFound()
	}
}

func (t *team) prefix(uuid string) *prefix {
	at := slices.IndexFunc(t.prefixes, func(p *prefix) bool { return p.uuid == uuid })
	if at < 0 {
		return nil
	}
	return t.prefixes[at]
}

func listPrefixes(c *call) core.Answer {
	return c.replyList("byoip_prefixes", len(c.team.prefixes), func(i int) any { return c.team.prefixes[i].body(c.team) })
}

func getPrefix(c *call, p *prefix) core.Answer {
	return reply(http.StatusOK, object{"byoip_prefix": p.body(c.team)}, p.uuid)
}

// createPrefix begins a review that takes days: control makes a prefix active.
func createPrefix(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	p := &prefix{uuid: newUUID(), cidr: in.text("prefix"), region: in.text("region"), status: "in_progress", created: c.now}
	const largest, smallest = 18, 24
	block, err := netip.ParsePrefix(p.cidr)
	if err != nil || !block.Addr().Is4() || block.Bits() < largest || block.Bits() > smallest {
		in.refuse(unprocessable("prefix must be an IPv4 network from /24 to /18"))
	}
	if _, known := regionNamed(p.region); !known {
		in.refuse(unprocessable("Region is not available"))
	}
	if in.text("signature") == "" {
		in.refuse(unprocessable("signature is required"))
	}
	if in.problem != nil {
		return *in.problem
	}
	c.team.prefixes = append(c.team.prefixes, p)
	body := object{"uuid": p.uuid, "region": p.region, "status": p.status}
	return reply(http.StatusAccepted, object{"byoip_prefix": body}, p.uuid)
}

func updatePrefix(c *call, p *prefix) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	advertised := in.flag("advertise", p.advertised)
	if in.problem != nil {
		return about(*in.problem, p.uuid)
	}
	p.advertised = advertised
	return reply(http.StatusAccepted, object{"byoip_prefix": p.body(c.team)}, p.uuid)
}

func deletePrefix(c *call, p *prefix) core.Answer {
	if slices.ContainsFunc(c.team.addresses, func(r *reservedIP) bool { return r.prefix == p }) {
		return about(unprocessable("prefix has addresses that are assigned"), p.uuid)
	}
	c.team.prefixes = slices.DeleteFunc(c.team.prefixes, func(other *prefix) bool { return other == p })
	return core.Answer{Status: http.StatusAccepted, Header: http.Header{}, Object: p.uuid}
}

// listPrefixIPs shows only addresses in use.
func listPrefixIPs(c *call, p *prefix) core.Answer {
	var used []*reservedIP
	for _, r := range c.team.addresses {
		if r.prefix == p && r.holder != nil {
			used = append(used, r)
		}
	}
	return c.replyList("ips", len(used), func(i int) any {
		return object{
			"id": i + 1, "byoip": used[i].ip, "resource": "do:droplet:" + text(used[i].holder.id), "region": p.region,
			"assigned_at": timestamp(used[i].moved),
		}
	})
}

// prefixAddress is an address of an active prefix, whose first two are the vendor's.
func (t *team) prefixAddress(ip netip.Addr) *reservedIP {
	for _, p := range t.prefixes {
		block, err := netip.ParsePrefix(p.cidr)
		if err != nil || p.status != active || !block.Contains(ip) {
			continue
		}
		first := block.Masked().Addr()
		if ip == first || ip == first.Next() {
			return nil
		}
		return &reservedIP{ip: ip.String(), region: p.region, prefix: p}
	}
	return nil
}

// use keeps an address of a prefix for as long as it is on a droplet.
func (t *team) use(r *reservedIP) {
	if !slices.Contains(t.addresses, r) {
		t.addresses = append(t.addresses, r)
	}
}

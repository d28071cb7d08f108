// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// object is the address in the inventory.
func (r *reservedIP) object(owner *team) core.Object {
	o := core.Object{ID: r.ip, State: "unassigned", Project: owner.name}
	if r.holder != nil {
		o.State, o.Holder = "assigned", new(text(r.holder.id))
	}
	if r.locked {
		o.Busy = new("locked")
	}
	if r.event != nil {
		o.Busy = new(r.event.kind)
	}
	return o
}

func (p *prefix) object(owner *team) core.Object {
	return core.Object{ID: p.uuid, Name: p.cidr, State: p.status, Project: owner.name}
}

// addressObjects are the addresses of a family; those of prefixes are there while they are on a droplet.
func (t *team) addressObjects(six bool) []core.Object {
	var objects []core.Object
	for _, r := range t.addresses {
		if r.isIPv6() == six {
			objects = append(objects, r.object(t))
		}
	}
	return objects
}

// plantAddress makes an address as others would have reserved it.
func (a *API) plantAddress(owner *team, six bool, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	r := &reservedIP{region: "nyc3", reserved: now}
	if err := r.patch(fields, owner); err != nil {
		return core.Object{}, err
	}
	if r.ip == "" {
		r.ip = a.freshReserved(six)
	}
	if r.isIPv6() != six {
		return core.Object{}, fmt.Errorf("ip: %s is of the other family", r.ip)
	}
	owner.addresses = append(owner.addresses, r)
	return r.object(owner), nil
}

// patch changes an address as others would: moved to another droplet, reserved at another time.
func (r *reservedIP) patch(fields map[string]json.RawMessage, owner *team) error {
	next := *r
	err := core.Setters{
		"ip": func(raw json.RawMessage) error {
			if err := json.Unmarshal(raw, &next.ip); err != nil {
				return err
			}
			_, err := netip.ParseAddr(next.ip)
			return err
		},
		"region":      next.plantRegion,
		"region_slug": next.plantRegion,
		"reserved_at": core.Into(&next.reserved),
		"locked":      core.Into(&next.locked),
		"droplet":     func(raw json.RawMessage) error { return next.plantHolder(raw, owner) },
		"droplet_id":  func(raw json.RawMessage) error { return next.plantHolder(raw, owner) },
	}.Apply(fields)
	if err == nil {
		*r = next
	}
	return err
}

func (r *reservedIP) plantRegion(raw json.RawMessage) error {
	slug, err := slugged(raw)
	if err != nil {
		return err
	}
	if _, known := regionNamed(slug); !known {
		return fmt.Errorf("there is no region %s", slug)
	}
	r.region = slug
	return nil
}

// plantHolder reads a droplet's id, an object with one, or null.
func (r *reservedIP) plantHolder(raw json.RawMessage, owner *team) error {
	r.moved, r.holder = time.Time{}, nil
	if string(raw) == "null" {
		return nil
	}
	var whole struct{ ID json.Number }
	id := referenceText(raw)
	if json.Unmarshal(raw, &whole) == nil && whole.ID != "" {
		id = whole.ID.String()
	}
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return fmt.Errorf("%s is neither an id of a droplet nor an object with one", raw)
	}
	if r.holder = owner.droplet(number); r.holder == nil {
		return fmt.Errorf("there is no droplet %d", number)
	}
	return nil
}

// plantPrefix makes a prefix, an active one unless the fields say otherwise.
func plantPrefix(owner *team, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	p := &prefix{uuid: newUUID(), cidr: "203.0.113.0/24", region: "nyc3", status: active, advertised: true, created: now}
	if err := p.patch(fields); err != nil {
		return core.Object{}, err
	}
	owner.prefixes = append(owner.prefixes, p)
	return p.object(owner), nil
}

func (p *prefix) patch(fields map[string]json.RawMessage) error {
	next := *p
	err := core.Setters{
		"uuid": core.Into(&next.uuid), "prefix": core.Into(&next.cidr), "region": core.Into(&next.region),
		"status": core.Into(&next.status), "advertised": core.Into(&next.advertised), "locked": core.Into(&next.locked),
	}.Apply(fields)
	if err == nil {
		*p = next
	}
	return err
}

// reservedOf finds an address of a family that is reserved, or in use.
func (t *team) reservedOf(kind, ip string) *reservedIP {
	if kind != "reserved_ips" && kind != "reserved_ipv6" {
		return nil
	}
	for _, r := range t.addresses {
		if r.ip == ip && r.isIPv6() == (kind == "reserved_ipv6") {
			return r
		}
	}
	return nil
}

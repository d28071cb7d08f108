// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// object is the floating IP in the inventory, by its address.
func (f *floatingIP) object(owner *project) core.Object {
	o := core.Object{ID: f.host(), Name: f.name, State: "unassigned", Labels: labelsBody(f.labels), Project: owner.name}
	if f.holder != nil {
		o.State, o.Holder = "assigned", new(text(f.holder.id))
	}
	if f.blocked {
		o.State = "blocked"
	}
	if f.lockedBy {
		o.Busy = new("locked")
	}
	if len(f.running) > 0 {
		o.Busy = new(f.running[0].command)
	}
	return o
}

// floatingNamed finds a floating IP by its address, as the vendor writes it or as the inventory does, or by its id.
func (p *project) floatingNamed(name string) *floatingIP {
	at := slices.IndexFunc(p.floatingIPs, func(f *floatingIP) bool {
		return f.ip == name || f.host() == name || text(f.id) == name
	})
	if at < 0 {
		return nil
	}
	return p.floatingIPs[at]
}

// plantFloating makes a floating IP as others would have; an id may be given.
func (a *API) plantFloating(owner *project, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	f := &floatingIP{family: "ipv4", home: locations[0], created: now}
	if err := f.patch(fields, owner, now); err != nil {
		return core.Object{}, err
	}
	if f.id == 0 {
		f.id = take(&a.ids.floatingIP)
	}
	f.fill(a)
	owner.floatingIPs = append(owner.floatingIPs, f)
	return f.object(owner), nil
}

// patch changes a floating IP as others would: renamed, relabelled, blocked, protected, moved to another server.
func (f *floatingIP) patch(fields map[string]json.RawMessage, owner *project, now time.Time) error {
	next, holder := *f, (*int64)(nil)
	err := core.Setters{
		"id":            core.Into(&next.id),
		"name":          core.Into(&next.name),
		"description":   core.Into(&next.description),
		"type":          core.Into(&next.family),
		"ip":            core.Into(&next.ip),
		"dns_ptr":       plantReverse(&next.reverse),
		"labels":        replaceLabels(&next.labels),
		"blocked":       core.Into(&next.blocked),
		"created":       core.Into(&next.created),
		"home_location": func(raw json.RawMessage) error { return plantLocation(&next.home, raw) },
		"server":        core.Into(&holder),
		"locked":        core.Into(&next.lockedBy),
		"protection": func(raw json.RawMessage) error {
			var protection struct{ Delete bool }
			err := json.Unmarshal(raw, &protection)
			next.protected = protection.Delete
			return err
		},
	}.Apply(fields)
	if err != nil {
		return err
	}
	if _, moves := fields["server"]; moves {
		var target *server
		if holder != nil {
			if target = owner.server(*holder); target == nil {
				return fmt.Errorf("server: there is no server %d", *holder)
			}
		}
		next.moveTo(target, now)
		next.moved = time.Time{}
	}
	*f = next
	return nil
}

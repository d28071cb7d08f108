// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// Kinds of objects in the inventory.
func (a *API) Kinds() []string {
	return []string{"servers", "primary_ips", "floating_ips", "certificates", "load_balancers", "zones", "networks", "firewalls", "placement_groups"}
}

// Objects gives the objects of a kind of all projects in order of creation, which is the order of ids.
func (a *API) Objects(kind string) []core.Object {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline.Advance(a.clock.Now())
	byID := map[int64]core.Object{}
	for _, owner := range a.projects {
		switch kind {
		case "servers":
			for _, s := range owner.servers {
				byID[s.id] = s.object(owner)
			}
		case "primary_ips":
			for _, p := range owner.primaryIPs {
				byID[p.id] = p.object(owner)
			}
		case "floating_ips":
			for _, f := range owner.floatingIPs {
				byID[f.id] = f.object(owner)
			}
		default:
			owner.certificateObjects(kind, byID)
			owner.basicObjects(kind, byID)
		}
	}
	objects := make([]core.Object, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		objects = append(objects, byID[id])
	}
	return objects
}

func (s *server) object(owner *project) core.Object {
	o := core.Object{ID: text(s.id), Name: s.name, State: s.status, Labels: labelsBody(s.labels), Project: owner.name}
	if s.lockedBy {
		o.Busy = new("locked")
	}
	if len(s.running) > 0 {
		o.Busy = new(s.running[0].command)
	}
	return o
}

func (p *primaryIP) object(owner *project) core.Object {
	o := core.Object{ID: text(p.id), Name: p.name, State: "unassigned", Labels: labelsBody(p.labels), Project: owner.name}
	if p.holder != nil {
		o.State, o.Holder = "assigned", new(text(p.holder.id))
	}
	return o
}

// Plant makes a server or an address, with fields as in the vendor's answer; "project" is main or foreign.
func (a *API) Plant(kind string, fields map[string]json.RawMessage) (core.Object, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	now := a.clock.Now()
	a.timeline.Advance(now)
	owner, err := a.owner(fields)
	if err != nil {
		return core.Object{}, err
	}
	switch kind {
	case "floating_ips":
		return a.plantFloating(owner, fields, now)
	case "certificates":
		return a.plantCertificate(owner, fields, now)
	case "load_balancers":
		return a.plantBalancer(owner, fields)
	case "zones":
		return a.plantZone(owner, fields, now)
	case "networks", "firewalls", "placement_groups":
		return a.plantBasic(owner, kind, fields, now)
	}
	if kind == "primary_ips" {
		p := &primaryIP{family: "ipv4", location: locations[0], created: now}
		if err := p.patch(fields, owner); err != nil {
			return core.Object{}, err
		}
		p.id = take(&a.ids.primaryIP)
		p.fill(a)
		owner.primaryIPs = append(owner.primaryIPs, p)
		return p.object(owner), nil
	}
	s := &server{owner: owner, status: "running", location: locations[0], created: now, offer: typeByName("cx23"), image: imageByName("ubuntu-24.04")}
	if err := s.patch(fields); err != nil {
		return core.Object{}, err
	}
	s.id = take(&a.ids.server)
	s.fill()
	owner.servers = append(owner.servers, s)
	s.ipv4, s.ipv6 = a.makeAddress(owner, "ipv4", s, now), a.makeAddress(owner, "ipv6", s, now)
	return s.object(owner), nil
}

func (a *API) owner(fields map[string]json.RawMessage) (*project, error) {
	name := "main"
	if raw, given := fields["project"]; given {
		if err := json.Unmarshal(raw, &name); err != nil {
			return nil, fmt.Errorf("project: %w", err)
		}
		delete(fields, "project")
	}
	owner, found := a.projects[name]
	if !found {
		return nil, fmt.Errorf("project: there is no %q, only main and foreign", name)
	}
	return owner, nil
}

// Patch changes fields of an object.
func (a *API) Patch(kind, id string, fields map[string]json.RawMessage) (core.Object, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline.Advance(a.clock.Now())
	number, _ := strconv.ParseInt(id, 10, 64) // what is no number is the id of nothing
	for _, owner := range a.projects {
		if s := owner.server(number); kind == "servers" && s != nil {
			return patched(s.patch(fields), func() core.Object { return s.object(owner) })
		}
		if p := owner.primaryIP(number); kind == "primary_ips" && p != nil {
			return patched(p.patch(fields, owner), func() core.Object { return p.object(owner) })
		}
		if f := owner.floatingNamed(id); kind == "floating_ips" && f != nil {
			return patched(f.patch(fields, owner, a.clock.Now()), func() core.Object { return f.object(owner) })
		}
		if own := owner.certificate(number); kind == "certificates" && own != nil {
			return patched(own.patch(fields), func() core.Object { return own.object(owner) })
		}
		if b := owner.balancer(number); kind == "load_balancers" && b != nil {
			return patched(b.patch(fields), func() core.Object { return b.object(owner) })
		}
		if found, there, err := owner.patchBasic(kind, number, fields); there {
			return found, err
		}
	}
	return core.Object{}, fmt.Errorf("there is no %s %s", kind, id)
}

func patched(err error, object func() core.Object) (core.Object, error) {
	if err != nil {
		return core.Object{}, err
	}
	return object(), nil
}

// Vanish removes an object at once.
func (a *API) Vanish(kind, id string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline.Advance(a.clock.Now())
	number, _ := strconv.ParseInt(id, 10, 64) // what is no number is the id of nothing
	for _, owner := range a.projects {
		if s := owner.server(number); kind == "servers" && s != nil {
			owner.remove(s)
			return nil
		}
		if p := owner.primaryIP(number); kind == "primary_ips" && p != nil {
			owner.release(p)
			return nil
		}
		if f := owner.floatingNamed(id); kind == "floating_ips" && f != nil {
			owner.releaseFloating(f)
			return nil
		}
		if owner.dropNamed(kind, id, number) || owner.dropBasic(kind, number) {
			return nil
		}
	}
	return fmt.Errorf("there is no %s %s", kind, id)
}

// release takes an address away, from its server too.
func (p *project) release(address *primaryIP) {
	p.primaryIPs = slices.DeleteFunc(p.primaryIPs, func(other *primaryIP) bool { return other == address })
	address.leave()
}

func (p *primaryIP) leave() {
	if p.holder == nil {
		return
	}
	if p.holder.ipv4 == p {
		p.holder.ipv4 = nil
	}
	if p.holder.ipv6 == p {
		p.holder.ipv6 = nil
	}
	p.holder = nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// Kinds of objects in the inventory. Load balancers are there to be planted: the API has none.
func (a *API) Kinds() []string {
	return []string{
		"droplets", "reserved_ips", "reserved_ipv6", "byoip_prefixes", "certificates", "load_balancers", "domains", "tags", "vpcs",
		"firewalls",
	}
}

// Objects gives the objects of a kind of all teams in order of creation.
func (a *API) Objects(kind string) []core.Object {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline.Advance(a.clock.Now())
	objects := []core.Object{}
	for _, name := range []string{"main", "foreign"} {
		objects = append(objects, a.teams[name].objects(kind)...)
	}
	if kind == "droplets" {
		slices.SortStableFunc(objects, func(a, b core.Object) int {
			first, _ := strconv.ParseInt(a.ID, 10, 64)
			second, _ := strconv.ParseInt(b.ID, 10, 64)
			return int(first - second)
		})
	}
	return objects
}

func (t *team) objects(kind string) []core.Object {
	var objects []core.Object
	switch kind {
	case "droplets":
		for _, d := range t.droplets {
			objects = append(objects, d.object(t))
		}
	case "reserved_ips", "reserved_ipv6":
		return t.addressObjects(kind == "reserved_ipv6")
	case "byoip_prefixes":
		for _, p := range t.prefixes {
			objects = append(objects, p.object(t))
		}
	case "vpcs":
		return t.vpcObjects()
	case "firewalls":
		for _, f := range t.firewalls {
			objects = append(objects, f.object(t))
		}
	case "tags":
		for _, known := range t.tags {
			objects = append(objects, core.Object{ID: known.name, Name: known.name, Project: t.name})
		}
	default:
		return t.certificateObjects(kind)
	}
	return objects
}

// object is the droplet without any lag. Busy is the event that runs, or "locked".
func (d *droplet) object(owner *team) core.Object {
	o := core.Object{ID: text(d.id), Name: d.name, State: d.status, Tags: d.tagNames(), Project: owner.name}
	if d.locked {
		o.Busy = new("locked")
	}
	if d.event != nil {
		o.Busy = new(d.event.kind)
	}
	return o
}

// Plant makes a droplet or a tag, with fields as in the vendor's answer; "project" is main or foreign.
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
	case "droplets":
		return a.plantDroplet(owner, fields, now)
	case "reserved_ips", "reserved_ipv6":
		return a.plantAddress(owner, kind == "reserved_ipv6", fields, now)
	case "byoip_prefixes":
		return plantPrefix(owner, fields, now)
	case "tags":
		return plantTag(owner, fields)
	case "vpcs":
		return plantVPC(owner, fields, now)
	case "firewalls":
		return plantFirewall(owner, fields, now)
	}
	return owner.plantOther(kind, fields, now)
}

func (a *API) owner(fields map[string]json.RawMessage) (*team, error) {
	name := "main"
	if raw, given := fields["project"]; given {
		if err := json.Unmarshal(raw, &name); err != nil {
			return nil, fmt.Errorf("project: %w", err)
		}
		delete(fields, "project")
	}
	owner, found := a.teams[name]
	if !found {
		return nil, fmt.Errorf("project: there is no %q, only main and foreign", name)
	}
	return owner, nil
}

// Patch changes fields of a droplet.
func (a *API) Patch(kind, id string, fields map[string]json.RawMessage) (core.Object, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	now := a.clock.Now()
	a.timeline.Advance(now)
	for _, owner := range a.teams {
		if d := owner.dropletNamed(id); kind == "droplets" && d != nil {
			err := d.patch(fields, owner, now)
			return d.object(owner), err
		}
		if r := owner.reservedOf(kind, id); r != nil {
			err := r.patch(fields, owner)
			return r.object(owner), err
		}
		if p := owner.prefix(id); kind == "byoip_prefixes" && p != nil {
			err := p.patch(fields)
			return p.object(owner), err
		}
		if own := owner.certificate(id); kind == "certificates" && own != nil {
			err := own.patch(fields)
			return own.object(owner), err
		}
		if b := owner.balancer(id); kind == "load_balancers" && b != nil {
			err := b.patch(fields)
			return b.object(owner), err
		}
		if v := owner.vpcWithID(id); kind == "vpcs" && v != nil {
			err := v.patch(fields, owner)
			return v.object(owner), err
		}
		if f := owner.firewall(id); kind == "firewalls" && f != nil {
			err := f.patch(fields, owner)
			return f.object(owner), err
		}
	}
	return core.Object{}, fmt.Errorf("there is no %s %s whose fields can be changed", kind, id)
}

func (t *team) dropletNamed(id string) *droplet {
	number, _ := strconv.ParseInt(id, 10, 64) // what is no number is the id of nothing
	return t.droplet(number)
}

// Vanish removes an object at once. A tag goes from all droplets.
func (a *API) Vanish(kind, id string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline.Advance(a.clock.Now())
	for _, owner := range a.teams {
		if d := owner.dropletNamed(id); kind == "droplets" && d != nil {
			owner.remove(d)
			return nil
		}
		if r := owner.reservedOf(kind, id); r != nil {
			owner.forget(r)
			return nil
		}
		if p := owner.prefix(id); kind == "byoip_prefixes" && p != nil {
			owner.prefixes = slices.DeleteFunc(owner.prefixes, func(other *prefix) bool { return other == p })
			return nil
		}
		if owner.dropOther(kind, id) || owner.dropNetworking(kind, id) {
			return nil
		}
		if t := owner.tag(id); kind == "tags" && t != nil {
			owner.drop(t)
			return nil
		}
	}
	return fmt.Errorf("there is no %s %s", kind, id)
}

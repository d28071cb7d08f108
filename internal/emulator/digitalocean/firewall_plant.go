// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

func (f *firewall) object(owner *team) core.Object {
	o := core.Object{ID: f.id, Name: f.name, State: f.status(), Project: owner.name}
	for _, worn := range f.tags {
		o.Tags = append(o.Tags, worn.name)
	}
	if len(f.pending) > 0 {
		o.Busy = new("apply_firewall")
	}
	return o
}

// plantFirewall makes a firewall that lets SSH in and everything out.
func plantFirewall(owner *team, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	everywhere := &target{Addresses: []string{"0.0.0.0/0", "::/0"}}
	f := &firewall{
		id: newUUID(), created: now, inbound: []rule{{Protocol: "tcp", Ports: "22", Sources: everywhere}},
		outbound: []rule{{Protocol: "tcp", Ports: "0", Destinations: everywhere}},
	}
	f.name = "firewall-" + f.id[:8]
	if err := f.patch(fields, owner); err != nil {
		return core.Object{}, err
	}
	owner.firewalls = append(owner.firewalls, f)
	return f.object(owner), nil
}

// patch changes a firewall as others would, applied at once.
func (f *firewall) patch(fields map[string]json.RawMessage, owner *team) error {
	next, names := *f, []string(nil)
	for field, rules := range map[string]*[]rule{"inbound_rules": &next.inbound, "outbound_rules": &next.outbound} {
		if _, given := fields[field]; given {
			*rules = nil // rules are replaced as a whole, not one in another's place
		}
	}
	err := core.Setters{
		"name": core.Into(&next.name), "created_at": core.Into(&next.created), "tags": core.Into(&names),
		"droplet_ids": core.Into(&next.droplets), "inbound_rules": core.Into(&next.inbound), "outbound_rules": core.Into(&next.outbound),
	}.Apply(fields)
	if err != nil {
		return err
	}
	for _, id := range next.droplets {
		if owner.droplet(id) == nil {
			return fmt.Errorf("droplet_ids: there is no droplet %d", id)
		}
	}
	if _, retagged := fields["tags"]; retagged {
		next.tags = nil
		for _, name := range names {
			next.tags = union(next.tags, []*tag{owner.makeTag(name)})
		}
	}
	*f = next
	return nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// plantDroplet makes an active droplet with its addresses.
func (a *API) plantDroplet(owner *team, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	offer, _ := sizeNamed("s-1vcpu-1gb")
	d := &droplet{
		status: "active", created: now, size: offer, image: imageBySlug("ubuntu-24-04-x64"), region: "nyc3",
		features: []string{"droplet_agent", "private_networking"},
	}
	if err := d.patch(fields, owner, now); err != nil {
		return core.Object{}, err
	}
	d.id = take(&a.ids.droplet)
	if d.name == "" {
		d.name = "droplet-" + text(d.id)
	}
	if d.disk == 0 {
		d.disk = d.size.disk
	}
	if err := a.connect(owner, d, now); err != nil {
		return core.Object{}, err
	}
	owner.droplets = append(owner.droplets, d)
	return d.object(owner), nil
}

// connect gives a planted droplet its addresses, in the VPC that was asked for or the region's default.
func (a *API) connect(owner *team, d *droplet, now time.Time) error {
	joined, public := d.network.vpc, !d.network.privateOnly
	if joined == nil {
		joined = owner.defaultVPC(d.region)
	}
	if joined == nil || joined.region != d.region {
		return fmt.Errorf("vpc_uuid: region %s has no such VPC", d.region)
	}
	d.network = owner.newNetwork(take(&a.ids.address), joined, public, d.has("ipv6"))
	d.network.since = now
	return nil
}

func imageBySlug(slug string) *image {
	return &images[slices.IndexFunc(images, func(i image) bool { return i.slug == slug })]
}

func plantTag(owner *team, fields map[string]json.RawMessage) (core.Object, error) {
	var name string
	if err := (core.Setters{"name": core.Into(&name)}).Apply(fields); err != nil {
		return core.Object{}, err
	}
	if !tagName.MatchString(name) {
		return core.Object{}, fmt.Errorf("name: %q is no name of a tag", name)
	}
	made := owner.makeTag(name)
	return core.Object{ID: made.name, Name: made.name, Project: owner.name}, nil
}

// patch changes a droplet as others would: renamed, retagged, powered, resized, rebuilt, locked. It works on a copy, so
// that a wrong field changes nothing.
func (d *droplet) patch(fields map[string]json.RawMessage, owner *team, now time.Time) error {
	next := *d
	var tags []string
	err := core.Setters{
		"name":       core.Into(&next.name),
		"tags":       core.Into(&tags),
		"locked":     next.plantLocked,
		"created_at": core.Into(&next.created),
		"disk":       core.Into(&next.disk),
		"features":   core.Into(&next.features),
		"status":     next.plantStatus,
		"size_slug":  next.plantSize,
		"size":       next.plantSize,
		"image":      next.plantImage,
		"region":     next.plantRegion,
		"vpc_uuid":   func(raw json.RawMessage) error { return next.plantVPC(raw, owner) },
		"public_networking": func(raw json.RawMessage) error {
			public := true
			err := json.Unmarshal(raw, &public)
			next.network.plantPublic(public)
			return err
		},
	}.Apply(fields)
	if err != nil {
		return err
	}
	if _, retagged := fields["tags"]; retagged {
		if err := next.retag(tags, owner, now); err != nil {
			return err
		}
	}
	*d = next
	return nil
}

// retag gives the droplet these tags and no others.
func (d *droplet) retag(names []string, owner *team, now time.Time) error {
	for _, name := range names {
		if !tagName.MatchString(name) {
			return fmt.Errorf("tags: %q is no name of a tag", name)
		}
	}
	before := d.tags
	d.tags = nil
	for _, name := range names {
		worn := tagging{tag: owner.makeTag(name), when: now}
		if i := slices.IndexFunc(before, func(b tagging) bool { return b.tag == worn.tag }); i >= 0 {
			worn = before[i]
		}
		if !d.bears(worn.tag) {
			d.tags = append(d.tags, worn)
		}
	}
	return nil
}

var statuses = []string{"new", "active", "off", "archive"}

func (d *droplet) plantStatus(raw json.RawMessage) error {
	var status string
	if err := json.Unmarshal(raw, &status); err != nil {
		return err
	}
	if !slices.Contains(statuses, status) {
		return fmt.Errorf("%q is none of %q", status, statuses)
	}
	d.setStatus(status)
	return nil
}

// plantLocked locks as an administrator does; false also frees the droplet from the event that runs.
func (d *droplet) plantLocked(raw json.RawMessage) error {
	if err := json.Unmarshal(raw, &d.locked); err != nil {
		return err
	}
	if !d.locked {
		d.event = nil
	}
	return nil
}

// slugged reads a slug, an id, or an object with a slug, as the vendor's own answer has it.
func slugged(raw json.RawMessage) (string, error) {
	var whole struct{ Slug string }
	if json.Unmarshal(raw, &whole) == nil && whole.Slug != "" {
		return whole.Slug, nil
	}
	if name := referenceText(raw); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("%s is neither a slug nor an id nor an object with a slug", raw)
}

func (d *droplet) plantSize(raw json.RawMessage) error {
	slug, err := slugged(raw)
	if err != nil {
		return err
	}
	found, known := sizeNamed(slug)
	if !known {
		return fmt.Errorf("there is no size %s", slug)
	}
	d.size = found
	return nil
}

func (d *droplet) plantImage(raw json.RawMessage) error {
	wanted, err := slugged(raw)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(images, func(i image) bool { return i.slug == wanted || text(i.id) == wanted })
	if i < 0 {
		return fmt.Errorf("there is no image %s", wanted)
	}
	d.image = &images[i]
	return nil
}

func (d *droplet) plantRegion(raw json.RawMessage) error {
	slug, err := slugged(raw)
	if err != nil {
		return err
	}
	if _, known := regionNamed(slug); !known {
		return fmt.Errorf("there is no region %s", slug)
	}
	d.region = slug
	return nil
}

func (d *droplet) plantVPC(raw json.RawMessage, owner *team) error {
	var id string
	if err := json.Unmarshal(raw, &id); err != nil {
		return err
	}
	if d.network.vpc = owner.vpcWithID(id); d.network.vpc == nil {
		return fmt.Errorf("there is no VPC %s", id)
	}
	return nil
}

// dropNetworking removes a VPC or a firewall; false when there is none.
func (t *team) dropNetworking(kind, id string) bool {
	v, f := t.vpcWithID(id), t.firewall(id)
	switch {
	case kind == "vpcs" && v != nil:
		t.vpcs = slices.DeleteFunc(t.vpcs, func(other *vpc) bool { return other == v })
	case kind == "firewalls" && f != nil:
		t.dropFirewall(f)
	default:
		return false
	}
	return true
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// patch changes a server as others would: relabelled, renamed, powered, protected, locked, resized, rebuilt. It works on
// a copy, so that a wrong field changes nothing.
func (s *server) patch(fields map[string]json.RawMessage) error {
	next := *s
	err := core.Setters{
		"name":              core.Into(&next.name),
		"labels":            replaceLabels(&next.labels),
		"locked":            next.plantLocked,
		"created":           core.Into(&next.created),
		"primary_disk_size": core.Into(&next.disk),
		"status":            next.plantStatus,
		"protection":        next.plantProtection,
		"server_type":       next.plantType,
		"image":             next.plantImage,
		"location":          func(raw json.RawMessage) error { return plantLocation(&next.location, raw) },
		"backup_window":     next.plantBackup,
		"private_net":       next.plantNetworks,
		"firewalls":         next.plantFirewalls,
		"placement_group":   next.plantGroup,
	}.Apply(fields)
	if err == nil {
		*s = next
	}
	return err
}

func replaceLabels(labels *map[string]string) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		*labels = nil
		return json.Unmarshal(raw, labels)
	}
}

var statuses = []string{
	"initializing", "starting", "running", "stopping", "off", "deleting", "migrating", "rebuilding", "unknown",
}

func (s *server) plantStatus(raw json.RawMessage) error {
	var status string
	if err := json.Unmarshal(raw, &status); err != nil {
		return err
	}
	if !slices.Contains(statuses, status) {
		return fmt.Errorf("%q is none of %q", status, statuses)
	}
	s.setStatus(status)
	return nil
}

// plantLocked locks as others do; false also frees it from the actions that run.
func (s *server) plantLocked(raw json.RawMessage) error {
	if err := json.Unmarshal(raw, &s.lockedBy); err != nil {
		return err
	}
	if !s.lockedBy {
		s.running = nil
	}
	return nil
}

func (s *server) plantProtection(raw json.RawMessage) error {
	var protection struct{ Delete, Rebuild bool }
	if err := json.Unmarshal(raw, &protection); err != nil {
		return err
	}
	s.protected = protection.Delete || protection.Rebuild
	return nil
}

// named reads a name, an id, or an object with either, as the vendor's own answer has it.
func named(raw json.RawMessage) (string, error) {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", err
	}
	if whole, isObject := value.(map[string]any); isObject {
		if name, has := whole["name"].(string); has {
			return name, nil
		}
	}
	if name := referenceText(raw, value); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("%s is neither a name nor an id nor an object with a name", raw)
}

func (s *server) plantType(raw json.RawMessage) error {
	name, err := named(raw)
	if err != nil {
		return err
	}
	for _, t := range serverTypes {
		if t.name == name || text(t.id) == name {
			s.offer = t
			return nil
		}
	}
	return fmt.Errorf("there is no server type %s", name)
}

func (s *server) plantImage(raw json.RawMessage) error {
	if string(raw) == "null" {
		s.image = nil
		return nil
	}
	name, err := named(raw)
	if err != nil {
		return err
	}
	for _, i := range images {
		if i.name == name || text(i.id) == name {
			s.image = &i
			return nil
		}
	}
	return fmt.Errorf("there is no image %s", name)
}

func plantLocation(where *location, raw json.RawMessage) error {
	name, err := named(raw)
	if err != nil {
		return err
	}
	for _, l := range locations {
		if l.name == name || text(l.id) == name {
			*where = l
			return nil
		}
	}
	return fmt.Errorf("there is no location %s", name)
}

// fill completes a planted server.
func (s *server) fill() {
	if s.name == "" {
		s.name = "server-" + text(s.id)
	}
	if s.disk == 0 {
		s.disk = s.offer.disk
	}
}

// patch changes an address: its name, labels, auto_delete, and on which server it is.
func (p *primaryIP) patch(fields map[string]json.RawMessage, owner *project) error {
	next, holder := *p, (*int64)(nil)
	err := core.Setters{
		"name":        core.Into(&next.name),
		"labels":      replaceLabels(&next.labels),
		"auto_delete": core.Into(&next.autoDelete),
		"type":        core.Into(&next.family),
		"ip":          core.Into(&next.ip),
		"created":     core.Into(&next.created),
		"location":    func(raw json.RawMessage) error { return plantLocation(&next.location, raw) },
		"assignee_id": core.Into(&holder),
		"dns_ptr":     plantReverse(&next.reverse),
	}.Apply(fields)
	if err != nil {
		return err
	}
	_, moves := fields["assignee_id"]
	if moves && holder != nil && owner.server(*holder) == nil {
		return fmt.Errorf("assignee_id: there is no server %d", *holder)
	}
	*p = next
	if moves {
		p.moveTo(owner, holder)
	}
	return nil
}

func (p *primaryIP) moveTo(owner *project, holder *int64) {
	p.leave()
	if holder == nil {
		return
	}
	p.holder = owner.server(*holder)
	place := &p.holder.ipv4
	if p.family == "ipv6" {
		place = &p.holder.ipv6
	}
	if *place != nil {
		(*place).holder = nil
	}
	*place = p
}

// fill completes a planted address.
func (p *primaryIP) fill(a *API) {
	if p.name == "" {
		p.name = "primary_ip-" + text(p.id)
	}
	if p.ip == "" {
		p.ip = a.freshAddress(p.family)
	}
}

func typeByName(name string) serverType {
	return serverTypes[slices.IndexFunc(serverTypes, func(t serverType) bool { return t.name == name })]
}

func imageByName(name string) *image {
	return &images[slices.IndexFunc(images, func(i image) bool { return i.name == name })]
}

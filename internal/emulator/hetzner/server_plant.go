// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"net/netip"
)

func newFields() *fields { return &fields{values: map[string]json.RawMessage{}} }

// plantBackup switches backups on or, with null, off.
func (s *server) plantBackup(raw json.RawMessage) error {
	s.backupWindow = ""
	return json.Unmarshal(raw, &s.backupWindow)
}

// plantNetworks puts the server into networks and takes it out of all others: as in the vendor's answer, where an
// address that is not given is the first free one.
func (s *server) plantNetworks(raw json.RawMessage) error {
	var wanted []struct {
		Network int64  `json:"network"`
		IP      string `json:"ip"`
	}
	if err := json.Unmarshal(raw, &wanted); err != nil {
		return err
	}
	s.attachments = nil
	for _, one := range wanted {
		n, there := ofID(s.owner.networks, one.Network)
		if !there {
			return fmt.Errorf("there is no network %d", one.Network)
		}
		made, refused := s.owner.attachmentFor(s, n, attachmentOrder{Network: n.id})
		if refused != nil {
			return fmt.Errorf("network %d: %s", one.Network, refused.Body)
		}
		if one.IP != "" {
			ip, err := netip.ParseAddr(one.IP)
			if err != nil {
				return err
			}
			made.ip = ip
		}
		made.ready = true
		s.attachments = append(s.attachments, made)
	}
	return nil
}

// plantFirewalls puts the server behind firewalls, by id, and takes it off all others.
func (s *server) plantFirewalls(raw json.RawMessage) error {
	var wanted []int64
	if err := json.Unmarshal(raw, &wanted); err != nil {
		return err
	}
	s.barriers = nil
	for _, id := range wanted {
		f, there := ofID(s.owner.firewalls, id)
		if !there {
			return fmt.Errorf("there is no firewall %d", id)
		}
		s.barriers = append(s.barriers, &barrier{firewall: f, applied: true})
	}
	return nil
}

// plantGroup moves the server into a placement group, by id, or with null out of it.
func (s *server) plantGroup(raw json.RawMessage) error {
	var wanted *int64
	if err := json.Unmarshal(raw, &wanted); err != nil {
		return err
	}
	if wanted == nil {
		s.group = nil
		return nil
	}
	g, there := ofID(s.owner.groups, *wanted)
	if !there {
		return fmt.Errorf("there is no placement group %d", *wanted)
	}
	s.group = g
	return nil
}

// plantReverse replaces the DNS names that were set, given as the vendor's list.
func plantReverse(names *reverseNames) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		var wanted []struct {
			IP   string `json:"ip"`
			Name string `json:"dns_ptr"`
		}
		if err := json.Unmarshal(raw, &wanted); err != nil {
			return err
		}
		*names = nil
		for _, one := range wanted {
			*names = names.with(one.IP, one.Name)
		}
		return nil
	}
}

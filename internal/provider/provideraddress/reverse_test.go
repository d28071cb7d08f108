// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// reversed is the address under test with arguments.
func reversed(s *providertest.Scene, more providertest.Attributes) providertest.Attributes {
	config := providertest.Attributes{"provider_account": s.Account, "name": "web"}
	maps.Copy(config, more)
	return config
}

// seenReverse is what a refresh in a process of its own shows.
func seenReverse(s *providertest.Scene, state providertest.State) string {
	s.T.Helper()
	read, faults := s.Begin().Refresh(s.T.Context(), typeName, state)
	if len(faults) > 0 {
		s.T.Fatal(faults)
	}
	if providertest.Fields(s.T, read.Value)["reverse_dns"].IsNull() {
		return ""
	}
	return providertest.Text(s.T, read.Value, "reverse_dns")
}

// rename gives the floating IP another name behind our back; "" the vendor's own.
func rename(s *providertest.Scene, address, name string) {
	s.T.Helper()
	names := []map[string]string{}
	if name != "" {
		names = append(names, map[string]string{"ip": address, "dns_ptr": name})
	}
	id := s.Emulator.Objects("hetzner", "floating_ips")[0].ID
	if _, err := s.Emulator.Patch("hetzner", "floating_ips", id, emulator.Fields{"dns_ptr": names}); err != nil {
		s.T.Fatal(err)
	}
}

// TestReverseDNSGoesItsWay: with the create, in place, with drift, and let alone where it is not written.
func TestReverseDNSGoesItsWay(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[0])
	named := reversed(s, providertest.Attributes{"reverse_dns": "www.example.com"})
	state := s.Apply(typeName, s.Begin().Nothing(typeName), named)
	address, id := providertest.Text(t, state.Value, "address"), providertest.Text(t, state.Value, "id")
	if got := seenReverse(s, state); got != "www.example.com" {
		t.Errorf("after the create it resolves to %q", got)
	}
	s.MustBeQuiet(typeName, state, named)

	other := reversed(s, providertest.Attributes{"reverse_dns": "mail.example.com"})
	change := s.Plan(typeName, state, other)
	if _, renames := change.Changed(t)["reverse_dns"]; !renames || len(change.Changed(t)) != 1 || change.Replaces {
		t.Errorf("the plan of another name replaces: %t, changes %v", change.Replaces, change.Changed(t))
	}
	state = s.Apply(typeName, state, other)
	if providertest.Text(t, state.Value, "id") != id || providertest.Text(t, state.Value, "address") != address {
		t.Error("the change made another address")
	}
	for _, theirs := range []string{"theirs.example.com", ""} {
		rename(s, address, theirs)
		if got := seenReverse(s, state); got != theirs {
			t.Errorf("drift to %q is read as %q", theirs, got)
		}
		state = s.Apply(typeName, state, other)
		if got := seenReverse(s, state); got != "mail.example.com" {
			t.Errorf("drift to %q was repaired to %q", theirs, got)
		}
	}

	unwritten := reversed(s, nil)
	s.MustBeQuiet(typeName, state, unwritten)
	state = s.Apply(typeName, state, reversed(s, providertest.Attributes{"reverse_dns": ""}))
	if got := seenReverse(s, state); got != "" {
		t.Errorf("taken off, it resolves to %q", got)
	}
	s.MustBeQuiet(typeName, state, unwritten)
}

// TestReverseDNSOfANetwork is that of its first host address, which is the address.
func TestReverseDNSOfANetwork(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[0])
	named := reversed(s, providertest.Attributes{"family": "ipv6", "reverse_dns": "www.example.com"})
	state := s.Apply(typeName, s.Begin().Nothing(typeName), named)
	s.MustBeQuiet(typeName, state, named)
	rename(s, providertest.Text(t, state.Value, "address"), "theirs.example.com")
	if got := seenReverse(s, state); got != "theirs.example.com" {
		t.Errorf("drift is read as %q", got)
	}
}

// TestTheIDKnowsNothingOfReverseDNS: the ids of addresses that exist stay what they are.
func TestTheIDKnowsNothingOfReverseDNS(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[0])
	without := s.Plan(typeName, s.Begin().Nothing(typeName), reversed(s, nil))
	with := s.Plan(typeName, s.Begin().Nothing(typeName), reversed(s, providertest.Attributes{"reverse_dns": "www.example.com"}))
	if one, other := providertest.Text(t, without.Planned.Value, "id"), providertest.Text(t, with.Planned.Value, "id"); one != other {
		t.Errorf("the ids are %s and %s", one, other)
	}
	if unset := providertest.Fields(t, without.Planned.Value)["reverse_dns"]; !unset.IsKnown() || !unset.IsNull() {
		t.Errorf("not written, it is planned as %s", unset)
	}
}

// TestAnImportReadsReverseDNS and a plan that says nothing about it leaves it alone.
func TestAnImportReadsReverseDNS(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[0])
	planted, err := s.Emulator.Plant("hetzner", "floating_ips", emulator.Fields{"name": "theirs", "ip": "198.51.100.9"})
	if err != nil {
		t.Fatal(err)
	}
	rename(s, "198.51.100.9", "theirs.example.com")
	state, faults := s.Begin().ImportObject(t.Context(), typeName, s.Account, planted.ID)
	if len(faults.Errors()) > 0 {
		t.Fatal(faults)
	}
	if got := providertest.Text(t, state.Value, "reverse_dns"); got != "theirs.example.com" {
		t.Errorf("imported: %q", got)
	}
	state = s.Apply(typeName, state, reversed(s, nil))
	if got := seenReverse(s, state); got != "theirs.example.com" {
		t.Errorf("after an apply that says nothing about it: %q", got)
	}
	state = s.Apply(typeName, state, reversed(s, providertest.Attributes{"reverse_dns": "ours.example.com"}))
	if got := seenReverse(s, state); got != "ours.example.com" {
		t.Errorf("after an apply that names it: %q", got)
	}
}

// TestReverseDNSWhereTheVendorHasNone is refused in the plan, of a create and of a change, at the argument and before any
// write; an empty one says nothing.
func TestReverseDNSWhereTheVendorHasNone(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[1])
	named := reversed(s, providertest.Attributes{"reverse_dns": "www.example.com"})
	state := s.Apply(typeName, s.Begin().Nothing(typeName), reversed(s, providertest.Attributes{"reverse_dns": ""}))
	s.Emulator.ClearJournal()
	for title, prior := range map[string]providertest.State{"create": s.Begin().Nothing(typeName), "change": state} {
		change := s.Plan(typeName, prior, named)
		if errors := change.Diagnostics.At("reverse_dns").Errors(); len(errors) != 1 || !strings.Contains(errors[0].Summary, "(UNSUPPORTED)") {
			t.Errorf("%s: %s", title, change.Diagnostics)
		}
	}
	if writes := s.Writes(); len(writes) > 0 {
		t.Errorf("the plans wrote: %v", writes)
	}
}

// TestTheVendorsRefusalOfANameIsShownAtTheArgument, and what was reserved is kept.
func TestTheVendorsRefusalOfANameIsShownAtTheArgument(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[0])
	state := s.Apply(typeName, s.Begin().Nothing(typeName), reversed(s, nil))
	if _, err := s.Emulator.AddFault(emulator.Fault{
		Path: "/change_dns_ptr$", Action: "status", Status: 422, Body: `{"error":{"code":"invalid_input","message":"invalid dns pointer"}}`,
	}); err != nil {
		t.Fatal(err)
	}
	change := s.Plan(typeName, state, reversed(s, providertest.Attributes{"reverse_dns": "www.example.com"}))
	kept, faults := s.Begin().ApplyChange(t.Context(), typeName, change)
	if errors := faults.At("reverse_dns").Errors(); len(errors) != 1 || !strings.Contains(errors[0].Summary, "(INVALID_INPUT)") {
		t.Errorf("%s", faults)
	}
	if !providertest.Fields(t, kept.Value)["reverse_dns"].IsNull() {
		t.Error("the state has a name that the vendor refused")
	}
	state = s.Apply(typeName, kept, reversed(s, providertest.Attributes{"reverse_dns": "www.example.com"}))
	if got := seenReverse(s, state); got != "www.example.com" {
		t.Errorf("the next apply: %q", got)
	}
}

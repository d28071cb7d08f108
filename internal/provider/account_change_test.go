// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"cmp"
	"maps"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const otherToken = "BETTERCOMPUTE_SCENE_OTHER_TOKEN"

// another is a second account of the same kind, whose token is the emulator's of a name.
func another(s *providertest.Scene, token string) providertest.Attributes {
	s.T.Helper()
	vendor := s.Vendor.Of(s.Emulator)
	s.T.Setenv(otherToken, cmp.Or(vendor.Tokens[token], vendor.Token))
	account := s.AccountWith(map[string]any{"token": "env://" + otherToken})
	account["id"] = compute.AccountID("root", s.Vendor.Kind, "second", "")
	return account
}

// TestAnotherAccountOfTheSameKindKeepsTheObject where it sees it: the object is looked up through the new account and
// nothing is replaced. Where it does not see it, the plan says so.
func TestAnotherAccountOfTheSameKindKeepsTheObject(t *testing.T) {
	onEachImport(t, func(t *testing.T, s *providertest.Scene, one importCase) {
		config := one.config(s)
		state := s.Apply(one.resource, s.Begin().Nothing(one.resource), config)
		moved := maps.Clone(config)
		moved["provider_account"] = another(s, "")
		change := s.Plan(one.resource, state, moved)
		if change.Replaces || len(change.Diagnostics) > 0 {
			t.Fatalf("replaces %t, %s", change.Replaces, change.Diagnostics)
		}
		again := s.Apply(one.resource, state, moved)
		if providertest.Text(t, again.Value, "id") != providertest.Text(t, state.Value, "id") {
			t.Errorf("its id has changed to %s", providertest.Text(t, again.Value, "id"))
		}
		s.MustBeQuiet(one.resource, again, moved)

		moved["provider_account"] = another(s, cmp.Or(s.Vendor.Blind, "foreign"))
		s.Emulator.ClearJournal()
		elsewhere := s.Begin().PlanChange(t.Context(), one.resource, state, moved)
		if elsewhere.Replaces || len(elsewhere.Diagnostics.Errors().At("provider_account")) != 1 {
			t.Errorf("through an account of another place: replaces %t, %s", elsewhere.Replaces, elsewhere.Diagnostics)
		}
		if writes := s.Writes(); len(writes) > 0 {
			t.Errorf("the plan has written: %v", writes)
		}
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// TestNothingIsAskedForWhatIsUnknown: a plan passes with every argument unknown in turn, asks nothing of a vendor whose account
// is unknown, and nothing where all but the account is.
func TestNothingIsAskedForWhatIsUnknown(t *testing.T) {
	onEachImport(t, func(t *testing.T, s *providertest.Scene, one importCase) {
		config := one.config(s)
		if one.resource == instanceType {
			config["max_price_per_hour"], config["region"], config["power"] = 10, s.Vendor.Region, "on"
		}
		plan := func(t *testing.T, unknown ...string) []string {
			t.Helper()
			written := maps.Clone(config)
			for _, name := range unknown {
				written[name] = providertest.Unknown
			}
			s.Emulator.ClearJournal()
			command := s.Begin()
			if faults := command.PlanChange(t.Context(), one.resource, command.Nothing(one.resource), written).Diagnostics; len(faults) > 0 {
				t.Errorf("with unknown %v: %s", unknown, faults)
			}
			var asked []string
			for _, entry := range s.Emulator.Journal() {
				asked = append(asked, entry.Method+" "+entry.Path)
			}
			return asked
		}
		all := slices.Sorted(maps.Keys(config))
		for _, name := range all {
			asked := plan(t, name)
			if name == "provider_account" && len(asked) > 0 {
				t.Errorf("with an unknown account it has asked for %v", asked)
			}
		}
		arguments := slices.DeleteFunc(all, func(name string) bool { return name == "provider_account" || name == "kind" })
		// How many machines or addresses the account may have is asked for whatever they are, and so are an address's regions.
		asked := slices.DeleteFunc(plan(t, arguments...), func(request string) bool { return request == "GET /v2/account" })
		if len(asked) > 0 && one.resource != addressType {
			t.Errorf("with everything unknown it has asked for %v", asked)
		}
	})
}

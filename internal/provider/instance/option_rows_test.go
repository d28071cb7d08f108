// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"slices"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// TestEveryOptionHasARow in the table of changes, at each vendor that has it: one that is new fails here until the table says
// what a change of it does.
func TestEveryOptionHasARow(t *testing.T) {
	for _, vendor := range providertest.Vendors {
		kind, _ := cloud.KindByName(vendor.Kind)
		machines := optionMachines[vendor.Name]
		for _, option := range kind.Options {
			name := kind.Manifest.Attribute + "." + option.Name
			if option.Common {
				name = option.Name
			}
			named := func(change optionChange) bool { return change.option == name }
			if !slices.ContainsFunc(machines.moved, named) && !slices.ContainsFunc(machines.plain, named) {
				t.Errorf("%s has no row for %s", vendor.Name, name)
			}
		}
	}
}

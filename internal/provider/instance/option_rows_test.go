// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"slices"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// TestEveryOptionHasARow in the table of changes, at each vendor that has it: one that is new fails here until the table says
// what a change of it does.
func TestEveryOptionHasARow(t *testing.T) {
	for _, vendor := range providertest.Vendors {
		kind, _ := cloud.KindByName(vendor.Kind)
		machines := optionMachines[vendor.Name]
		for _, option := range kind.Options {
			name := argumentOf(kind, option)
			named := func(change optionChange) bool { return change.option == name }
			if !slices.ContainsFunc(machines.moved, named) && !slices.ContainsFunc(machines.plain, named) {
				t.Errorf("%s has no row for %s", vendor.Name, name)
			}
		}
	}
}

// argumentOf is the argument of an option, in dots.
func argumentOf(kind driver.Kind, option driver.Option) string {
	if option.Common {
		return option.Name
	}
	return kind.Manifest.Attribute + "." + option.Name
}

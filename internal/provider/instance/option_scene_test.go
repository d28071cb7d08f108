// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// onEachVendorInMemory runs a scenario on every vendor, in a bubble whose time is not waited for.
func onEachVendorInMemory(t *testing.T, run func(t *testing.T, vendor providertest.Vendor)) {
	t.Helper()
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		synctest.Test(t, func(t *testing.T) { run(t, vendor) })
	})
}

// furnished is a scene in memory with what options can name: see providertest.Furnish, which answers the ids by name.
func furnished(t *testing.T, vendor providertest.Vendor) (*providertest.Scene, map[string]string) {
	t.Helper()
	s := providertest.NewSceneInMemory(t, vendor)
	ids := providertest.Furnish(t, s.Emulator, vendor)
	s.Emulator.ClearJournal()
	return s, ids
}

// withOption answers a configuration with an option, given as "public_ipv4" or "hetzner_cloud.firewall_ids".
func withOption(config providertest.Attributes, at string, value any) providertest.Attributes {
	outer, name, nested := strings.Cut(at, ".")
	if !nested {
		return with(config, at, value)
	}
	object, ok := config[outer].(providertest.Attributes)
	if !ok {
		object = providertest.Attributes{}
	}
	return with(config, outer, with(object, name, value))
}

func with(object providertest.Attributes, name string, value any) providertest.Attributes {
	changed := maps.Clone(object)
	changed[name] = value
	return changed
}

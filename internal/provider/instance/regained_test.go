// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"slices"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// When the provider dies in the middle of a change, the CLIs keep the values of the state and lose its private part.
func TestAStateWithoutItsPrivatePartKeepsItsMachine(t *testing.T) {
	for name, one := range map[string]struct {
		maker, reader map[string]any
		regained      bool
	}{
		"no owner":      {nil, nil, true},
		"the same":      {map[string]any{"owner": "shop"}, map[string]any{"owner": "shop"}, true},
		"another owner": {map[string]any{"owner": "shop"}, map[string]any{"owner": "other"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
				w := newWorld(t, vendor)
				maker := begin(t, one.maker)
				held := maker.apply(t.Context(), maker.nothing(), maker.plan(maker.nothing(), w.written(nil)), w.written(nil)).stored
				held.private = nil
				seen := begin(t, one.reader).read(held)
				said := slices.Contains(summariesOf(seen.diagnostics), "WARNING: What was stored about the machine had been lost")
				if seen.gone() || said != one.regained {
					t.Fatalf("gone: %t, said %v", seen.gone(), summariesOf(seen.diagnostics))
				}
				command := begin(t, one.reader)
				renamed := w.written(map[string]any{"name": "api"})
				plan := command.plan(seen.stored, renamed)
				done := command.apply(t.Context(), seen.stored, plan, renamed)
				if hasError(done.diagnostics) == one.regained || (w.only().Name == "api") != one.regained {
					t.Errorf("the machine is %s, said %v", w.only().Name, summariesOf(done.diagnostics))
				}
			})
		})
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// A CLI plans what is tainted as new, without its private state, and destroys the old machine with that plan's.
func TestThePrivateStateReachesTheDestroyOfATaintedMachine(t *testing.T) {
	for name, one := range map[string]struct {
		refreshes bool
		name      string
		deleted   bool
	}{
		"as it was":                     {true, "web", true},
		"without a refresh":             {false, "web", false},
		"replaced by one of other name": {true, "api", false},
	} {
		t.Run(name, func(t *testing.T) {
			providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
				w := newWorld(t, vendor)
				held := w.change(begin(t, nil).nothing(), w.written(nil)).stored
				command := begin(t, nil)
				if one.refreshes {
					held = command.read(held).stored
				}
				plan := command.plan(command.nothing(), w.written(map[string]any{"name": one.name}))
				w.mustPass("plan", plan.diagnostics)
				apply := begin(t, nil)
				gone := apply.apply(t.Context(), held, planned{stored: stored{apply.nothing().value, plan.private}}, nil)
				if gone.gone() != one.deleted || hasError(gone.diagnostics) == one.deleted {
					t.Errorf("the destroy leaves %v and says %v", gone.value, summariesOf(gone.diagnostics))
				}
				if there := len(w.servers()); (there == 0) != one.deleted {
					t.Errorf("%d machines are at the vendor", there)
				}
				if !one.deleted && !strings.Contains(gone.diagnostics[0].Summary, "its claim is not known here (INVALID_STATE)") {
					t.Errorf("it says %v", summariesOf(gone.diagnostics))
				}
			})
		})
	}
}

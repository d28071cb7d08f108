// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// byHand sets the vendor's own protection, where it has one.
var byHand = map[string]emulator.Fields{
	"hetzner": {"protection": map[string]bool{"delete": true, "rebuild": true}},
	"proxmox": {"protection": true},
}

func TestAProtectedMachineEndsInNoPlan(t *testing.T) {
	onEachVendorInMemory(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewSceneInMemory(t, vendor)
		config := s.Machine(options{"delete_protection": true})
		state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
		s.Emulator.ClearJournal()
		mustProtect(t, "destroy", s.Plan(typeName, state, nil).Diagnostics)
		image := s.Plan(typeName, state, with(config, "image", vendor.OtherImage))
		mustProtect(t, "another image", image.Diagnostics)
		again := s.Plan(typeName, state, config)
		forced := again.Prior
		forced.Value = tftypes.NewValue(forced.Value.Type(), nil)
		mustProtect(t, "-replace", s.Begin().PlanChange(t.Context(), typeName, forced, config).Diagnostics)
		command := s.Begin()
		if _, faults := command.Refresh(t.Context(), typeName, state); len(faults) > 0 {
			t.Fatal(faults)
		}
		mustProtect(t, "tainted", command.PlanChange(t.Context(), typeName, command.Nothing(typeName), config).Diagnostics)
		_, faults := s.Begin().ApplyChange(t.Context(), typeName, s.Begin().Destruction(typeName, state))
		mustProtect(t, "an apply that no plan has stopped", faults)
		if writes := s.Writes(); len(writes) > 0 {
			t.Errorf("a protected machine was sent %s", writes)
		}
		mustGoUnprotected(s, state, with(config, "delete_protection", false))
	})
}

func mustProtect(t *testing.T, what string, diagnostics providertest.Diagnostics) {
	t.Helper()
	errors := diagnostics.Errors().At("delete_protection")
	if len(errors) != 1 || !strings.Contains(errors.String(), "which is protected (INVALID_STATE)") {
		t.Errorf("%s: %s", what, diagnostics)
	}
}

// mustGoUnprotected applies the protection's end and then destroys the machine.
func mustGoUnprotected(s *providertest.Scene, state providertest.State, config options) {
	s.T.Helper()
	state = s.Apply(typeName, state, config)
	if errors := s.Plan(typeName, state, nil).Diagnostics; len(errors) > 0 {
		s.T.Fatalf("unprotected: %s", errors)
	}
	command := s.Begin()
	if _, faults := command.ApplyChange(s.T.Context(), typeName, command.Destruction(typeName, state)); len(faults) > 0 {
		s.T.Errorf("destroy: %s", faults)
	}
	if left := s.Vendor.Machines(s.Emulator); len(left) > 0 {
		s.T.Errorf("left: %+v", left)
	}
}

func TestAProtectionThatWasSetByHand(t *testing.T) {
	onEachVendorInMemory(t, func(t *testing.T, vendor providertest.Vendor) {
		if byHand[vendor.Name] == nil {
			return // the vendor has no switch of its own
		}
		s := providertest.NewSceneInMemory(t, vendor)
		config := s.Machine(nil)
		state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
		if _, err := s.Emulator.Patch(vendor.Name, vendor.Collection, providertest.Text(t, state.Value, "machine_id"), byHand[vendor.Name]); err != nil {
			t.Fatal(err)
		}
		s.MustBeQuiet(typeName, state, config)
		mustProtect(t, "destroy", s.Plan(typeName, state, nil).Diagnostics)
		reinstalled := with(with(config, "image", vendor.OtherImage), "on_change", options{"image": "reinstall"})
		mustProtect(t, "reinstall", s.Plan(typeName, state, reinstalled).Diagnostics)
		mustGoUnprotected(s, state, with(config, "delete_protection", false))
	})
}

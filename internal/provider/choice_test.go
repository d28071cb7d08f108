// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// TestOnlyAnOrderThatIsRefusedLeadsToTheNextChoice: a machine that was ordered and then fails ends the create, whatever
// code the failure has. Until its end is certain, another order would be a second machine.
func TestOnlyAnOrderThatIsRefusedLeadsToTheNextChoice(t *testing.T) {
	for _, vendor := range providertest.Vendors[:2] {
		for name, test := range map[string]struct {
			settings func(*emulator.Settings)
			orders   int
			fails    bool
		}{
			"the order is refused": {func(s *emulator.Settings) {
				s.Capacity = []emulator.Capacity{{Offer: vendor.Offer, Region: vendor.Region, Create: new(bool)}}
			}, 2, false},
			"the order is taken and fails": {func(s *emulator.Settings) {
				s.ActionResults = map[string]emulator.Result{vendor.CreateOperation: {Status: "error"}}
			}, 1, true},
		} {
			t.Run(vendor.Name+"/"+name, func(t *testing.T) {
				s := providertest.NewScene(t, vendor)
				if err := s.Emulator.ChangeSettings(test.settings); err != nil {
					t.Fatal(err)
				}
				config := s.Machine(providertest.Attributes{"offer_id": nil, "offer_ids": []any{vendor.Offer, vendor.OtherOffer}})
				change := s.Plan(instanceType, s.Begin().Nothing(instanceType), config)
				state, faults := s.Begin().ApplyChange(t.Context(), instanceType, change)
				if fails := len(faults.Errors()) > 0; fails != test.fails {
					t.Errorf("the apply says %s", faults)
				}
				if orders := s.Requests("POST", vendor.CreatePath); orders != test.orders {
					t.Errorf("%d machines were ordered, want %d", orders, test.orders)
				}
				if test.fails {
					return
				}
				if got := providertest.Text(t, state.Value, "offer_id"); got != vendor.OtherOffer {
					t.Errorf("offer_id is %s, want %s", got, vendor.OtherOffer)
				}
			})
		}
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// stops are the requests that a machine was stopped by, in their order: graceful ones as "shutdown", power cuts as "off",
// its removal as "delete".
func stops(s *providertest.Scene) []string {
	var found []string
	for _, entry := range s.Emulator.Journal() {
		word := entry.Path[strings.LastIndex(entry.Path, "/")+1:]
		switch {
		case entry.Method == "DELETE" && entry.Object != "" && !strings.Contains(entry.Path, "/tags"):
			found = append(found, "delete")
		case entry.Method != "POST":
		case word == "shutdown" || entry.Operation == "shutdown":
			found = append(found, "shutdown")
		case word == "poweroff" || word == "stop" || entry.Operation == "power_off":
			found = append(found, "off")
		}
	}
	return found
}

// TestHowAMachineIsStopped: the guest is asked first, unless it has no time; before a destroy only where that is wanted.
func TestHowAMachineIsStopped(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		atOnce := []string{"delete"}
		if vendor.Name == "proxmox" {
			atOnce = []string{"off", "delete"} // it removes no machine that runs
		}
		for name, test := range map[string]struct {
			arguments, change providertest.Attributes
			want              []string
		}{
			"power off":                        {nil, providertest.Attributes{"power": "off"}, []string{"shutdown"}},
			"power off with no time":           {nil, providertest.Attributes{"power": "off", "shutdown_timeout": "0s"}, []string{"off"}},
			"another offer":                    {nil, providertest.Attributes{"offer_id": vendor.OtherOffer, mayStop: true}, []string{"shutdown"}},
			"a destroy with shutdown":          {providertest.Attributes{"shutdown_before_destroy": true}, nil, []string{"shutdown", "delete"}},
			"a destroy with shutdown, no time": {providertest.Attributes{"shutdown_before_destroy": true, "shutdown_timeout": "0s"}, nil, atOnce},
			"a destroy that wants no shutdown": {providertest.Attributes{}, nil, atOnce},
		} {
			t.Run(name, func(t *testing.T) {
				s := providertest.NewScene(t, vendor)
				state := s.Apply(instanceType, s.Begin().Nothing(instanceType), s.Machine(test.arguments))
				s.Emulator.ClearJournal()
				if test.change != nil {
					s.Apply(instanceType, state, s.Machine(test.change))
				} else if _, faults := s.Begin().ApplyChange(t.Context(), instanceType, s.Begin().Destruction(instanceType, state)); len(faults) > 0 {
					t.Fatal(faults)
				}
				if got := stops(s); !slices.Equal(got, test.want) {
					t.Errorf("it was stopped by %v, want %v", got, test.want)
				}
			})
		}
	})
}

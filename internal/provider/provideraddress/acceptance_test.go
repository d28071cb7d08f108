// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

func TestAccAnAddressMovesInPlace(t *testing.T) {
	both(t, movesInPlace)
}

func movesInPlace(t *testing.T, w *world) {
	t.Helper()
	machines := w.instance("blue", "") + w.instance("green", "")
	w.run(
		resource.TestStep{
			Config: w.config(machines, address(on("blue")+"\n description = \"front\"")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(name, tfjsonpath.New("id"), knownvalue.StringRegexp(regexp.MustCompile("^paddr_[0-9a-z]{52}$"))),
				plancheck.ExpectKnownValue(name, tfjsonpath.New("region"), exactly(w.region)),
				plancheck.ExpectUnknownValue(name, tfjsonpath.New("address")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				holds("state", exactly("ready")), holds("assignment_state", exactly("ready")), holds("family", exactly("ipv4")),
				holds("assignment_message", knownvalue.Null()), holds("tenant_id", exactly("root")),
			},
			Check: w.isOn("blue"),
		},
		resource.TestStep{
			PreConfig:        func() { w.ClearJournal() },
			Config:           w.config(machines, address(on("green")+"\n description = \"front\"")),
			ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			Check: func(*terraform.State) error {
				if moves := w.moves(); len(moves) != 1 || moves[0] != "POST assign" {
					return fmt.Errorf("a move sent %v", moves)
				}
				return w.isOn("green")(nil)
			},
		},
		resource.TestStep{
			Config:            w.config(machines, address("")),
			ConfigPlanChecks:  does(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{holds("assignment_state", exactly("none"))},
			Check:             w.isOn(""),
		},
		resource.TestStep{
			PreConfig:        func() { w.ClearJournal() },
			Config:           w.config(machines, address("timeouts = { create = \"1h\" }")),
			ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			Check: func(*terraform.State) error {
				if moves := w.moves(); len(moves) > 0 {
					return fmt.Errorf("timeouts alone sent %v", moves)
				}
				return nil
			},
		},
	)
}

func TestAccBothFamiliesAndDestroyWithTheirMachine(t *testing.T) {
	both(t, bothFamilies)
}

func bothFamilies(t *testing.T, w *world) {
	t.Helper()
	six := strings.ReplaceAll(address(on("blue")+"\n family = \"ipv6\""), `"web"`, `"six"`)
	w.run(resource.TestStep{
		Config: w.config(w.instance("blue", ""), address(on("blue")), six),
		Check: resource.TestCheckFunc(func(s *terraform.State) error {
			shown := s.RootModule().Resources["bettercompute_provider_address.six"].Primary.Attributes["address"]
			if !strings.HasPrefix(shown, "2001:db8:") || strings.Contains(shown, "/") {
				return fmt.Errorf("an IPv6 address shows as %q", shown)
			}
			return nil
		}),
	})
}

func TestAccTheReplacementOfAMachineTakesItsAddressAlong(t *testing.T) {
	for title, test := range map[string]struct{ life, next string }{
		"destroyed first":       {"", "blue"},
		"create_before_destroy": {"lifecycle { create_before_destroy = true }", "blue-2"},
	} {
		t.Run(title, func(t *testing.T) {
			w := hetzner(t)
			next := strings.Replace(strings.Replace(w.instance("blue", test.life), w.image, "ubuntu-24.04", 1), `name             = "blue"`, fmt.Sprintf("name = %q", test.next), 1)
			w.run(
				resource.TestStep{Config: w.config(w.instance("blue", test.life), address(on("blue"))), Check: w.isOn("blue")},
				resource.TestStep{
					PreConfig: func() { w.ClearJournal() },
					Config:    w.config(next, address(on("blue"))),
					Check: func(*terraform.State) error {
						if moves := w.moves(); len(moves) != 1 || moves[0] != "POST assign" {
							return fmt.Errorf("the replacement sent %v", moves)
						}
						return w.isOn(test.next)(nil)
					},
				},
			)
		})
	}
}

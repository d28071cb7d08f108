// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestAccMovedByHandToAForeignMachine(t *testing.T) {
	w := hetzner(t)
	config := w.config(w.instance("blue", ""), address(on("blue")))
	var foreign emulator.Object
	back := func(to any) func() {
		return func() {
			if _, err := w.Patch("hetzner", "floating_ips", w.only().ID, emulator.Fields{"server": to}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				var err error
				if foreign, err = w.Plant("hetzner", "servers", emulator.Fields{"name": "foreign"}); err != nil {
					t.Fatal(err)
				}
				back(number(t, foreign.ID))()
				w.ClearJournal()
			},
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		resource.TestStep{Config: config, ExpectError: regexp.MustCompile(`(?s)\(CONFLICT\).*did not\s+put\s+it\s+there.*`)},
		resource.TestStep{Config: config, Destroy: true, ExpectError: regexp.MustCompile(`\(INVALID_STATE\)`)},
		resource.TestStep{
			PreConfig: func() {
				if moves := w.moves(); len(moves) > 0 || w.holder() != "foreign" {
					t.Errorf("the address of a foreign machine was touched: %v, it is on %q", moves, w.holder())
				}
				back(nil)()
			},
			Config:           config,
			ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			Check:            w.isOn("blue"),
		},
	)
}

func TestAccAMachineThatOthersChoseBecomesOursWhenItIsWritten(t *testing.T) {
	w := hetzner(t)
	machines := w.instance("blue", "") + w.instance("green", "")
	move := func(to string) {
		for _, machine := range w.Objects("hetzner", "servers") {
			if machine.Name != to {
				continue
			}
			if _, err := w.Patch("hetzner", "floating_ips", w.only().ID, emulator.Fields{"server": number(t, machine.ID)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.run(
		resource.TestStep{Config: w.config(machines, address(on("blue")))},
		resource.TestStep{
			PreConfig: func() { move("green"); w.ClearJournal() },
			Config:    w.config(machines, address(on("green"))),
			Check: func(*terraform.State) error {
				if moves := w.moves(); len(moves) > 0 {
					return fmt.Errorf("what is there already sent %v", moves)
				}
				return nil
			},
		},
		resource.TestStep{Config: w.config(machines, address(on("blue"))), Check: w.isOn("blue")},
	)
}

func TestAccAnImportedAddressOnItsMachine(t *testing.T) {
	w := hetzner(t)
	config := w.config(w.instance("blue", ""), address(on("blue")))
	w.run(
		resource.TestStep{Config: w.config(w.instance("blue", ""))},
		resource.TestStep{
			PreConfig: func() {
				blue := w.Objects("hetzner", "servers")[0]
				if _, err := w.Plant("hetzner", "floating_ips", emulator.Fields{"name": "by-hand", "server": number(t, blue.ID)}); err != nil {
					t.Fatal(err)
				}
			},
			Config: config + `
import {
  to = bettercompute_provider_address.web
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "by-hand")
}
`,
			Check: w.isOn("blue"),
		},
		resource.TestStep{Config: config, ConfigPlanChecks: does(plancheck.ResourceActionNoop)},
	)
}

func number(t *testing.T, id string) int64 {
	t.Helper()
	var value int64
	if _, err := fmt.Sscan(id, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestAccReleasedByHandAndReservedAgain(t *testing.T) {
	w := hetzner(t)
	config := w.config(w.instance("blue", ""), address(""))
	var first emulator.Object
	w.run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				first = w.only()
				if err := w.Vanish("hetzner", "floating_ips", first.ID); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Plant("hetzner", "floating_ips", emulator.Fields{"name": "foreign", "ip": first.ID}); err != nil {
					t.Fatal(err)
				}
			},
			Config:           config,
			ConfigPlanChecks: does(plancheck.ResourceActionCreate),
			Check: func(*terraform.State) error {
				if now := w.only(); now.ID == first.ID {
					return fmt.Errorf("the foreign reservation of %s was adopted", first.ID)
				}
				return nil
			},
		},
	)
	if all := w.Objects("hetzner", "floating_ips"); len(all) != 1 || all[0].Name != "foreign" {
		t.Errorf("after the destroy there is %+v, want the foreign reservation alone", all)
	}
}

func TestAccImportByAddress(t *testing.T) {
	w := hetzner(t)
	planted, err := w.Plant("hetzner", "floating_ips", emulator.Fields{"name": "by-hand"})
	if err != nil {
		t.Fatal(err)
	}
	block := func(to string) string {
		return fmt.Sprintf(`
import {
  to = bettercompute_provider_address.%s
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, %q)
}
`, to, planted.ID)
	}
	other := strings.ReplaceAll(address(""), `"web"`, `"other"`)
	w.run(
		resource.TestStep{Config: w.config(address(""), other, block("web"), block("other")), ExpectError: regexp.MustCompile(`\(CONFLICT\)`)},
		resource.TestStep{
			Config: w.config(address(""), block("web")), ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{holds("address", exactly(planted.ID)), holds("state", exactly("ready"))},
		},
		resource.TestStep{Config: w.config(address("")), ConfigPlanChecks: does(plancheck.ResourceActionNoop)},
		resource.TestStep{Config: w.config(address(""), other, block("other")), ExpectError: regexp.MustCompile(`\(CONFLICT\)`)},
	)
}

// TestAccALoneAddressReleasedByHandIsDropped: nothing else of the account is there, nothing has ever been put anywhere.
func TestAccALoneAddressReleasedByHandIsDropped(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		t.Helper()
		release := func() {
			if err := w.Vanish(w.vendor, w.kinds[0], w.only().ID); err != nil {
				t.Fatal(err)
			}
		}
		w.run(
			resource.TestStep{Config: w.config(address(""))},
			resource.TestStep{PreConfig: release, Config: w.config(address("")), ConfigPlanChecks: does(plancheck.ResourceActionCreate)},
			resource.TestStep{PreConfig: release, Config: w.config(""), Check: func(*terraform.State) error {
				if left := w.held(); len(left) > 0 {
					return fmt.Errorf("left at the vendor: %+v", left)
				}
				return nil
			}},
		)
	})
}

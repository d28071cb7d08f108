// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// hurry lifts the vendor's limit of a minute, which a test of many objects would wait for.
func (w *world) hurry() {
	w.t.Helper()
	if err := w.ChangeSettings(func(s *emulator.Settings) {
		s.Limits = map[string]emulator.Limit{w.vendor: {PerHour: 100_000, PerMinute: 10_000}}
	}); err != nil {
		w.t.Fatal(err)
	}
}

func TestAccTwentyAddressesAreDestroyedWithTheirMachines(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		t.Helper()
		w.hurry()
		many := fmt.Sprintf(`
resource "bettercompute_instance" "many" {
  count            = 4
  provider_account = data.bettercompute_provider_account.main
  name             = "many-${count.index}"
  offer_id         = %q
  image            = %q
}

resource "bettercompute_provider_address" "many" {
  count            = 20
  provider_account = data.bettercompute_provider_account.main
  name             = "many-${count.index}"
  instance         = bettercompute_instance.many[count.index %% 4]
}
`, w.offer, w.image)
		w.run(
			resource.TestStep{Config: w.config(many)},
			resource.TestStep{
				PreConfig: func() {
					busy := emulator.Fault{Vendor: w.vendor, Method: "POST", Path: "/actions", Times: new(10), Status: 423, Action: "status"}
					if w.vendor == "digitalocean" {
						busy.Operation, busy.Status = "unassign", 422
						busy.Body = `{"id":"unprocessable_entity","message":"The floating IP already has a pending event."}`
					}
					if _, err := w.AddFault(busy); err != nil {
						t.Fatal(err)
					}
				},
				Config: w.config(many), Destroy: true,
			},
		)
		if w.vendor == "digitalocean" {
			w.noRowsLeft()
		}
	})
}

func TestAccARefreshOfManyAddressesIsAFewLists(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		t.Helper()
		w.hurry()
		many := strings.Replace(address("count = 100"), `"web"
  c`, `"web-${count.index}"
  c`, 1)
		w.run(
			resource.TestStep{Config: w.config(many)},
			resource.TestStep{
				PreConfig: func() { w.ClearJournal() },
				Config:    w.config(many), PlanOnly: true,
			},
			resource.TestStep{
				PreConfig: func() {
					lists, others := 0, 0
					for _, entry := range w.Journal() {
						switch {
						case strings.HasSuffix(entry.Path, "/floating_ips") || strings.HasSuffix(entry.Path, "/reserved_ips") || strings.HasSuffix(entry.Path, "/reserved_ipv6"):
							lists++
						default:
							others++
						}
					}
					t.Logf("a plan of 100 addresses: %d lists of addresses, %d other requests", lists, others)
					// One plan makes the list once; the CLI's test harness plans twice.
					if lists > 4 {
						t.Errorf("%d lists of addresses", lists)
					}
				},
				Config: w.config(many), PlanOnly: true,
			},
		)
	})
}

func TestAccTheCallsOfTwentyAddresses(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		t.Helper()
		w.hurry()
		many := w.instance("blue", "") + strings.Replace(address("count = 20\n "+on("blue")), `"web"
  c`, `"web-${count.index}"
  c`, 1)
		counted := func(what string, most int) func() {
			return func() {
				writes, reads := 0, 0
				for _, entry := range w.Journal() {
					if entry.Method == "GET" {
						reads++
					} else {
						writes++
					}
				}
				t.Logf("%s: %d writes, %d reads", what, writes, reads)
				if writes+reads > most {
					t.Errorf("%s costs %d calls, more than %d", what, writes+reads, most)
				}
				w.ClearJournal()
			}
		}
		w.run(
			resource.TestStep{Config: w.config(w.instance("blue", "")), Check: func(*terraform.State) error { w.ClearJournal(); return nil }},
			resource.TestStep{Config: w.config(many), Check: func(*terraform.State) error { counted("the create of 20 addresses on a machine", 200)(); return nil }},
			resource.TestStep{PreConfig: w.ClearJournal, Config: w.config(w.instance("blue", "")), Check: func(*terraform.State) error { counted("the destroy of 20 addresses", 280)(); return nil }},
		)
	})
}

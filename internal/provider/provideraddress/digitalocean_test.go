// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// rows are the tags of rows.
func (w *world) rows() []string {
	var rows []string
	for _, tag := range w.Objects("digitalocean", "tags") {
		if strings.HasPrefix(tag.ID, "better-compute:row:") {
			rows = append(rows, tag.ID)
		}
	}
	return rows
}

func (w *world) noRowsLeft() {
	w.t.Helper()
	if rows := w.rows(); len(rows) > 0 {
		w.t.Errorf("rows are left: %v", rows)
	}
}

// reserves is how many reserves the vendor has carried out since the journal was emptied.
func (w *world) reserves() int {
	count := 0
	for _, entry := range w.Journal() {
		if entry.Accepted && entry.Method == "POST" && strings.HasSuffix(entry.Path, "/reserved_ips") {
			count++
		}
	}
	return count
}

func TestAccALostReserveIsNeverSentAgain(t *testing.T) {
	w := digitalOcean(t, "")
	if _, err := w.AddFault(emulator.Fault{Vendor: "digitalocean", Method: "POST", Path: "/v2/reserved_ips$", Point: "after", Action: "drop"}); err != nil {
		t.Fatal(err)
	}
	var lost string
	names := func(_ string) *regexp.Regexp { return regexp.MustCompile(`(?s)198\.19\.\d+\.\d+`) }
	expectOne := func() {
		if count := w.reserves(); count != 1 {
			t.Errorf("%d reserves, want 1", count)
		}
		lost = w.only().ID
	}
	keyed := address(`idempotency_key = "second"`)
	w.run(
		resource.TestStep{Config: w.config(address("")), ExpectError: names("PROVIDER_ERROR")},
		resource.TestStep{PreConfig: expectOne, Config: w.config(address("")), ExpectError: regexp.MustCompile(`(?s)\(CONFLICT\).*198\.19\.`)},
		// Another key reserves, and the address that was lost stays what it is.
		resource.TestStep{PreConfig: expectOne, Config: w.config(keyed), Check: func(*terraform.State) error {
			if held := w.held(); len(held) != 2 || w.reserves() != 2 {
				return fmt.Errorf("%d addresses after %d reserves, want 2 and 2", len(held), w.reserves())
			}
			return nil
		}},
		resource.TestStep{
			PreConfig: func() { w.foreign[lost] = true },
			Config: w.config(keyed, "\ndata \"bettercompute_provider_addresses\" \"all\" {\n  provider_account = data.bettercompute_provider_account.main\n}\n"+
				"output \"leaked\" { value = join(\" \", [for one in data.bettercompute_provider_addresses.all.addresses : coalesce(one.address, \"intent\") if !one.owned]) }\n"),
			Check: func(s *terraform.State) error {
				if leaked := fmt.Sprint(s.RootModule().Outputs["leaked"].Value); !strings.Contains(leaked, lost) || !strings.Contains(leaked, "intent") {
					return fmt.Errorf("the data source shows as leaked: %q", leaked)
				}
				return nil
			},
		},
	)
}

func TestAccACandidateThatIsImportedEndsTheIntent(t *testing.T) {
	w := digitalOcean(t, "")
	if _, err := w.AddFault(emulator.Fault{Vendor: "digitalocean", Method: "POST", Path: "/v2/reserved_ips$", Point: "after", Action: "drop"}); err != nil {
		t.Fatal(err)
	}
	// The emulator's first one.
	const lost = "198.19.128.1"
	block := fmt.Sprintf("\nimport {\n  to = bettercompute_provider_address.web\n  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, %q)\n}\n", lost)
	w.run(
		resource.TestStep{Config: w.config(address("")), ExpectError: regexp.MustCompile(regexp.QuoteMeta(lost))},
		resource.TestStep{
			Config: w.config(address(""), block), ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{holds("address", exactly(lost)), holds("state", exactly("ready"))},
			Check: func(*terraform.State) error {
				// One row, of the imported address: intent, record and claim.
				if rows := w.rows(); len(rows) != 3 {
					return fmt.Errorf("the rows are %v", rows)
				}
				return nil
			},
		},
		resource.TestStep{Config: w.config(address("")), ConfigPlanChecks: does(plancheck.ResourceActionNoop)},
	)
	w.noRowsLeft()
	if count := w.reserves(); count != 1 {
		t.Errorf("%d reserves, want 1", count)
	}
}

func TestAccWithNoCandidateLeftItReserves(t *testing.T) {
	if testing.Short() {
		t.Skip("waits 30 s for the vendor's index")
	}
	w := digitalOcean(t, "")
	if _, err := w.AddFault(emulator.Fault{Vendor: "digitalocean", Method: "POST", Path: "/v2/reserved_ips$", Point: "after", Action: "drop"}); err != nil {
		t.Fatal(err)
	}
	w.run(
		resource.TestStep{Config: w.config(address("")), ExpectError: regexp.MustCompile(`198\.19\.`)},
		resource.TestStep{
			PreConfig: func() {
				if err := w.Vanish("digitalocean", "reserved_ips", w.only().ID); err != nil {
					t.Fatal(err)
				}
			},
			Config: w.config(address("")),
		},
	)
	w.noRowsLeft()
}

func TestAccAnIPv6AddressReservedAgainByAnother(t *testing.T) {
	w := digitalOcean(t, "")
	six := address(`family = "ipv6"`)
	var first emulator.Object
	w.run(
		resource.TestStep{Config: w.config(six), Check: func(*terraform.State) error {
			rows := w.rows()
			if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, ":at:20010db8") }) || len(rows) != 4 {
				return fmt.Errorf("the rows are %v", rows)
			}
			return nil
		}},
		resource.TestStep{
			PreConfig: func() {
				first = w.only()
				w.foreign[first.ID] = true
				if _, err := w.Patch("digitalocean", "reserved_ipv6", first.ID, emulator.Fields{"reserved_at": time.Now().Add(time.Hour)}); err != nil {
					t.Fatal(err)
				}
				w.ClearJournal()
			},
			Config: w.config(six), ConfigPlanChecks: does(plancheck.ResourceActionCreate),
			Check: func(*terraform.State) error {
				if moves := w.moves(); len(moves) != 1 || moves[0] != "POST reserved_ipv6" {
					return fmt.Errorf("the replacement of a lost address sent %v", moves)
				}
				return nil
			},
		},
	)
	w.noRowsLeft()
	if left := w.Objects("digitalocean", "reserved_ipv6"); len(left) != 1 || left[0].ID != first.ID {
		t.Errorf("after the destroy there is %+v, want the foreign reservation alone", left)
	}
}

func TestAccAnAddressOutOfAnOwnPrefix(t *testing.T) {
	w := digitalOcean(t, ", previews = true")
	w.kinds = []string{"reserved_ips"}
	planted, err := w.Plant("digitalocean", "byoip_prefixes", emulator.Fields{"prefix": "203.0.113.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	own := func(more string) string { return address(more + "\n prefix = \"203.0.113.0/24\"") }
	w.run(
		resource.TestStep{Config: w.config(own("region = \"fra1\"")), ExpectError: regexp.MustCompile(`(?s)\(INVALID_INPUT\).*nyc3`)},
		resource.TestStep{
			Config: w.config(w.instance("blue", ""), own(on("blue"))),
			Check: func(s *terraform.State) error {
				if shown := s.RootModule().Resources[name].Primary.Attributes["address"]; !strings.HasPrefix(shown, "203.0.113.") {
					return fmt.Errorf("the address is %s", shown)
				}
				if count := w.reserves(); count != 0 {
					return fmt.Errorf("%d reserves for an address that is the account's own", count)
				}
				return w.isOn("blue")(nil)
			},
		},
		resource.TestStep{Config: w.config(w.instance("blue", ""), own("")), ConfigStateChecks: []statecheck.StateCheck{holds("assignment_state", exactly("none"))}},
	)
	w.noRowsLeft()
	if _, err := w.Patch("digitalocean", "byoip_prefixes", planted.ID, emulator.Fields{"status": "in_progress"}); err != nil {
		t.Fatal(err)
	}
	w.run(resource.TestStep{Config: w.config(own("")), ExpectError: regexp.MustCompile(`(?s)\(INVALID_INPUT\).*in_progress`)})
}

func TestAccPrefixesAreForWhoeverOwnsTheAccount(t *testing.T) {
	own := address(`prefix = "203.0.113.0/24"`)
	t.Run("previews off", func(t *testing.T) {
		w := digitalOcean(t, "")
		w.run(resource.TestStep{Config: w.config(own), ExpectError: regexp.MustCompile(`\(UNSUPPORTED\)`)})
	})
	t.Run("no such prefix", func(t *testing.T) {
		w := digitalOcean(t, ", previews = true")
		w.run(resource.TestStep{Config: w.config(own), ExpectError: regexp.MustCompile(`\(INVALID_INPUT\)`)})
	})
	t.Run("another tenant", func(t *testing.T) {
		w := digitalOcean(t, ", previews = true")
		w.account += "\n tenant_id = \"platform\""
		w.run(resource.TestStep{Config: w.config(own), ExpectError: regexp.MustCompile(`(?s)\(ACCESS_DENIED\).*byoipNotOwner`)})
	})
}

func TestAccAMachineInAnotherRegionIsRefused(t *testing.T) {
	w := digitalOcean(t, "")
	w.run(resource.TestStep{
		Config: w.config(w.instance("blue", `region = "fra1"`), address(on("blue"))), ExpectError: regexp.MustCompile(`(?s)\(INVALID_INPUT\).*fra1`),
	})
}

func TestAccADigitalOceanQuotaIsNamed(t *testing.T) {
	w := digitalOcean(t, "")
	if err := w.ChangeSettings(func(s *emulator.Settings) { s.Quotas = map[string]int{"reserved_ips": 0} }); err != nil {
		t.Fatal(err)
	}
	words := "creating this reserved IP will exceed your reserved IP limit of 0 (HTTP status 422, code unprocessable_entity, request id"
	refused := regexp.MustCompile(`(?s)\(QUOTA_EXCEEDED\).*` + strings.ReplaceAll(regexp.QuoteMeta(words), " ", `\s+`))
	w.run(resource.TestStep{Config: w.config(address("")), ExpectError: refused})
	w.noRowsLeft()
}

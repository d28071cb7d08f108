// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	name          = "bettercompute_provider_address.web"
	tokenVariable = "ADDRESS_TEST_TOKEN"
)

// world is an emulator with the vendor under test.
type world struct {
	*emulator.Emulator
	t *testing.T
	// vendor and kinds are the words of control, account the argument of an account, rest the machine's arguments.
	vendor       string
	kinds        []string
	account      string
	machine      string
	offer, image string
	region       string
	// foreign are the ids of addresses that a test has planted as somebody else's.
	foreign map[string]bool
}

func hetzner(t *testing.T) *world {
	t.Helper()
	providertest.NeedCLI(t)
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, e.Hetzner.Token)
	return &world{
		Emulator: e, t: t, vendor: "hetzner", kinds: []string{"floating_ips"}, machine: "servers", offer: "cx23", image: "debian-13", region: "fsn1",
		account: fmt.Sprintf(`hetzner_cloud = { token = "env://%s", endpoint = %q }`, tokenVariable, e.Hetzner.Endpoint),
	}
}

func digitalOcean(t *testing.T, more string) *world {
	t.Helper()
	providertest.NeedCLI(t)
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, e.DigitalOcean.Token)
	return &world{
		Emulator: e, t: t, vendor: "digitalocean", kinds: []string{"reserved_ips", "reserved_ipv6"}, machine: "droplets",
		offer: "s-1vcpu-1gb", image: "debian-13-x64", region: "nyc3", foreign: map[string]bool{},
		account: fmt.Sprintf(`digitalocean = { token = "env://%s", endpoint = %q, region = "nyc3" %s }`, tokenVariable, e.DigitalOcean.Endpoint, more),
	}
}

// both runs a test on each vendor that has addresses.
func both(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Run("hetzner", func(t *testing.T) { test(t, hetzner(t)) })
	t.Run("digitalocean", func(t *testing.T) { test(t, digitalOcean(t, "")) })
}

// config is the account and whatever a test adds to it.
func (w *world) config(more ...string) string {
	return fmt.Sprintf("data \"bettercompute_provider_account\" \"main\" {\n  name = \"main\"\n  %s\n}\n", w.account) + strings.Join(more, "\n")
}

// instance is a machine of a name.
func (w *world) instance(name, more string) string {
	return fmt.Sprintf(`
resource "bettercompute_instance" %q {
  provider_account = data.bettercompute_provider_account.main
  name             = %q
  offer_id         = %q
  image            = %q
  %s
}
`, name, name, w.offer, w.image, more)
}

// address is the address under test with more arguments.
func address(more string) string {
	return fmt.Sprintf(`
resource "bettercompute_provider_address" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web"
  %s
}
`, more)
}

func on(instance string) string { return "instance = bettercompute_instance." + instance }

// run runs steps on the CLI, and expects nothing to be left at the vendor.
func (w *world) run(steps ...resource.TestStep) {
	w.t.Helper()
	resource.Test(w.t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(),
		Steps:                    steps,
		CheckDestroy: func(*terraform.State) error {
			if left := w.held(); len(left) > 0 {
				return fmt.Errorf("left at the vendor: %+v", left)
			}
			return nil
		},
	})
}

// held are the addresses at the vendor that are not planted by a test as somebody else's.
func (w *world) held() []emulator.Object {
	var all []emulator.Object
	for _, kind := range w.kinds {
		all = append(all, w.Objects(w.vendor, kind)...)
	}
	return slices.DeleteFunc(all, func(o emulator.Object) bool { return o.Name == "foreign" || w.foreign[o.ID] })
}

func (w *world) only() emulator.Object {
	w.t.Helper()
	held := w.held()
	if len(held) != 1 {
		w.t.Fatalf("%d addresses at the vendor, want 1: %+v", len(held), held)
	}
	return held[0]
}

// holder is the name of the machine that the one address is on; empty: on none.
func (w *world) holder() string {
	w.t.Helper()
	id := w.only().Holder
	for _, machine := range w.Objects(w.vendor, w.machine) {
		if id != nil && machine.ID == *id {
			return machine.Name
		}
	}
	return ""
}

func (w *world) isOn(machine string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if got := w.holder(); got != machine {
			return fmt.Errorf("the address is on %q, want %q", got, machine)
		}
		return nil
	}
}

// moves are the accepted changes of addresses since the journal was emptied, as operation or method.
func (w *world) moves() []string {
	var moves []string
	for _, entry := range w.Journal() {
		if entry.Accepted && entry.Method != "GET" && (strings.Contains(entry.Path, "floating_ips") || strings.Contains(entry.Path, "reserved_ip")) {
			parts := strings.Split(entry.Path, "/")
			operation := entry.Operation
			if operation == "" {
				operation = parts[len(parts)-1]
			}
			moves = append(moves, entry.Method+" "+operation)
		}
	}
	return moves
}

func does(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(name, action)}}
}

func holds(attribute string, value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(name, tfjsonpath.New(attribute), value)
}

func exactly(text string) knownvalue.Check { return knownvalue.StringExact(text) }

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
			Config:      config,
			ExpectError: regexp.MustCompile(`(?s)did not\s+put\s+it\s+there.*`),
		},
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

func TestAccBadInputIsRefusedInThePlan(t *testing.T) {
	holder := func(changes string) string {
		return "instance = merge({ id = \"inst_a\", tenant_id = \"root\", machine_id = \"42\", region = \"fsn1\",\n" +
			"provider_account = { id = data.bettercompute_provider_account.main.id, kind = \"hetzner-cloud\" } }, " + changes + ")"
	}
	for title, test := range map[string]struct{ arguments, want string }{
		"a prefix on Hetzner":          {`prefix = "203.0.113.0/24"`, `\(UNSUPPORTED\)`},
		"ipv6 with a prefix":           {"family = \"ipv6\"\n prefix = \"203.0.113.0/24\"", `\(INVALID_INPUT\)`},
		"a family that is none":        {`family = "ipv5"`, `\(INVALID_INPUT\)`},
		"a region that is none":        {`region = "nowhere1"`, `\(INVALID_INPUT\)`},
		"a machine of another tenant":  {holder(`{ tenant_id = "other" }`), `\(ACCESS_DENIED\)`},
		"a machine of another vendor":  {holder(`{ provider_account = { id = "pacct_b", kind = "proxmox" } }`), `\(INVALID_INPUT\)`},
		"a machine of another project": {holder(`{ provider_account = { id = "pacct_b", kind = "hetzner-cloud" } }`), `\(INVALID_INPUT\)`},
		"a key with a space":           {`idempotency_key = "a b"`, `\(INVALID_INPUT\)`},
	} {
		t.Run(title, func(t *testing.T) {
			w := hetzner(t)
			w.run(resource.TestStep{Config: w.config(address(test.arguments)), PlanOnly: true, ExpectError: regexp.MustCompile(test.want)})
			if moves := w.moves(); len(moves) > 0 {
				t.Errorf("the plan sent %v", moves)
			}
		})
	}
}

func TestAccAQuotaIsNamed(t *testing.T) {
	w := hetzner(t)
	if err := w.ChangeSettings(func(s *emulator.Settings) { s.Quotas = map[string]int{"floating_ips": 0} }); err != nil {
		t.Fatal(err)
	}
	w.run(resource.TestStep{Config: w.config(address("")), ExpectError: regexp.MustCompile(`(?s)\(QUOTA_EXCEEDED\).*floating_ip_limit`)})
}

func TestAccAddressesAreListed(t *testing.T) {
	w := hetzner(t)
	listing := "\ndata \"bettercompute_provider_addresses\" \"all\" {\n  provider_account = data.bettercompute_provider_account.main\n  depends_on = [bettercompute_provider_address.web]\n}\n"
	all := "data.bettercompute_provider_addresses.all"
	w.run(resource.TestStep{
		PreConfig: func() {
			if _, err := w.Plant("hetzner", "floating_ips", emulator.Fields{"name": "foreign"}); err != nil {
				t.Fatal(err)
			}
		},
		Config: w.config(address(""), listing),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(all, tfjsonpath.New("addresses"), knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectPartial(map[string]knownvalue.Check{"name": exactly("web"), "owned": knownvalue.Bool(true), "state": exactly("ready")}),
			})),
		},
	})
}

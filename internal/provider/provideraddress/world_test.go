// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.VerifyNoLeaks(m) }

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

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// hand is what somebody does to a machine behind the back of the state, and what the plan after it says of that machine.
type hand struct {
	name    string
	does    func(o *outside, id string) error
	planned plancheck.ResourceActionType
}

var hands = []hand{
	{"off", func(o *outside, id string) error { return o.patch(id, emulator.Fields{"status": o.vendor.OffWord()}) }, plancheck.ResourceActionUpdate},
	{"resized", func(o *outside, id string) error { return o.vendor.Resize(o.Emulator, id) }, plancheck.ResourceActionUpdate},
	{"renamed", func(o *outside, id string) error { return o.patch(id, emulator.Fields{"name": "by-hand"}) }, plancheck.ResourceActionUpdate},
	{"relabelled", (*outside).relabel, plancheck.ResourceActionUpdate},
	{"deleted", func(o *outside, id string) error { return o.Vanish(o.vendor.Name, o.vendor.Collection, id) }, plancheck.ResourceActionCreate},
	{"moved", (*outside).move, plancheck.ResourceActionNoop},
	{"left", func(*outside, string) error { return nil }, plancheck.ResourceActionNoop},
}

// outside is an estate on an emulated vendor that others change by hand.
type outside struct {
	*emulator.Emulator
	t      *testing.T
	vendor providertest.Vendor
	// before is what the machines were like, by name, and left what the untouched one was like when the others were changed.
	before map[string]emulator.Object
	left   emulator.Object
}

func (o *outside) patch(id string, fields emulator.Fields) error {
	_, err := o.Patch(o.vendor.Name, o.vendor.Collection, id, fields)
	return err
}

// relabel gives a label another value and leaves the marks as they are.
func (o *outside) relabel(id string) error {
	_, marks := o.vendor.Labels(o.before["relabelled"])
	return o.vendor.Relabel(o.Emulator, id, map[string]string{"role": "other"}, marks)
}

// move migrates a machine to another node where the vendor has such, and else takes the address off it.
func (o *outside) move(id string) error {
	if o.vendor.Addresses == 1 {
		return o.patch(id, emulator.Fields{"node": "pve2"})
	}
	collection, holder := "floating_ips", "server"
	if o.vendor.Name == "digitalocean" {
		collection, holder = "reserved_ips", "droplet"
	}
	_, err := o.Patch(o.vendor.Name, collection, o.Objects(o.vendor.Name, collection)[0].ID, emulator.Fields{holder: nil})
	return err
}

func (o *outside) machines() map[string]emulator.Object {
	machines := map[string]emulator.Object{}
	for _, machine := range o.vendor.Machines(o.Emulator) {
		machines[machine.Name] = machine
	}
	return machines
}

// strike does all of it at once.
func (o *outside) strike() {
	o.before = o.machines()
	for _, hand := range hands {
		if err := hand.does(o, o.before[hand.name].ID); err != nil {
			o.t.Fatalf("%s: %v", hand.name, err)
		}
	}
	o.left = o.machines()["left"]
	o.ClearJournal()
}

// config is one machine for each hand, and an address on one of them where the vendor has addresses.
func (o *outside) config() string {
	var config strings.Builder
	fmt.Fprintf(&config, "data \"bettercompute_provider_account\" \"main\" {\n  name = \"main\"\n  %s\n}\n", o.vendor.BlockOn(o.Emulator, "env://"+providertest.SceneVariable))
	for _, hand := range hands {
		fmt.Fprintf(&config, `
resource "bettercompute_instance" "%[1]s" {
  provider_account          = data.bettercompute_provider_account.main
  name                      = "%[1]s"
  offer_id                  = "OFFER"
  image                     = "IMAGE"
  power                     = "on"
  labels                    = { role = "web" }
  shutdown_timeout          = "0s"
  allow_stopping_for_update = true
}
`, hand.name)
	}
	if o.vendor.Addresses > 1 {
		config.WriteString(`
resource "bettercompute_provider_address" "front" {
  provider_account = data.bettercompute_provider_account.main
  name             = "front"
  instance         = bettercompute_instance.moved
}
`)
	}
	return o.vendor.Fill(config.String())
}

// planned is what the plan must say of each resource.
func (o *outside) planned() resource.ConfigPlanChecks {
	var checks []plancheck.PlanCheck
	for _, hand := range hands {
		checks = append(checks, plancheck.ExpectResourceAction("bettercompute_instance."+hand.name, hand.planned))
	}
	if o.vendor.Addresses > 1 {
		checks = append(checks, plancheck.ExpectResourceAction("bettercompute_provider_address.front", plancheck.ResourceActionUpdate))
	}
	return resource.ConfigPlanChecks{PreApply: checks}
}

// repaired compares what is there after the apply with what was there before the hands.
func (o *outside) repaired(*terraform.State) error {
	after := o.machines()
	if got, want := slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(o.before)); !slices.Equal(got, want) {
		return fmt.Errorf("there are machines %v, want %v", got, want)
	}
	for _, hand := range hands {
		now, was := after[hand.name], o.before[hand.name]
		labels, _ := o.vendor.Labels(now)
		if now.State != o.vendor.Running || labels["role"] != "web" {
			o.t.Errorf("machine %s is %s with labels %v", hand.name, now.State, labels)
		}
		if kept := now.ID == was.ID; kept == (hand.name == "deleted") && !o.vendor.ReusesIDs {
			o.t.Errorf("machine %s has id %s and had %s", hand.name, now.ID, was.ID)
		}
	}
	if diff := cmp.Diff(o.left, after["left"]); diff != "" {
		o.t.Errorf("the machine that nobody touched has changed: %s", diff)
	}
	for _, entry := range o.Journal() {
		if entry.Method != "GET" && entry.Object == o.left.ID {
			o.t.Errorf("the machine that nobody touched was written to: %s %s %s", entry.Method, entry.Path, entry.Operation)
		}
	}
	return nil
}

// TestAccWhatOthersChangeIsShownAndRepaired: powered off, resized, renamed, relabelled, deleted and moved by hand, all at
// once. The plan says so, its apply repairs it, and nothing else is touched.
func TestAccWhatOthersChangeIsShownAndRepaired(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		o := &outside{Emulator: emulator.Start(t, emulator.Options{ActionTime: -1}), t: t, vendor: vendor}
		t.Setenv(providertest.SceneVariable, vendor.Of(o.Emulator).Token)
		offer := func(name string) statecheck.StateCheck {
			return statecheck.ExpectKnownValue("bettercompute_instance."+name, tfjsonpath.New("offer_id"), knownvalue.StringExact(vendor.Offer))
		}
		resource.Test(t, resource.TestCase{
			ProtoV6ProviderFactories: providertest.Factories(),
			CheckDestroy: func(*terraform.State) error {
				if left := o.machines(); len(left) > 0 {
					return fmt.Errorf("left at the vendor: %v", left)
				}
				return nil
			},
			Steps: []resource.TestStep{
				{Config: o.config()},
				{
					PreConfig: o.strike, Config: o.config(), ConfigPlanChecks: o.planned(), Check: o.repaired,
					ConfigStateChecks: []statecheck.StateCheck{offer("resized"), offer("left")},
				},
			},
		})
	})
}

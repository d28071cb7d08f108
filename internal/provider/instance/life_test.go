// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// written are the arguments of a machine, with changes.
func (w *world) written(changes map[string]any) map[string]any {
	arguments := map[string]any{"provider_account": w.account, "name": "web", "offer_id": w.vendor.Offer, "image": w.vendor.Image}
	maps.Copy(arguments, changes)
	return arguments
}

// change plans and applies, each in a process of its own, as a CLI does; it fails for any error.
func (w *world) change(prior stored, arguments map[string]any) applied {
	w.t.Helper()
	plan := begin(w.t, nil).plan(prior, arguments)
	w.mustPass("plan", plan.diagnostics)
	if len(plan.replaces) > 0 {
		w.t.Fatalf("the plan replaces on %v", plan.replaces)
	}
	apply := begin(w.t, nil)
	again := apply.plan(prior, arguments)
	w.mustPass("plan in the apply", again.diagnostics)
	done := apply.apply(w.t.Context(), prior, again, arguments)
	w.mustPass("apply", done.diagnostics)
	return done
}

func (w *world) mustPass(what string, diagnostics []*tfprotov6.Diagnostic) {
	w.t.Helper()
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			w.t.Fatalf("%s: %s: %s", what, diagnostic.Summary, diagnostic.Detail)
		}
	}
}

// mustBeQuiet plans once more after a refresh: nothing changes.
func (w *world) mustBeQuiet(state stored, arguments map[string]any) {
	w.t.Helper()
	command := begin(w.t, nil)
	seen := command.read(state)
	w.mustPass("read", seen.diagnostics)
	plan := command.plan(seen.stored, arguments)
	w.mustPass("plan", plan.diagnostics)
	if diff, err := seen.value.Diff(plan.value); err != nil || len(diff) > 0 {
		w.t.Errorf("the next plan changes %v (%v)", diff, err)
	}
}

func TestAMachineFromItsCreateToItsDestroy(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		plan := begin(t, nil).plan(begin(t, nil).nothing(), w.written(nil))
		for name, want := range map[string]string{"tenant_id": "root", "region": vendor.Region, "managed": "true", "machine_id": "unknown", "state": "unknown"} {
			if got := plan.text(t, name); got != want {
				t.Errorf("planned %s is %s, want %s", name, got, want)
			}
		}
		id := plan.text(t, "id")
		if !strings.HasPrefix(id, "inst_") {
			t.Errorf("planned id is %s", id)
		}
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		server := w.only()
		for name, want := range map[string]string{
			"id": id, "machine_id": server.ID, "state": "running", "image_id": vendor.ImageID, "currency": vendor.CurrencyText(), "user_data": "null", "labels": "null",
		} {
			if got := state.text(t, name); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if price := state.text(t, "price_per_hour"); (price == "null") != (vendor.Currency == "") {
			t.Errorf("the price is %s", price)
		}
		w.mustBeQuiet(state.stored, w.written(nil))

		w.emulator.ClearJournal()
		renamed := w.written(map[string]any{"name": "api", "labels": map[string]any{"team": "shop"}})
		state = w.change(state.stored, renamed)
		server = w.only()
		if server.Name != "api" || w.labels()["team"] != "shop" || state.text(t, "id") != id {
			t.Errorf("the machine is %s with labels %v, its id %s", server.Name, w.labels(), state.text(t, "id"))
		}
		w.mustBeQuiet(state.stored, renamed)

		off := maps.Clone(renamed)
		off["power"], off["shutdown_timeout"] = "off", "0s"
		state = w.change(state.stored, off)
		if got := w.only().State; got != vendor.OffWord() || state.text(t, "state") != "stopped" {
			t.Errorf("after power off the machine is %s, the state says %s", got, state.text(t, "state"))
		}
		w.mustBeQuiet(state.stored, off)

		w.change(state.stored, nil)
		if servers := w.servers(); len(servers) > 0 {
			t.Errorf("left after the destroy: %+v", servers)
		}
	})
}

func TestWhatIsTheStatesOwnAffairMakesNoCall(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		moved := maps.Clone(w.account)
		moved["config"] = strings.Replace(w.account["config"].(string), tokenVariable, "INSTANCE_TEST_OTHER", 1)
		t.Setenv("INSTANCE_TEST_OTHER", vendor.Of(w.emulator).Token)
		for name, changes := range map[string]map[string]any{
			"timeouts":                 {"timeouts": map[string]any{"create": "1h", "delete": "1h"}},
			"on_change":                {"on_change": map[string]any{"image": "ignore"}},
			"how it is shut down":      {"shutdown_timeout": "5s", "shutdown_before_destroy": true},
			"the most it may cost":     {"max_price_per_hour": 0.001},
			"the account's config":     {"provider_account": moved},
			"a key that is ignored":    {"ssh_authorized_keys": []tftypes.Value{tftypes.NewValue(tftypes.String, validKey)}},
			"an image that is ignored": {"image": vendor.OtherImage, "on_change": map[string]any{"image": "ignore"}},
		} {
			t.Run(name, func(t *testing.T) {
				w.t = t
				w.emulator.ClearJournal()
				changed := w.change(state.stored, w.written(changes))
				if journal := w.emulator.Journal(); len(journal) > 0 {
					t.Errorf("%d requests, the first %s %s", len(journal), journal[0].Method, journal[0].Path)
				}
				if changed.text(t, "id") != state.text(t, "id") || changed.text(t, "image_id") != state.text(t, "image_id") {
					t.Error("the machine is not the same")
				}
			})
		}
	})
}

const validKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0KmRZqm9hPgMvJb6hYkqQHDdrjVEVs7R5Hw4bH5R3p someone"

func TestReinstallKeepsTheMachine(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		arguments := w.written(map[string]any{"on_change": map[string]any{"image": "reinstall"}})
		if vendor.ReinstallsUserData {
			arguments["on_change"] = map[string]any{"image": "reinstall", "user_data": "reinstall"}
		}
		state := w.change(begin(t, nil).nothing(), arguments)
		before := w.only()
		arguments["image"] = vendor.OtherImage
		if vendor.ReinstallsUserData {
			arguments["user_data_wo"], arguments["user_data_wo_version"] = "#cloud-config\n{}\n", "1"
		}
		again := w.change(state.stored, arguments)
		after := w.only()
		if after.ID != before.ID || again.text(t, "id") != state.text(t, "id") {
			t.Errorf("machine %s became %s", before.ID, after.ID)
		}
		if image := again.text(t, "image_id"); image == state.text(t, "image_id") || image == "unknown" {
			t.Errorf("image_id is still %s", image)
		}
		if got := again.text(t, "user_data_wo"); got != "null" {
			t.Errorf("the write-only user data is in the state: %s", got)
		}
		w.mustBeQuiet(again.stored, arguments)
	})
}

func TestDriftIsSeenAndRepaired(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		arguments := w.written(map[string]any{"power": "on", "labels": map[string]any{"team": "shop"}})
		state := w.change(begin(t, nil).nothing(), arguments)
		server := w.only()
		w.patch(server.ID, emulator.Fields{"name": "theirs", "status": vendor.OffWord()})
		w.relabel(map[string]string{"team": "other", "theirs": "1"}, w.marks())
		seen := begin(t, nil).read(state.stored)
		if seen.text(t, "name") != "theirs" || seen.text(t, "power") != "off" || !strings.Contains(seen.text(t, "labels"), "other") {
			t.Errorf("read: name %s, power %s, labels %s", seen.text(t, "name"), seen.text(t, "power"), seen.text(t, "labels"))
		}
		w.change(seen.stored, arguments)
		server = w.only()
		if server.Name != "web" || server.State != vendor.Running || w.labels()["team"] != "shop" || w.labels()["theirs"] != "1" {
			t.Errorf("repaired: %s, %s, %v", server.Name, server.State, w.labels())
		}
	})
}

func TestMarksThatWereWipedAreRestored(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		marks := w.marks()
		w.relabel(nil, nil)
		seen := begin(t, nil).read(state.stored)
		if got := seen.text(t, "managed"); got != "false" {
			t.Fatalf("managed is %s", got)
		}
		again := w.change(seen.stored, w.written(nil))
		if got := again.text(t, "managed"); got != "true" {
			t.Errorf("managed is %s after the apply", got)
		}
		if diff := cmp.Diff(marks, w.marks()); diff != "" {
			t.Errorf("marks (-before +after):\n%s", diff)
		}
	})
}

func TestAMachineThatIsGoneIsMadeAgain(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		second := w.change(begin(t, nil).nothing(), w.written(map[string]any{"name": "witness"}))
		w.vanish(state.text(t, "machine_id"))
		command := begin(t, nil)
		command.read(second.stored)
		seen := command.read(state.stored)
		w.mustPass("read", seen.diagnostics)
		if !seen.gone() {
			t.Fatal("the machine is still in the state")
		}
		if !slices.Contains(summariesOf(seen.diagnostics), "WARNING: The machine is gone") {
			t.Errorf("diagnostics are %v", summariesOf(seen.diagnostics))
		}
		if diagnostics := command.plan(seen.stored, w.written(nil)).diagnostics; len(diagnostics) > 0 {
			t.Errorf("the plan says %v", summariesOf(diagnostics))
		}
		if again := w.change(seen.stored, w.written(nil)); again.text(t, "id") != state.text(t, "id") {
			t.Error("the new machine has another id")
		}
	})
}

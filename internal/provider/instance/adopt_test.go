// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestAnImportedMachineIsTakenAsItIsWritten(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for _, by := range []string{"id", "machine_id", "name"} {
			t.Run("by "+by, func(t *testing.T) {
				w := newWorld(t, vendor)
				lost := w.change(begin(t, nil).nothing(), w.written(nil))
				w.emulator.ClearJournal()
				imported := begin(t, nil).importMachine(w.account, lost.text(t, by))
				w.mustPass("import", imported.diagnostics)
				arguments := w.written(map[string]any{"image": vendor.ImageID, "user_data": "#cloud-config\n", "region": vendor.Region})
				state := w.change(imported.stored, arguments)
				if writes := w.writes(); len(writes) > 0 {
					t.Errorf("the import has written: %v", writes)
				}
				if state.text(t, "id") != lost.text(t, "id") || state.text(t, "price_per_hour") != lost.text(t, "price_per_hour") {
					t.Errorf("id %s, price %s", state.text(t, "id"), state.text(t, "price_per_hour"))
				}
				w.mustBeQuiet(state.stored, arguments)
				arguments["image"] = vendor.OtherImage
				if plan := begin(t, nil).plan(state.stored, arguments); !slices.Equal(plan.replaces, []string{"image"}) {
					t.Errorf("a later change of the image replaces on %v", plan.replaces)
				}
			})
		}
	})
}

func TestAnImportOfAnotherMachineThanIsWrittenIsAnErrorInThePlan(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		lost := w.change(begin(t, nil).nothing(), w.written(nil))
		for name, test := range map[string]struct {
			changes map[string]any
			at      string
			lacks   bool
		}{
			"another image":  {map[string]any{"image": vendor.OtherImage}, "image", false},
			"another region": {map[string]any{"region": vendor.OtherRegion}, "region", vendor.OtherRegion == ""},
			"another offer":  {map[string]any{"offer_id": vendor.OtherOffer}, "offer_id", false},
		} {
			t.Run(name, func(t *testing.T) {
				if test.lacks {
					t.Skip("the vendor has no such thing")
				}
				imported := begin(t, nil).importMachine(w.account, lost.text(t, "id"))
				mustRefuse(t, begin(t, nil).plan(imported.stored, w.written(test.changes)).diagnostics, test.at, "")
			})
		}
	})
}

func TestAMachineWithoutMarksIsMarkedByTheFirstApply(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		planted := w.plant("web", map[string]string{"theirs": "1"}, nil)
		imported := begin(t, nil).importMachine(w.account, planted.ID)
		w.mustPass("import", imported.diagnostics)
		if got := imported.text(t, "managed"); got != "false" {
			t.Errorf("managed is %s", got)
		}
		mustRefuse(t, begin(t, nil).plan(imported.stored, nil).diagnostics, "", "(INVALID_STATE)")
		replacement := stored{begin(t, nil).nothing().value, imported.private}
		mustRefuse(t, begin(t, nil).plan(replacement, w.written(nil)).diagnostics, "", "(INVALID_STATE)")
		w.emulator.ClearJournal()
		state := w.change(imported.stored, w.written(nil))
		if writes := w.writes(); len(writes) == 0 || slices.ContainsFunc(writes, func(write string) bool { return !w.marksMachines(write) }) {
			t.Errorf("writes: %v, want some that mark the machine", writes)
		}
		if w.labels()["theirs"] != "1" || w.marks()["key"] != state.text(t, "id") || state.text(t, "managed") != "true" {
			t.Errorf("labels %v, marks %v, managed %s", w.labels(), w.marks(), state.text(t, "managed"))
		}
		w.mustBeQuiet(state.stored, w.written(nil))
		w.change(state.stored, nil)
	})
}

func TestAnImportOfAnUnfinishedMachineIsFinishedByTheFirstApply(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		lost := w.change(begin(t, nil).nothing(), w.written(nil))
		marks := w.marks()
		marks["creating"] = "true"
		w.relabel(w.labels(), marks)
		imported := begin(t, nil).importMachine(w.account, lost.text(t, "id"))
		w.mustPass("import", imported.diagnostics)
		state := w.change(imported.stored, w.written(nil))
		if _, creating := w.marks()["creating"]; creating {
			t.Error("the machine still bears the mark creating")
		}
		w.mustBeQuiet(state.stored, w.written(nil))
	})
}

// marksMachines says whether a write can only have put marks on a machine.
func (w *world) marksMachines(write string) bool {
	return strings.HasPrefix(write, "PUT "+w.vendor.CreatePath) || strings.Contains(write, "/tags") ||
		strings.HasPrefix(write, "PUT ") && strings.HasSuffix(write, "/config")
}

func TestAnImportOfNothingSaysWhereItHasLooked(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		mustRefuse(t, begin(t, nil).importMachine(w.account, "no-such").diagnostics, "", "(NOT_FOUND)")
	})
}

func TestASecondStateIsRefusedAndToldHowToImport(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		first := w.change(begin(t, nil).nothing(), w.written(nil))
		w.emulator.ClearJournal()
		command := begin(t, nil)
		second := command.apply(t.Context(), command.nothing(), command.plan(command.nothing(), w.written(nil)), w.written(nil))
		mustRefuse(t, second.diagnostics, "name", "(CONFLICT)")
		if writes := w.writes(); len(writes) > 0 || !second.gone() {
			t.Errorf("writes %v, saved %t", writes, !second.gone())
		}
		for _, part := range []string{"  import {\n", "provider::bettercompute::import_id({", first.text(t, "id")} {
			if !strings.Contains(second.diagnostics[0].Detail, part) {
				t.Errorf("the message lacks %q:\n%s", part, second.diagnostics[0].Detail)
			}
		}
	})
}

func TestAStateThatWasLostTakesItsMachineBackByItsOwner(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		owner := map[string]any{"owner": "shop/main"}
		create := func() applied {
			command := begin(t, owner)
			return command.apply(t.Context(), command.nothing(), command.plan(command.nothing(), w.written(nil)), w.written(nil))
		}
		first := create()
		w.mustPass("create", first.diagnostics)
		second := create()
		w.mustPass("create after the state was lost", second.diagnostics)
		if len(second.diagnostics) != 1 || second.text(t, "machine_id") != first.text(t, "machine_id") || w.only().ID != first.text(t, "machine_id") {
			t.Errorf("diagnostics %v, machine %s", summariesOf(second.diagnostics), second.text(t, "machine_id"))
		}
		w.mustBeQuiet(second.stored, w.written(nil))
	})
}

// mustRefuse expects an error at an attribute, whose summary ends with the code where one is given.
func mustRefuse(t *testing.T, diagnostics []*tfprotov6.Diagnostic, at, code string) {
	t.Helper()
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity != tfprotov6.DiagnosticSeverityError {
			continue
		}
		where := ""
		if diagnostic.Attribute != nil && len(diagnostic.Attribute.Steps()) > 0 {
			where = strings.TrimSuffix(strings.TrimPrefix(strings.SplitN(diagnostic.Attribute.String(), ".", 2)[0], `AttributeName("`), `")`)
		}
		if where != at || !strings.HasSuffix(diagnostic.Summary, code) {
			t.Errorf("error at %q: %s: %s; want one at %q with %s", where, diagnostic.Summary, diagnostic.Detail, at, code)
		}
		return
	}
	t.Errorf("no error at %q %s among %v", at, code, summariesOf(diagnostics))
}

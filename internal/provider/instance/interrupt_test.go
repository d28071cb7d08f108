// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// patience is far less than what slow makes of an operation, and more than a busy computer needs for a few requests.
const patience = 5 * time.Minute

// slow makes an operation of the vendor take an hour.
func (w *world) slow(operation string) {
	w.set(func(s *emulator.Settings) {
		s.ActionTimes = map[string]emulator.Duration{operation: emulator.Duration(time.Hour)}
	})
}

// anHourPasses ends what slow has slowed down.
func (w *world) anHourPasses() {
	w.set(func(s *emulator.Settings) { s.Clock += emulator.Duration(2 * time.Hour) })
}

// interrupted applies a plan and presses Ctrl-C as soon as the vendor has been asked how far the operation is.
func (w *world) interrupted(prior stored, arguments map[string]any) applied {
	w.t.Helper()
	command := begin(w.t, nil)
	plan := command.plan(prior, arguments)
	w.mustPass("plan", plan.diagnostics)
	w.emulator.ClearJournal()
	ended := make(chan applied, 1)
	go func() { ended <- command.apply(w.t.Context(), prior, plan, arguments) }()
	w.awaitWait()
	pressed := time.Now()
	if _, err := command.server.StopProvider(w.t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		w.t.Fatal(err)
	}
	done := <-ended
	if took := time.Since(pressed); took > patience {
		w.t.Errorf("the interrupt took %s", took)
	}
	return done
}

// awaitWait returns when a change of a machine has been sent and the vendor has been asked something after it.
func (w *world) awaitWait() {
	w.t.Helper()
	deadline := time.After(patience)
	for look := time.NewTicker(5 * time.Millisecond); ; {
		select {
		case <-look.C:
			journal := w.emulator.Journal()
			changed := slices.IndexFunc(journal, func(entry emulator.Entry) bool {
				return entry.Method != "GET" && strings.HasPrefix(entry.Path, cmp.Or(w.vendor.WritePath, w.vendor.CreatePath))
			})
			if changed >= 0 && slices.ContainsFunc(journal[changed:], func(entry emulator.Entry) bool { return entry.Method == "GET" }) {
				look.Stop()
				return
			}
		case <-deadline:
			w.t.Fatalf("no change of a machine is waited for after %s", patience)
		}
	}
}

func hasError(diagnostics []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

// mustBeFinished applies what an unfinished create has left and expects the same machine, made by no second request.
func (w *world) mustBeFinished(left applied, arguments map[string]any) {
	w.t.Helper()
	machine, id := left.text(w.t, "machine_id"), left.text(w.t, "id")
	if machine != w.only().ID {
		w.t.Fatalf("the state holds machine %s, the vendor has %s", machine, w.only().ID)
	}
	w.anHourPasses()
	w.emulator.ClearJournal()
	seen := begin(w.t, nil).read(left.stored)
	w.mustPass("read", seen.diagnostics)
	if got := begin(w.t, nil).plan(seen.stored, arguments).text(w.t, "state"); got != "unknown" {
		w.t.Errorf("the plan does not finish the machine: state is planned as %s", got)
	}
	state := w.change(seen.stored, arguments)
	if slices.Contains(w.writes(), "POST "+w.vendor.CreatePath) {
		w.t.Errorf("a second machine was ordered: %v", w.writes())
	}
	if state.text(w.t, "machine_id") != machine || state.text(w.t, "id") != id || state.text(w.t, "state") != "running" {
		w.t.Errorf("machine %s, id %s, state %s", state.text(w.t, "machine_id"), state.text(w.t, "id"), state.text(w.t, "state"))
	}
	w.mustBeQuiet(state.stored, arguments)
}

func TestAnInterruptedCreateIsAWarningAndIsFinishedInPlace(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		w.slow(vendor.CreateOperation)
		left := w.interrupted(begin(t, nil).nothing(), w.written(nil))
		if hasError(left.diagnostics) || !slices.Contains(summariesOf(left.diagnostics), "WARNING: The machine is not finished") {
			t.Fatalf("diagnostics are %v", summariesOf(left.diagnostics))
		}
		w.mustBeFinished(left, w.written(nil))
	})
}

func TestWhatHasChangedSinceAnInterruptIsChangedToo(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		w.slow(vendor.CreateOperation)
		left := w.interrupted(begin(t, nil).nothing(), w.written(map[string]any{"labels": map[string]any{"first": "1"}}))
		w.mustBeFinished(left, w.written(map[string]any{"labels": map[string]any{"second": "2"}, "name": "api"}))
		_, first := w.labels()["first"]
		if first || w.labels()["second"] != "2" || w.only().Name != "api" {
			t.Errorf("name %s, labels %v", w.only().Name, w.labels())
		}
	})
}

func TestACreateThatRanOutOfTimeIsFinishedInPlaceOnceItIsUntainted(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		w.slow(vendor.CreateOperation)
		arguments := w.written(map[string]any{"timeouts": map[string]any{"create": "5s"}})
		command := begin(t, nil)
		left := command.apply(t.Context(), command.nothing(), command.plan(command.nothing(), arguments), arguments)
		if !hasError(left.diagnostics) || !strings.Contains(left.diagnostics[0].Summary, "(TIMEOUT)") || !strings.Contains(left.diagnostics[0].Detail, "untaint") {
			t.Fatalf("diagnostics are %v", summariesOf(left.diagnostics))
		}
		w.mustBeFinished(left, arguments)
	})
}

func TestACreateThatKnowsNoMachineSavesNothing(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		if _, err := w.emulator.AddFault(emulator.Fault{Method: "POST", Path: "^" + vendor.CreatePath + "$", Action: "status", Status: 403}); err != nil {
			t.Fatal(err)
		}
		command := begin(t, nil)
		left := command.apply(t.Context(), command.nothing(), command.plan(command.nothing(), w.written(nil)), w.written(nil))
		if !hasError(left.diagnostics) || !left.gone() {
			t.Errorf("diagnostics %v, something saved: %t", summariesOf(left.diagnostics), !left.gone())
		}
	})
}

func TestAnInterruptedReinstallIsAnErrorAndIsRepeated(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		arguments := w.written(map[string]any{"on_change": map[string]any{"image": "reinstall"}})
		state := w.change(begin(t, nil).nothing(), arguments)
		w.slow(vendor.RebuildOperation)
		changed := maps.Clone(arguments)
		changed["image"] = vendor.OtherImage
		left := w.interrupted(state.stored, changed)
		if !hasError(left.diagnostics) {
			t.Errorf("diagnostics are %v", summariesOf(left.diagnostics))
		}
		if left.text(t, "image") != vendor.Image || left.text(t, "machine_id") != state.text(t, "machine_id") {
			t.Errorf("saved: image %s, machine %s", left.text(t, "image"), left.text(t, "machine_id"))
		}
		w.anHourPasses()
		w.set(func(s *emulator.Settings) { s.ActionTimes = nil })
		prior := begin(t, nil).read(left.stored)
		if prior.gone() { // where a reinstall removes the machine first, and its time was over before it could be made anew
			prior.stored = begin(t, nil).nothing()
		}
		again := w.change(prior.stored, changed)
		w.mustBeQuiet(again.stored, changed)
	})
}

func TestAnInterruptedDestroyKeepsTheMachine(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		w.slow(vendor.DeleteOperation)
		left := w.interrupted(state.stored, nil)
		if !hasError(left.diagnostics) || left.gone() {
			t.Fatalf("diagnostics %v, kept: %t", summariesOf(left.diagnostics), !left.gone())
		}
		w.anHourPasses()
		w.set(func(s *emulator.Settings) { s.ActionTimes = nil })
		if done := w.change(left.stored, nil); !done.gone() {
			t.Error("the machine is still in the state")
		}
	})
}

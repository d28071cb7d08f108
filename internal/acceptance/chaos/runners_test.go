// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// Two runners on one state in PostgreSQL: with the backend's lock one waits for the other, or is refused where it may not
// wait; without the lock nothing is doubled.
func TestTwoRunnersOnOneState(t *testing.T) {
	postgres := acceptance.StartPostgres(t)
	for name, lock := range map[string]string{"waits": "-lock-timeout=2m", "is refused": "-lock-timeout=0s", "without the lock": "-lock=false"} {
		t.Run(name, func(t *testing.T) {
			onStage(t, func(s *stage) { s.runners(postgres, lock) })
		})
	}
}

func (s *stage) runners(postgres *acceptance.Postgres, lock string) {
	s.t.Helper()
	if err := s.cloud.ChangeSettings(func(settings *emulator.Settings) {
		settings.ActionTime = emulator.Duration(time.Hour)
	}); err != nil {
		s.t.Fatal(err)
	}
	text := s.shared(postgres)
	first, second := s.workspace(text), s.workspace(text)
	one := first.Start("apply", lock)
	s.await("a create is sent", func() bool { return s.ordered() > 0 })
	two := second.Start("apply", lock)
	outTwo, errTwo := s.letGo(two, lock)
	outOne, _, errOne := one.Wait()
	switch lock {
	case "-lock=false":
		s.judgeRace(outOne, outTwo, errOne, errTwo)
	case "-lock-timeout=0s":
		if errOne != nil || errTwo == nil || !strings.Contains(outTwo, "Error acquiring the state lock") {
			s.t.Errorf("the second runner is not refused: %v, %v\n%s", errOne, errTwo, outTwo)
		}
		s.wantMachines(1, first)
	default:
		if errOne != nil || errTwo != nil || !strings.Contains(outTwo, "No changes") {
			s.t.Errorf("the second runner does not wait: %v, %v\n%s\n%s", errOne, errTwo, outOne, outTwo)
		}
		s.wantMachines(1, first)
	}
	if s.ordered() != 1 {
		s.t.Errorf("%d machines were ordered", s.ordered())
	}
}

// shared is a configuration whose state both runners have. The one with owner is the guide's own for several runners, word for
// word but for where the server is.
func (s *stage) shared(postgres *acceptance.Postgres) string {
	s.t.Helper()
	machine := s.own.written(plain, nil)
	if !s.owned {
		return s.own.configuration(postgres.Block(s.t, databaseOf(s.t)), false, machine, false)
	}
	guide, err := os.ReadFile(filepath.FromSlash("../../../docs/guides/runners.md"))
	if err != nil {
		s.t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(guide), "```terraform\n")
	shown, _, _ = strings.Cut(shown, "```")
	const server = "postgres://terraform@db.example.com/states"
	if !strings.Contains(shown, server) || !strings.Contains(shown, "owner") {
		s.t.Fatalf("the guide shows no backend at %s and no owner:\n%s", server, shown)
	}
	return s.own.configuration(strings.Replace(shown, server, postgres.Connection(s.t, databaseOf(s.t)), 1), false, machine, false)
}

// letGo ends the first runner's wait for its machine, once the second one has met its state: it was refused, it waits for
// the lock, or it has read the state without one and looks at the vendor.
func (s *stage) letGo(two *acceptance.Process, lock string) (string, error) {
	s.t.Helper()
	switch lock {
	case "-lock=false":
		first := s.cloud.Journal()[0]
		s.await("the second runner plans", func() bool {
			return slices.ContainsFunc(s.cloud.JournalSince(s.lastOrder()), func(entry emulator.Entry) bool {
				return entry.Method == first.Method && entry.Path == first.Path
			})
		})
	case "-lock-timeout=0s":
		out, _, err := two.Wait()
		s.anHourPasses()
		return out, err
	default:
		s.await("the second runner waits", func() bool { return strings.Contains(two.Output(), "Acquiring state lock") })
	}
	s.anHourPasses()
	out, _, err := two.Wait()
	return out, err
}

func (s *stage) anHourPasses() {
	s.t.Helper()
	if err := s.cloud.ChangeSettings(func(settings *emulator.Settings) {
		settings.Clock, settings.ActionTime = emulator.Duration(time.Hour), 0
	}); err != nil {
		s.t.Fatal(err)
	}
}

// lastOrder is the place in the journal of the last create that was carried out.
func (s *stage) lastOrder() int64 {
	for _, entry := range slices.Backward(s.cloud.Journal()) {
		if entry.Accepted && s.own.orders(entry) {
			return entry.Seq
		}
	}
	return 0
}

// await looks every few milliseconds until something in another process has happened.
func (s *stage) await(what string, happened func() bool) {
	s.t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(acceptance.Patience)
	for !happened() {
		select {
		case <-look.C:
		case <-deadline:
			s.t.Fatalf("%s: it has not happened within %s", what, acceptance.Patience)
		}
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
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
		settings.ActionTime = emulator.Duration(2 * time.Second)
	}); err != nil {
		s.t.Fatal(err)
	}
	text := s.plain(postgres.Block(s.t, databaseOf(s.t)), nil, false)
	first, second := s.workspace(text), s.workspace(text)
	one := first.Start("apply", lock)
	s.awaitOrder()
	two := second.Start("apply", lock)
	outOne, _, errOne := one.Wait()
	outTwo, _, errTwo := two.Wait()
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

// awaitOrder returns when a create has arrived.
func (s *stage) awaitOrder() {
	s.t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(time.Minute)
	for s.ordered() == 0 {
		select {
		case <-look.C:
		case <-deadline:
			s.t.Fatal("no create was sent within a minute")
		}
	}
}

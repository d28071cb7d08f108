// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// judgeCases are one case for each row of compute.Judgements.
func judgeCases() []testCase {
	var all []testCase
	for _, row := range compute.Judgements {
		all = append(all, testCase{"a state and an object that shows " + string(row.Sight), func(s *scene) { s.judge(row) }})
	}
	return all
}

const judgeOwner = "shop/prod"

// shows makes the object show what the row is about.
func (s *scene) shows(sight compute.Sight, held *compute.Held) {
	s.Helper()
	other := compute.InstanceIdentity{IdempotencyKey: "another"}.ID()
	switch sight {
	case compute.SightOurs:
	case compute.SightLater:
		s.tamper(held.MachineID, func(marks *driver.Marks) { marks.Claim = compute.NewClaim(judgeOwner) })
	case compute.SightForeignClaim:
		s.tamper(held.MachineID, func(marks *driver.Marks) { marks.Claim = compute.NewClaim("another state") })
	case compute.SightUnmarked:
		s.tamper(held.MachineID, func(marks *driver.Marks) { *marks = driver.Marks{} })
	case compute.SightOtherKey:
		s.tamper(held.MachineID, func(marks *driver.Marks) { marks.Key = other })
	case compute.SightReused:
		if held.UUID == "" {
			s.Skip("ids are not used again here")
		}
		s.tamper(held.MachineID, func(marks *driver.Marks) { *marks = driver.Marks{} })
		held.UUID = "00000000-0000-4000-8000-000000000000"
	case compute.SightNothing:
		if _, err := s.account(judgeOwner).Delete(s.ctx, *held, 0); err != nil {
			s.Fatal(err)
		}
	}
}

func (s *scene) judge(row compute.JudgeRow) {
	wish := s.wish()
	held := heldOf(s.create(s.account(judgeOwner), wish), wish)
	s.shows(row.Sight, &held)
	s.judgeRead(row, held)
	s.judgeUpdate(row, held)
	s.judgeDelete(row, held)
}

func (s *scene) judgeRead(row compute.JudgeRow, held compute.Held) {
	s.Helper()
	seen, err := s.account(judgeOwner).Read(s.ctx, held)
	if err != nil {
		s.Fatalf("read: %v", err)
	}
	if gone := row.Read == compute.Remove; seen.Gone != gone {
		s.Errorf("read: gone is %t, the table says %s", seen.Gone, row.Read)
	}
	if warns := row.Read != compute.Keep; (len(seen.Notices) > 0) != warns {
		s.Errorf("read: notices %v, the table says %s", seen.Notices, row.Read)
	}
	if unmarked := row.Sight == compute.SightUnmarked; !seen.Gone && seen.Managed == unmarked {
		s.Errorf("read: managed is %t at %s", seen.Managed, row.Sight)
	}
}

func (s *scene) judgeUpdate(row compute.JudgeRow, held compute.Held) {
	s.Helper()
	var before driver.Machine
	if row.Sight != compute.SightNothing {
		before = s.see(held.MachineID)
	}
	_, err := s.account(judgeOwner).Update(s.ctx, held, compute.Change{RestoreMarks: true, ChangeLabels: true, Labels: map[string]string{"touched": "yes"}})
	switch row.Update {
	case compute.GoOn, compute.RestoreMarks:
		if err != nil {
			s.Fatalf("update: %v", err)
		}
		if seen := s.see(held.MachineID); seen.Marks.Claim != held.Claim || seen.Marks.Key != held.Key || seen.Labels["touched"] != "yes" {
			s.Errorf("after the update the machine is %+v", seen)
		}
	case compute.Refuse, compute.PlanAgain:
		s.wantCode(err, driver.Conflict)
		s.untouched(before)
	case compute.Missing:
		s.wantCode(err, driver.NotFound)
	default:
		s.Errorf("the table has no such deed for an update: %s", row.Update)
	}
}

func (s *scene) judgeDelete(row compute.JudgeRow, held compute.Held) {
	s.Helper()
	notices, err := s.account(judgeOwner).Delete(s.ctx, held, 0)
	if err != nil {
		s.Fatalf("delete: %v", err)
	}
	_, err = s.driver.Get(s.ctx, held.MachineID)
	gone := err != nil && s.driver.Describe(err).Code == driver.NotFound
	switch row.Delete {
	case compute.GoOn, compute.AlreadyGone:
		if !gone {
			s.Errorf("the machine is still there: %v", err)
		}
	case compute.DropNoCall:
		if gone || len(notices) != 1 {
			s.Errorf("gone is %t, notices %v", gone, notices)
		}
	default:
		s.Errorf("the table has no such deed for a delete: %s", row.Delete)
	}
}

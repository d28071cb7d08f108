// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// judgeAddress brings an address to show what a row of the table is about, and looks what a state then does with it.
func (s *scene) judgeAddress(row compute.JudgeRow) {
	owner := ""
	if row.Sight == compute.SightLater {
		owner = "shop"
	}
	account := s.account(owner)
	witness := s.reserve(account, s.addressWish("ipv4", ""))
	held := s.reserve(account, s.addressWish("ipv4", ""))
	s.unmarked = append(s.unmarked, held.AddressID)
	s.bringAddress(row.Sight, held, owner)
	s.settle()
	// A command of its own, which has seen that the account is the right one.
	account = s.account(owner)
	if _, err := account.ReadAddress(s.ctx, witness); err != nil {
		s.Fatal(err)
	}
	seen, err := account.ReadAddress(s.ctx, held)
	if err != nil {
		s.Fatalf("read: %v", err)
	}
	s.checkRead(row, seen)
	_, err = account.UpdateAddress(s.ctx, held, compute.AddressChange{})
	switch row.Update {
	case compute.GoOn, compute.RestoreMarks:
		s.must(err)
	case compute.Missing:
		s.wantCode(err, driver.NotFound)
	default:
		s.wantCode(err, driver.Conflict)
	}
	notices, err := account.DeleteAddress(s.ctx, held)
	s.must(err)
	s.checkDeleted(row, held, notices)
}

func (s *scene) bringAddress(sight compute.Sight, held compute.AddressHeld, owner string) {
	switch sight {
	case compute.SightLater, compute.SightForeignClaim:
		s.tamperAddress(held, func(marks *driver.Marks) { marks.Claim = compute.NewClaim(owner) })
	case compute.SightUnmarked:
		s.tamperAddress(held, func(marks *driver.Marks) { *marks = driver.Marks{} })
	case compute.SightOtherKey:
		other := s.addressWish("ipv4", "")
		s.tamperAddress(held, func(marks *driver.Marks) { marks.Key = other.Key })
	case compute.SightNothing:
		s.must(able[driver.Addresses](s).Release(s.ctx, s.seeAddress(held.AddressID)))
	case compute.SightOurs, compute.SightReused:
	}
}

func (s *scene) checkRead(row compute.JudgeRow, seen compute.AddressSeen) {
	s.Helper()
	if gone := row.Read == compute.Remove; seen.Gone != gone {
		s.Errorf("gone is %t, want %t", seen.Gone, gone)
	}
	if warned := row.Read == compute.Remove || row.Read == compute.KeepAndWarn; (len(seen.Notices) > 0) != warned {
		s.Errorf("the notices are %+v", seen.Notices)
	}
	if !seen.Gone && seen.Managed != (row.Sight != compute.SightUnmarked) {
		s.Errorf("managed is %t", seen.Managed)
	}
}

func (s *scene) checkDeleted(row compute.JudgeRow, held compute.AddressHeld, notices []compute.Notice) {
	s.Helper()
	_, err := able[driver.Addresses](s).GetAddress(s.ctx, held.AddressID)
	there := err == nil
	if left := row.Delete == compute.DropNoCall; left != there || left && len(notices) == 0 {
		s.Errorf("after the delete the address is there: %t, and the notices are %+v", there, notices)
	}
}

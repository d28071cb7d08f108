// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// judgeCertificate brings a certificate to show what a row of the table is about, and looks what a state then does with it.
func (s *scene) judgeCertificate(row compute.JudgeRow) {
	witness, wish := s.customWish(), s.customWish()
	seen := heldCertificate(s.certify(s.account(judgeOwner), witness), witness)
	held := heldCertificate(s.certify(s.account(judgeOwner), wish), wish)
	s.bringCertificate(row.Sight, held)
	// A command of its own, which has seen that the account is the right one.
	account := s.account(judgeOwner)
	if _, err := account.ReadCertificate(s.ctx, seen); err != nil {
		s.Fatal(err)
	}
	s.judgeCertificateRead(row, account, held)
	_, err := account.UpdateCertificate(s.ctx, held)
	switch row.Update {
	case compute.GoOn, compute.RestoreMarks:
		if err != nil {
			s.Fatalf("update: %v", err)
		}
		if marks := s.seeCertificate(held.CertificateID).Marks; marks.Claim != held.Claim || marks.Key != held.Key || !marks.Managed {
			s.Errorf("after the update the marks are %+v", marks)
		}
	case compute.Missing:
		s.wantCode(err, driver.NotFound)
	default:
		s.wantCode(err, driver.Conflict)
	}
	notices, err := account.DeleteCertificate(s.ctx, held)
	if err != nil {
		s.Fatalf("delete: %v", err)
	}
	_, err = s.certificates().Certificate(s.ctx, held.CertificateID)
	there := err == nil
	if left := row.Delete == compute.DropNoCall; left != there || left != (len(notices) == 1) {
		s.Errorf("after the delete it is there: %t, the notices are %+v", there, notices)
	}
}

func (s *scene) judgeCertificateRead(row compute.JudgeRow, account *compute.Account, held compute.HeldCertificate) {
	s.Helper()
	seen, err := account.ReadCertificate(s.ctx, held)
	if err != nil {
		s.Fatalf("read: %v", err)
	}
	if gone := row.Read == compute.Remove; seen.Gone != gone {
		s.Errorf("gone is %t, the table says %s", seen.Gone, row.Read)
	}
	if warns := row.Read != compute.Keep; (len(seen.Notices) > 0) != warns {
		s.Errorf("the notices are %v, the table says %s", seen.Notices, row.Read)
	}
	if !seen.Gone && seen.Managed == (row.Sight == compute.SightUnmarked) {
		s.Errorf("managed is %t at %s", seen.Managed, row.Sight)
	}
}

func (s *scene) bringCertificate(sight compute.Sight, held compute.HeldCertificate) {
	s.Helper()
	switch sight {
	case compute.SightOurs, compute.SightReused:
	case compute.SightLater:
		s.tamperCertificate(held.CertificateID, func(marks *driver.Marks) { marks.Claim = compute.NewClaim(judgeOwner) })
	case compute.SightForeignClaim:
		s.tamperCertificate(held.CertificateID, func(marks *driver.Marks) { marks.Claim = compute.NewClaim("another state") })
	case compute.SightUnmarked:
		s.tamperCertificate(held.CertificateID, func(marks *driver.Marks) { *marks = driver.Marks{} })
	case compute.SightOtherKey:
		other := s.customWish()
		s.tamperCertificate(held.CertificateID, func(marks *driver.Marks) { marks.Key = other.Key })
	case compute.SightNothing:
		if err := s.certificates().DeleteCertificate(s.ctx, s.seeCertificate(held.CertificateID)); err != nil {
			s.Fatal(err)
		}
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// certificateCases are for vendors that have certificates; the others pass them by.
func certificateCases() []testCase {
	cases := []testCase{
		{"a managed certificate goes through its life", func(s *scene) { s.certificateLife(s.managedWish()) }},
		{"a custom certificate goes through its life", func(s *scene) { s.certificateLife(s.customWish()) }},
		{"a certificate and its replacement have one name", (*scene).certificateRotation},
		{"a create of a certificate that is repeated by the same owner adopts it", (*scene).certificateAdopted},
		{"a create of a certificate that is repeated without owner is a CONFLICT", (*scene).certificateForeign},
		{"a create of a certificate that was killed is carried on", (*scene).certificateCarriedOn},
		{"a certificate that is not what is planned is a CONFLICT that names it", (*scene).certificateDiffers},
		{"an interrupted issuance is finished in place", (*scene).certificateFinish},
		{"certificates with one key and two processes: one is made", (*scene).certificateRace},
		{"a domain in no zone of the tenant is refused before anything is made", (*scene).certificateZones},
	}
	for _, row := range compute.Judgements {
		if row.Sight == compute.SightReused {
			// Ids of certificates are not given away again.
			continue
		}
		cases = append(cases, testCase{"certificate: " + string(row.Sight), func(s *scene) { s.judgeCertificate(row) }})
	}
	for i, one := range cases {
		cases[i].run = func(s *scene) {
			if s.account("").Has(compute.CapabilityCertificates) {
				one.run(s)
			}
		}
	}
	return cases
}

func (s *scene) certificateWish(kind driver.CertificateKind) compute.CertificateWish {
	s.counter++
	name := fmt.Sprintf("%s-%d", s.subject.Prefix, s.counter)
	identity := compute.CertificateIdentity{Tenant: "drivertest", AccountID: s.subject.Reference.ID, Name: name, Kind: string(kind)}
	s.certificateNames = append(s.certificateNames, driver.UniqueName(name, identity.ID()))
	return compute.CertificateWish{Key: identity.ID(), Name: name, Kind: kind, Tenant: "drivertest"}
}

func (s *scene) managedWish() compute.CertificateWish {
	wish := s.certificateWish(driver.CertificateManaged)
	wish.Domains = []string{"*." + s.subject.Zone, "www." + s.subject.Zone}
	return wish
}

func (s *scene) customWish() compute.CertificateWish {
	wish := s.certificateWish(driver.CertificateCustom)
	material := s.subject.Material(s.T)
	wish.Material = func(context.Context) (compute.Material, error) { return material, nil }
	return wish
}

func heldCertificate(made compute.MadeCertificate, wish compute.CertificateWish) compute.HeldCertificate {
	return compute.HeldCertificate{
		CertificateID: made.Certificate.ID, Key: wish.Key, Name: wish.Name, Kind: wish.Kind, Claim: made.Claim,
	}
}

func (s *scene) certify(account *compute.Account, wish compute.CertificateWish) compute.MadeCertificate {
	s.Helper()
	made, err := account.CreateCertificate(s.ctx, wish)
	if err != nil {
		s.Fatalf("create %s: %v", wish.Name, err)
	}
	return made
}

func (s *scene) certificates() driver.Certificates { return able[driver.Certificates](s) }

// seeCertificate reads a certificate through the driver, with nothing in between.
func (s *scene) seeCertificate(id string) driver.Certificate {
	s.Helper()
	certificate, err := s.certificates().Certificate(s.ctx, id)
	if err != nil {
		s.Fatalf("get certificate %s: %v", id, err)
	}
	return certificate
}

func (s *scene) tamperCertificate(id string, change func(*driver.Marks)) driver.Certificate {
	s.Helper()
	certificate := s.seeCertificate(id)
	marks := certificate.Marks
	change(&marks)
	marked, err := s.certificates().MarkCertificate(s.ctx, certificate, marks)
	if err != nil {
		s.Fatalf("mark %s: %v", id, err)
	}
	return marked
}

// untouchedCertificate is untouched for a certificate.
func (s *scene) untouchedCertificate(before driver.Certificate) {
	s.Helper()
	if after := s.seeCertificate(before.ID); after.Marks != before.Marks {
		s.Errorf("the marks were %+v and are %+v", before.Marks, after.Marks)
	}
}

func (s *scene) certificateLife(wish compute.CertificateWish) {
	account := s.account("")
	made := s.certify(account, wish)
	certificate := s.seeCertificate(made.Certificate.ID)
	if marks := certificate.Marks; !marks.Managed || marks.Key != wish.Key || marks.Claim != made.Claim || marks.Creating {
		s.Errorf("the marks are %+v", marks)
	}
	if certificate.State != driver.CertificateReady || certificate.Kind != wish.Kind || certificate.Name != driver.UniqueName(wish.Name, wish.Key) {
		s.Errorf("the certificate is %+v", certificate)
	}
	for _, object := range []string{wish.Key, made.Certificate.ID, wish.Name, certificate.Name} {
		found, err := account.LookupCertificate(s.ctx, object)
		if err != nil || found.ID != made.Certificate.ID {
			s.Errorf("%s: %+v, %v", object, found, err)
		}
	}
	_, err := account.LookupCertificate(s.ctx, "no-such-certificate")
	s.wantCode(err, driver.NotFound)
	if _, err := account.ReadCertificate(s.ctx, heldCertificate(made, wish)); err != nil {
		s.Fatalf("read: %v", err)
	}
	for range 2 {
		if _, err := account.DeleteCertificate(s.ctx, heldCertificate(made, wish)); err != nil {
			s.Fatalf("delete: %v", err)
		}
	}
}

func (s *scene) certificateRotation() {
	account := s.account("")
	first := s.customWish()
	old := s.certify(account, first)
	second := s.customWish()
	second.Name = first.Name
	s.certificateNames = append(s.certificateNames, driver.UniqueName(second.Name, second.Key))
	made := s.certify(account, second)
	if _, err := account.DeleteCertificate(s.ctx, heldCertificate(old, first)); err != nil {
		s.Fatal(err)
	}
	if seen := s.seeCertificate(made.Certificate.ID); driver.PlainName(seen.Name, second.Key) != first.Name {
		s.Errorf("the new one is %+v", seen)
	}
}

func (s *scene) certificateAdopted() {
	wish := s.customWish()
	first := s.certify(s.account("shop/prod"), wish)
	second := s.certify(s.account("shop/prod"), wish)
	if second.Certificate.ID != first.Certificate.ID || !second.Adopted || len(second.Notices) != 1 || second.Claim == first.Claim {
		s.Errorf("first %+v, second %+v", first, second)
	}
	if shown := s.seeCertificate(first.Certificate.ID).Marks.Claim; shown != second.Claim {
		s.Errorf("the claim is %s, want %s", shown, second.Claim)
	}
}

func (s *scene) certificateForeign() {
	wish := s.customWish()
	first := s.certify(s.account(""), wish)
	before := s.seeCertificate(first.Certificate.ID)
	for _, owner := range []string{"", "somebody else"} {
		made, err := s.account(owner).CreateCertificate(s.ctx, wish)
		s.wantRefused(err, made.Certificate.ID, wish.Key)
	}
	s.untouchedCertificate(before)
}

func (s *scene) certificateCarriedOn() {
	wish := s.managedWish()
	wish.Domains = []string{"www." + s.subject.Zone}
	created, err := s.certificates().CreateCertificate(s.ctx, driver.CertificateSpec{
		Name: wish.Name, Kind: wish.Kind, Domains: wish.Domains,
		Marks: driver.Marks{Managed: true, Key: wish.Key, Account: s.subject.Reference.ID, Claim: compute.NewClaim(""), Creating: true},
	})
	if err != nil {
		s.Fatal(err)
	}
	made := s.certify(s.account(""), wish)
	if made.Certificate.ID != created.Certificate.ID || len(made.Notices) != 1 {
		s.Errorf("%+v", made)
	}
	if marks := s.seeCertificate(made.Certificate.ID).Marks; marks.Creating || marks.Claim != made.Claim {
		s.Errorf("the marks are %+v, the claim %s", marks, made.Claim)
	}
}

func (s *scene) certificateDiffers() {
	wish := s.managedWish()
	first := s.certify(s.account("shop/prod"), wish)
	other := wish
	other.Domains = []string{"other." + s.subject.Zone}
	before := s.seeCertificate(first.Certificate.ID)
	_, err := s.account("shop/prod").CreateCertificate(s.ctx, other)
	s.wantCode(err, driver.Conflict)
	if !strings.Contains(err.Error(), other.Domains[0]) {
		s.Errorf("the error does not name the domain: %v", err)
	}
	s.untouchedCertificate(before)
}

func (s *scene) certificateFinish() {
	wish := s.managedWish()
	var made compute.MadeCertificate
	s.interrupted(func(ctx context.Context) (id string, unfinished bool, err error) {
		made, err = s.account("").CreateCertificate(ctx, wish)
		return made.Certificate.ID, made.Unfinished, err
	})
	finished, err := s.account("").FinishCertificate(s.ctx, heldCertificate(made, wish), wish)
	if err != nil {
		s.Fatal(err)
	}
	marks := s.seeCertificate(made.Certificate.ID).Marks
	if finished.Unfinished || finished.Certificate.ID != made.Certificate.ID || marks.Creating || marks.Claim != made.Claim {
		s.Errorf("finished %+v, the marks are %+v", finished, marks)
	}
}

func (s *scene) certificateRace() {
	wish := s.customWish()
	won := s.racing(func(account *compute.Account) error {
		_, err := account.CreateCertificate(s.ctx, wish)
		return err
	})
	found, err := s.certificates().FindCertificateName(s.ctx, driver.UniqueName(wish.Name, wish.Key))
	if err != nil || len(found) != 1 || won != 1 {
		s.Errorf("%d creates say that they have won; there is %+v, %v", won, found, err)
	}
}

func (s *scene) certificateZones() {
	wish := s.managedWish()
	wish.Domains = append(wish.Domains, "www.not-"+s.subject.Zone)
	_, err := s.account("").CreateCertificate(s.ctx, wish)
	s.wantCode(err, driver.InvalidInput)
	if known, ok := errors.AsType[*compute.Error](err); !ok || known.Reason != driver.ReasonDomainNotOwned || known.Field != "domains" {
		s.Errorf("the error is %v", err)
	}
	if found, err := s.certificates().FindCertificates(s.ctx, wish.Key); err != nil || len(found) != 0 {
		s.Errorf("%+v, %v", found, err)
	}
}

// leaveNoCertificate removes what a case has made.
func (s *scene) leaveNoCertificate(ctx context.Context) {
	if len(s.certificateNames) == 0 {
		return
	}
	for _, name := range s.certificateNames {
		found, err := s.certificates().FindCertificateName(ctx, name)
		if err != nil {
			s.Errorf("find %s: %v", name, err)
		}
		for _, certificate := range found {
			if err := s.certificates().DeleteCertificate(ctx, certificate); err != nil {
				s.Errorf("delete %s: %v", name, err)
			}
		}
	}
}

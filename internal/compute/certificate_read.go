// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// ReadCertificate looks at a certificate that a state holds, by the vendor's id and, where a renewal changes that, by its
// name, and judges what it shows. It never writes. Absence is believed only of an account that can be shown to be the right
// one.
func (a *Account) ReadCertificate(ctx context.Context, held HeldCertificate) (SeenCertificate, error) {
	action := "read " + held.holding().String()
	if _, err := a.vendorCertificates(action); err != nil {
		return SeenCertificate{}, err
	}
	certificate, err := a.locateCertificate(ctx, held, age{since: a.settings.Opened})
	var seen sighting[driver.Certificate]
	if err == nil {
		seen = a.certificates.judgeRead(ctx, held.holding(), certificate)
	} else if seen, err = a.certificates.absent(ctx, held.holding(), err, action); err != nil {
		return SeenCertificate{}, err
	}
	return SeenCertificate{Certificate: seen.object, Gone: seen.gone, Managed: seen.managed, Proof: seen.proof, Notices: seen.notices}, nil
}

// locateCertificate answers a certificate that a state holds. Where a renewal changes the id, the name finds it again.
func (a *Account) locateCertificate(ctx context.Context, held HeldCertificate, wanted age) (driver.Certificate, error) {
	certificate, err := a.certificates.get(ctx, held.CertificateID, wanted)
	vendor, ok := a.driver.(driver.Certificates)
	if err == nil || !ok || !a.Limits().RenewalChangesID || held.Kind != driver.CertificateManaged || !a.isGone(err) {
		return certificate, err
	}
	for _, name := range []string{driver.UniqueName(held.Name, held.Key), held.Name} {
		found, findErr := vendor.FindCertificateName(ctx, name)
		if findErr != nil {
			return certificate, findErr
		}
		for _, one := range found {
			if one.Kind == driver.CertificateManaged && (one.Marks.Key == held.Key || one.Marks.Key == "") {
				return one, nil
			}
		}
	}
	return certificate, err
}

// openCertificate takes the certificate's turn, reads it as it is now and judges whether the state may change it.
func (a *Account) openCertificate(ctx context.Context, held HeldCertificate, action string) (leave func(), certificate driver.Certificate, err error) {
	leave, err = a.queue.enter(ctx, held.Key)
	if err != nil {
		return nil, certificate, a.ended(ctx, action, held.holding().String(), nil)
	}
	certificate, err = a.locateCertificate(ctx, held, a.certificates.objects.now())
	if err == nil {
		err = a.certificates.judgeUpdate(held.holding(), certificate, action)
	}
	if err != nil {
		leave()
		return nil, certificate, a.explain(ctx, err, action, held.holding().String())
	}
	return leave, certificate, nil
}

// UpdateCertificate writes marks that are missing, which is all that can change on a certificate.
func (a *Account) UpdateCertificate(ctx context.Context, held HeldCertificate) (MadeCertificate, error) {
	action := "update " + held.holding().String()
	if _, err := a.vendorCertificates(action); err != nil {
		return MadeCertificate{}, err
	}
	leave, certificate, err := a.openCertificate(ctx, held, action)
	if err != nil {
		return MadeCertificate{}, err
	}
	defer leave()
	marked, err := a.certificates.restoreMarks(ctx, held.holding(), certificate, false, action)
	return MadeCertificate{Certificate: marked, Claim: held.Claim, Proof: held.Proof}, err
}

// DeleteCertificate removes a certificate and returns when it is seen to be gone. What is gone already is deleted; what is
// not ours any more is left alone, with a notice. One that is in use is waited for as long as the operation has time.
func (a *Account) DeleteCertificate(ctx context.Context, held HeldCertificate) ([]Notice, error) {
	action := "delete " + held.holding().String()
	vendor, err := a.vendorCertificates(action)
	if err != nil {
		return nil, err
	}
	leave, err := a.queue.enter(ctx, held.Key)
	if err != nil {
		return nil, a.ended(ctx, action, "", nil)
	}
	defer leave()
	certificate, err := a.locateCertificate(ctx, held, a.certificates.objects.now())
	if err != nil {
		_, err = a.certificates.absent(ctx, held.holding(), err, action)
		return nil, err
	}
	if JudgeMarks(certificate.Marks, held.Key, held.Claim, a.settings.Owner).Delete == DropNoCall {
		return []Notice{noLongerOurs(nounCertificate, held.holding().String(), claimedCertificate(certificate))}, nil
	}
	if err := a.removeCertificate(ctx, vendor, certificate, action); err != nil {
		return nil, err
	}
	return nil, a.certificates.awaitGone(ctx, certificate, action)
}

// removeCertificate is sent once more when its answer was lost: one that is gone is what was wanted.
func (a *Account) removeCertificate(ctx context.Context, vendor driver.Certificates, certificate driver.Certificate, action string) error {
	var err error
	for range 2 {
		err = a.persist(ctx, action, "", func(ctx context.Context) error { return vendor.DeleteCertificate(ctx, certificate) })
		a.certificates.objects.wrote(certificate.ID)
		if err == nil || a.isGone(err) {
			return nil
		}
		if a.describe(err).Outcome != driver.Unknown {
			break
		}
	}
	return a.usedBy(ctx, vendor, certificate, err)
}

// usedBy names what uses a certificate that could not be deleted for that reason.
func (a *Account) usedBy(ctx context.Context, vendor driver.Certificates, certificate driver.Certificate, err error) error {
	known, ok := errors.AsType[*Error](err)
	if !ok || known.Reason != driver.ReasonInUse {
		return err
	}
	reading, done := lastWords(ctx)
	defer done()
	seen, readErr := vendor.Certificate(reading, certificate.ID)
	if readErr != nil || len(seen.UsedBy) == 0 {
		return err
	}
	named := *known
	named.Message += "\nIt is used by: " + strings.Join(seen.UsedBy, ", ") + "."
	return &named
}

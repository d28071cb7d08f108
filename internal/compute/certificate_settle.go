// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// resumeCertificate carries a certificate on that bears our claim. An issuance that has failed is asked for once more where
// the vendor can do that.
func (a *Account) resumeCertificate(ctx context.Context, vendor driver.Certificates, wish CertificateWish, made MadeCertificate) (MadeCertificate, error) {
	if made.Certificate.State != driver.CertificateError {
		return a.settleCertificate(ctx, wish, made, nil)
	}
	var operations []driver.Operation
	err := a.persist(ctx, "issue "+wish.planned().String(), "", func(ctx context.Context) error {
		var err error
		operations, err = vendor.RetryCertificate(ctx, made.Certificate)
		return err
	})
	a.certificates.objects.wrote(made.Certificate.ID)
	if err != nil && a.describe(err).Code != driver.Unsupported {
		return a.failCertificate(ctx, wish, made, err)
	}
	return a.settleCertificate(ctx, wish, made, operations)
}

// settleCertificate waits until a certificate is issued, and takes the mark `creating` off.
func (a *Account) settleCertificate(ctx context.Context, wish CertificateWish, made MadeCertificate, operations []driver.Operation) (MadeCertificate, error) {
	if err := a.await(ctx, operations, "issue "+wish.planned().String(), ""); err != nil {
		return a.failCertificate(ctx, wish, made, aboutDomains(err, wish))
	}
	issued, err := a.awaitIssued(ctx, wish, made.Certificate)
	made.Certificate = issued
	if err != nil {
		return a.failCertificate(ctx, wish, made, err)
	}
	completed, won, err := a.certificates.complete(ctx, wish.planned(), issued, made.Claim)
	if !won {
		return MadeCertificate{}, err
	}
	made.Certificate = completed
	if err != nil {
		return a.failCertificate(ctx, wish, made, err)
	}
	made.Unfinished, made.Proof = false, a.proofSeen(ctx, made.Proof)
	return made, nil
}

// awaitIssued reads the certificate until it is ready. A read that fails for a passing reason is no failure of the wait.
func (a *Account) awaitIssued(ctx context.Context, wish CertificateWish, certificate driver.Certificate) (driver.Certificate, error) {
	action, object := "issue "+wish.planned().String(), claimedCertificate(certificate).object
	for look := 0; ; look++ {
		seen, err := certificate, error(nil)
		if look > 0 || certificate.State != driver.CertificateReady {
			seen, err = a.certificates.fresh(ctx, certificate.ID)
		}
		switch {
		case err == nil && seen.State == driver.CertificateReady:
			return seen, nil
		case err == nil && seen.State == driver.CertificateError:
			return seen, aboutDomains(a.explain(ctx, issuanceError(seen), action, object), wish)
		case err != nil && !a.passing(err):
			return certificate, a.explain(ctx, err, action, object)
		}
		if pause(ctx, interval(look)) != nil {
			return certificate, a.ended(ctx, action, object, err)
		}
	}
}

// errNotIssued is what is known where a vendor gives no reason.
var errNotIssued = errors.New("the vendor has not issued the certificate, and gives no reason")

func issuanceError(certificate driver.Certificate) error {
	if certificate.Err != nil {
		return certificate.Err
	}
	return errNotIssued
}

// aboutDomains names the domains in the error of an issuance.
func aboutDomains(err error, wish CertificateWish) error {
	known, ok := errors.AsType[*Error](err)
	if !ok || errors.Is(err, ErrInterrupted) || known.Code == driver.Timeout {
		return err
	}
	named := *known
	named.Field = "domains"
	named.Message += "\nThe domains are: " + strings.Join(wish.Domains, ", ") + "."
	return &named
}

// failCertificate ends a create that knows its certificate. What the vendor has thrown away is not kept.
func (a *Account) failCertificate(ctx context.Context, wish CertificateWish, made MadeCertificate, failed error) (MadeCertificate, error) {
	left, there := a.certificates.letGo(ctx, made.Certificate, made.Claim)
	if there {
		made.Certificate = left
		return made, failed
	}
	known, ok := errors.AsType[*Error](failed)
	if !ok || known.Code != driver.NotFound {
		return MadeCertificate{}, failed
	}
	known.Code, known.Outcome = driver.ProviderError, driver.Done
	known.Advice = capital(wish.planned().String()) + " was ordered, and then the vendor or somebody removed it again. Apply again. Nothing is kept."
	return MadeCertificate{}, known
}

// FinishCertificate carries on a create whose certificate a state holds already: what an interrupted create, an untainted
// one or an import of an unfinished certificate left to do.
func (a *Account) FinishCertificate(ctx context.Context, held HeldCertificate, wish CertificateWish) (MadeCertificate, error) {
	action := "create " + wish.planned().String()
	vendor, err := a.vendorCertificates(action)
	if err != nil {
		return MadeCertificate{}, err
	}
	leave, certificate, err := a.openCertificate(ctx, held, action)
	if err != nil {
		return MadeCertificate{}, err
	}
	defer leave()
	made := MadeCertificate{Certificate: certificate, Claim: held.Claim, Proof: held.Proof, Unfinished: true}
	if certificate.Marks.Claim != held.Claim {
		made.Certificate, err = a.certificates.restoreMarks(ctx, held.holding(), certificate, true, action)
		if err != nil {
			return made, err
		}
	}
	return a.resumeCertificate(ctx, vendor, wish, made)
}

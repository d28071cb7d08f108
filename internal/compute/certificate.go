// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

const nounCertificate = "certificate"

// CertificateWish is a certificate as it is planned.
type CertificateWish struct {
	Key, Name string
	Kind      driver.CertificateKind
	// Tenant and Domains are those of a managed certificate: each domain must be in a zone of the tenant.
	Tenant  string
	Domains []string
	// Material answers what is uploaded of a custom certificate. It is called once, by the create.
	Material func(context.Context) (Material, error)
}

// Material is a custom certificate as it is uploaded.
type Material struct {
	// Certificate is the leaf alone, Chain what follows it, PrivateKey its key, each as PEM.
	Certificate, Chain, PrivateKey string
	// Fingerprint is the leaf's SHA-256, FingerprintSHA1 its SHA-1, in lower-case hex.
	Fingerprint, FingerprintSHA1 string
}

// HeldCertificate is what a state knows of a certificate that it holds.
type HeldCertificate struct {
	// CertificateID is the vendor's, Key our id, Name the one in the configuration.
	CertificateID, Key, Name string
	Kind                     driver.CertificateKind
	// Claim is the state's own; for an imported certificate without marks the one that is to be written.
	Claim string
	// Proof is what the create gave to tell later that an account is the right one; empty: it gave none.
	Proof string
}

// MadeCertificate is what an operation leaves behind, also one that ends in an error.
type MadeCertificate struct {
	// Certificate is as it was last seen; without an ID nothing is known at the vendor.
	Certificate driver.Certificate
	// Claim and Proof belong into the resource's private state.
	Claim, Proof string
	// Unfinished says that the create has not come to its end; FinishCertificate carries it on.
	Unfinished bool
	// Adopted says that the certificate was there before.
	Adopted bool
	Notices []Notice
}

// SeenCertificate is what a read found.
type SeenCertificate struct {
	Certificate driver.Certificate
	// Gone says that the state is to drop the certificate; the notices say why.
	Gone bool
	// Managed is false while our marks are missing; an update writes them.
	Managed bool
	// Proof is as in Seen.
	Proof   string
	Notices []Notice
}

func (w CertificateWish) planned() planned { return planned{nounCertificate, w.Key, w.Name} }

func (h HeldCertificate) holding() holding {
	return holding{noun: nounCertificate, id: h.CertificateID, key: h.Key, name: h.Name, claim: h.Claim, proof: h.Proof}
}

func claimedCertificate(certificate driver.Certificate) claimed {
	return claimed{
		object: nounCertificate + " " + certificate.Name + " (id " + certificate.ID + ")", id: certificate.ID, name: certificate.Name,
		marks: certificate.Marks, otherClaims: certificate.OtherClaims, created: certificate.CreatedAt,
	}
}

func olderCertificate(a, b driver.Certificate) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), compareIDs(a.ID, b.ID))
}

// newCertificates is nil where the vendor has no certificates.
func newCertificates(account *Account) *kept[driver.Certificate] {
	vendor, ok := account.driver.(driver.Certificates)
	if !ok {
		return nil
	}
	certificates := &kept[driver.Certificate]{
		account: account, noun: nounCertificate, mark: vendor.MarkCertificate, one: vendor.Certificate, claimed: claimedCertificate,
		objects: newLists(vendor.Certificates, func(certificate driver.Certificate) string { return certificate.ID }, olderCertificate),
	}
	if claims, ok := account.driver.(driver.CertificateClaims); ok {
		certificates.withdraw = claims.WithdrawCertificate
	}
	return certificates
}

// vendorCertificates answers the vendor's certificates, or UNSUPPORTED with no call made.
func (a *Account) vendorCertificates(action string) (driver.Certificates, error) {
	return capability[driver.Certificates](a, CapabilityCertificates, action)
}

// ManagedCertificates answers everything that bears this account's mark, oldest first, read now.
func (a *Account) ManagedCertificates(ctx context.Context) ([]driver.Certificate, error) {
	const action = "list certificates"
	if _, err := a.vendorCertificates(action); err != nil {
		return nil, err
	}
	current, err := a.certificates.objects.list(ctx, a.certificates.objects.now())
	if err != nil {
		return nil, a.explain(ctx, err, action, "")
	}
	return slices.DeleteFunc(current.ordered(), func(certificate driver.Certificate) bool {
		// The rows of a vendor that keeps marks beside its objects name no account.
		return certificate.Marks.Account != "" && certificate.Marks.Account != a.settings.Reference.ID
	}), nil
}

var certificateIDPattern = regexp.MustCompile(`^pcert_[0-9a-hjkmnp-tv-z]{52}$`)

// LookupCertificate finds the certificate that an import names: by our id, by the vendor's id, or by its name, ours or the
// vendor's. NOT_FOUND when there is none, CONFLICT when there are several.
func (a *Account) LookupCertificate(ctx context.Context, object string) (driver.Certificate, error) {
	action := "find certificate " + object
	vendor, err := a.vendorCertificates(action)
	if err != nil {
		return driver.Certificate{}, err
	}
	found, err := a.certificateCandidates(ctx, vendor, object)
	if err != nil {
		return driver.Certificate{}, a.explain(ctx, err, action, "")
	}
	switch len(found) {
	case 0:
		return driver.Certificate{}, a.fault(driver.NotFound, "", action,
			fmt.Sprintf("Account %s (%s) shows no certificate with this id or name.", a.settings.Reference.ID, a.title()),
			"Check the object and the account: the token's project is the only place that was looked at.")
	case 1:
		return found[0], nil
	}
	var all []claimed
	for _, certificate := range found {
		all = append(all, claimedCertificate(certificate))
	}
	return driver.Certificate{}, a.conflict("", action, "Several certificates match: "+objectsOf(all)+".", "Name one by the vendor's id.")
}

func (a *Account) certificateCandidates(ctx context.Context, vendor driver.Certificates, object string) ([]driver.Certificate, error) {
	if certificateIDPattern.MatchString(object) {
		return vendor.FindCertificates(ctx, object)
	}
	certificate, err := vendor.Certificate(ctx, object)
	if err == nil {
		return []driver.Certificate{certificate}, nil
	}
	if code := a.describe(err).Code; code != driver.NotFound && code != driver.InvalidInput {
		return nil, err
	}
	found, err := vendor.FindCertificateName(ctx, object)
	if err != nil || len(found) > 0 {
		return found, err
	}
	all, err := vendor.Certificates(ctx)
	return slices.DeleteFunc(all, func(certificate driver.Certificate) bool {
		return driver.PlainName(certificate.Name, certificate.Marks.Key) != object
	}), err
}

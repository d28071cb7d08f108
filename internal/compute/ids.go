// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// crockford is lower-case Crockford base32: digits and letters without i, l, o and u.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// idFormat is the version of the array that ids are hashed from. A change of it would hide every object made before.
const idFormat = "bettercompute/1"

// AccountID answers the id of a provider account: pacct_ and 52 characters. The idempotency key, where there is one, takes
// the place of the name.
func AccountID(tenant, kind, name, idempotencyKey string) string {
	if idempotencyKey != "" {
		return hashID("pacct", tenant, kind, "idempotency_key", idempotencyKey)
	}
	return hashID("pacct", tenant, kind, "name", name)
}

// InstanceIdentity is what the id of a machine is made of: arguments as they are written, null and empty being the same.
// Write-only values are never part of it.
type InstanceIdentity struct {
	Tenant, AccountID string
	// IdempotencyKey, where set, takes the place of everything below.
	IdempotencyKey string
	Name           string
	Image          string
	Region         string
	// Regions are a list of them that stands in the place of Region, in their order.
	Regions []string
	// UserDataSHA256 is the hash of user_data in hex; UserDataVersion is user_data_wo_version.
	UserDataSHA256  string
	UserDataVersion string
	// SSHAuthorizedKeys are given only where a change of them replaces the machine. Their order does not count.
	SSHAuthorizedKeys []string
	// Options are those whose change can replace the machine, sets in ascending order. They came later than the rest: without
	// any the id is what it was before.
	Options manifest.Values
}

// ID answers the id of the machine: inst_ and 52 characters.
func (identity InstanceIdentity) ID() string {
	if identity.IdempotencyKey != "" {
		return hashID("inst", identity.Tenant, identity.AccountID, "idempotency_key", identity.IdempotencyKey)
	}
	keys := slices.Sorted(slices.Values(identity.SSHAuthorizedKeys))
	var where any = identity.Region
	if len(identity.Regions) > 0 {
		where = identity.Regions
	}
	parts := []any{identity.Tenant, identity.AccountID, "name", identity.Name, identity.Image, where,
		identity.UserDataSHA256, identity.UserDataVersion, append([]string{}, keys...)}
	if len(identity.Options) > 0 {
		parts = append(parts, identity.Options)
	}
	return hashID("inst", parts...)
}

// CertificateIdentity is what the id of a certificate is made of: arguments as they are written, null and empty being the
// same. Write-only values are never part of it.
type CertificateIdentity struct {
	Tenant, AccountID string
	// IdempotencyKey, where set, takes the place of everything below.
	IdempotencyKey string
	Name           string
	Kind           string
	// Domains are those of a managed certificate. Their order does not count.
	Domains []string
	// Certificate, PrivateKey and Chain are references, Version is references_version.
	Certificate, PrivateKey, Chain, Version string
	// Fingerprints are those of a given PEM and of its chain, leaf first; KeyVersion is private_key_pem_wo_version.
	Fingerprints []string
	KeyVersion   string
}

// ID answers the id of the certificate: pcert_ and 52 characters.
func (identity CertificateIdentity) ID() string {
	if identity.IdempotencyKey != "" {
		return hashID("pcert", identity.Tenant, identity.AccountID, "idempotency_key", identity.IdempotencyKey)
	}
	domains := slices.Sorted(slices.Values(identity.Domains))
	return hashID("pcert", identity.Tenant, identity.AccountID, "name", identity.Name, identity.Kind,
		append([]string{}, domains...), identity.Certificate, identity.PrivateKey, identity.Chain, identity.Version,
		append([]string{}, identity.Fingerprints...), identity.KeyVersion)
}

// UnmarkedCertificateID is UnmarkedInstanceID for a certificate.
func UnmarkedCertificateID(accountID, certificateID string) string {
	return hashID("pcert", accountID, "certificate", certificateID)
}

// UnmarkedInstanceID answers the id of a machine that was imported without any mark of ours: it has never had a key, so
// the account and the vendor's id stand for it.
func UnmarkedInstanceID(accountID, machineID string) string {
	return hashID("inst", accountID, "machine", machineID)
}

func hashID(prefix string, parts ...any) string {
	return prefix + "_" + hash(append([]any{idFormat, prefix}, parts...))
}

func hash(parts []any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic("texts, numbers, truths, lists and maps of them can always be written as JSON: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return crockford.EncodeToString(sum[:])
}

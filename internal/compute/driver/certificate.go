// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import (
	"context"
	"strings"
	"time"
)

// Certificates is the capability to keep TLS certificates for the vendor's load balancers. A certificate is never changed,
// only its marks are.
type Certificates interface {
	// Certificates answers every certificate that bears the managed mark, in full pages.
	Certificates(ctx context.Context) ([]Certificate, error)
	// FindCertificates answers every certificate that bears the key. An immediate index: empty means that there is none.
	FindCertificates(ctx context.Context, key string) ([]Certificate, error)
	// FindCertificateName answers certificates with exactly this name at the vendor, marked or not.
	FindCertificateName(ctx context.Context, name string) ([]Certificate, error)
	// Certificate answers one; NOT_FOUND only for the vendor's well-formed "not found".
	Certificate(ctx context.Context, id string) (Certificate, error)
	// CreateCertificate orders a managed certificate or uploads a custom one, under the name UniqueName gives, and returns
	// as soon as there is an id. It never looks anything up; the marks go with the request, or are written right before
	// and after. Codes: CONFLICT with reason nameTaken, QUOTA_EXCEEDED, INVALID_INPUT with Field domains, certificate,
	// private_key or chain, ACCESS_DENIED.
	CreateCertificate(ctx context.Context, spec CertificateSpec) (CreatedCertificate, error)
	// RetryCertificate asks for the issuance of a managed certificate once more that has failed. UNSUPPORTED where the
	// vendor has no such call.
	RetryCertificate(ctx context.Context, certificate Certificate) ([]Operation, error)
	// MarkCertificate replaces the marks. Where the vendor keeps claims side by side, the new one is added first, and then
	// those that the given certificate shows are removed.
	MarkCertificate(ctx context.Context, certificate Certificate, marks Marks) (Certificate, error)
	// DeleteCertificate removes a certificate and what the vendor's index holds of its marks. Gone already: NOT_FOUND. Used
	// by a load balancer: INVALID_STATE with reason inUse.
	DeleteCertificate(ctx context.Context, certificate Certificate) error
	// Zones answers the DNS zones that the account hosts, in lower case.
	Zones(ctx context.Context) ([]string, error)
}

// CertificateClaims is Claims for certificates.
type CertificateClaims interface {
	// WithdrawCertificate takes one claim off a certificate, and nothing else.
	WithdrawCertificate(ctx context.Context, certificate Certificate, claim string) error
}

// CertificateKind says who makes a certificate.
type CertificateKind string

// The kinds. The vendor issues and renews a managed one; a custom one is uploaded.
const (
	CertificateManaged CertificateKind = "managed"
	CertificateCustom  CertificateKind = "custom"
)

// CertificateState is a certificate's state in words common to all vendors.
type CertificateState string

// The states. Error is an issuance that has failed for good; a renewal that fails leaves a certificate ready.
const (
	CertificatePending  CertificateState = "pending"
	CertificateReady    CertificateState = "ready"
	CertificateDeleting CertificateState = "deleting"
	CertificateError    CertificateState = "error"
)

// Certificate is a TLS certificate at the vendor.
type Certificate struct {
	// ID is the vendor's. Where a renewal changes it, the name stays.
	ID string
	// Name is the vendor's, which UniqueName made from ours.
	Name  string
	Kind  CertificateKind
	State CertificateState
	// Domains are the names that it is for, where the vendor tells.
	Domains []string
	// NotBefore and NotAfter are zero where the vendor does not tell, or not yet.
	NotBefore, NotAfter time.Time
	// Fingerprint is the SHA-256 of the certificate, FingerprintSHA1 its SHA-1, in lower-case hex; empty where the vendor
	// does not tell.
	Fingerprint, FingerprintSHA1 string
	// Err is why the issuance failed, for Describe; nil unless State is error.
	Err error
	// UsedBy names the load balancers that use it, where the vendor tells.
	UsedBy    []string
	CreatedAt time.Time
	// Labels are all that the vendor shows besides our marks.
	Labels map[string]string
	Marks  Marks
	// OtherClaims are as in Machine.
	OtherClaims []string
}

// CertificateSpec is what CreateCertificate needs to know.
type CertificateSpec struct {
	// Name is ours.
	Name string
	Kind CertificateKind
	// Domains are those of a managed certificate.
	Domains []string
	// Certificate is the leaf alone, Chain what follows it, PrivateKey its key, each as PEM; of a custom certificate.
	Certificate, Chain, PrivateKey string
	Marks                          Marks
}

// CreatedCertificate is the answer to CreateCertificate.
type CreatedCertificate struct {
	Certificate Certificate
	Operations  []Operation
	// Proof is what Prove takes later; empty where the vendor leaves none.
	Proof string
}

// uniqueLength is how much of an id's hash a name at the vendor bears.
const uniqueLength = 8

// UniqueName answers the name at the vendor of an object whose names are unique there: our name and a part of our id, so
// that an object and its replacement, which have one name of ours, can be there at the same time.
func UniqueName(name, key string) string {
	return name + uniqueSuffix(key)
}

// PlainName is the reverse of UniqueName; a name that does not end so is answered as it is.
func PlainName(unique, key string) string {
	if suffix := uniqueSuffix(key); suffix != "" {
		return strings.TrimSuffix(unique, suffix)
	}
	return unique
}

func uniqueSuffix(key string) string {
	_, hash, _ := strings.Cut(key, "_")
	if len(hash) < uniqueLength {
		return ""
	}
	return "-" + hash[:uniqueLength]
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certpem

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // a vendor shows certificates by it; nothing is trusted for it
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bundle is a certificate with what follows it up to its issuer, in order.
type Bundle struct {
	Leaf  *x509.Certificate
	Chain []*x509.Certificate
}

// Read takes a certificate and its chain apart. The certificate's text may hold its chain too, as a file named fullchain.pem
// does; chain is empty then, or holds the same once more. Its errors are of type *Fault.
func Read(certificate, chain string) (Bundle, error) {
	first, err := certificates(Certificate, certificate)
	if err != nil {
		return Bundle{}, err
	}
	bundle := Bundle{Leaf: first[0], Chain: first[1:]}
	if strings.TrimSpace(chain) == "" {
		return bundle, nil
	}
	following, err := certificates(Chain, chain)
	if err != nil {
		return Bundle{}, err
	}
	if len(bundle.Chain) > 0 && !equal(bundle.Chain, following) {
		return Bundle{}, &Fault{Certificate, fmt.Sprintf("holds %d certificates, and the chain holds other ones: give the leaf alone and the chain, or all of them here", len(first))}
	}
	bundle.Chain = following
	return bundle, nil
}

// certificates answers the certificates of a text, one at least.
func certificates(part Part, text string) ([]*x509.Certificate, error) {
	found, err := blocks(part, text)
	if err != nil {
		return nil, err
	}
	var parsed []*x509.Certificate
	for _, block := range found {
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			return nil, &Fault{part, "holds a private key: that belongs into the private key alone"}
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, &Fault{part, fmt.Sprintf("is damaged: its certificate number %d cannot be read (%s)", len(parsed)+1, err)}
		}
		parsed = append(parsed, certificate)
	}
	if len(parsed) == 0 {
		return nil, missing(part, text, "CERTIFICATE")
	}
	return parsed, nil
}

func equal(a, b []*x509.Certificate) bool {
	return slices.EqualFunc(a, b, (*x509.Certificate).Equal)
}

// Check finds what no vendor would accept, or no browser: a leaf without names, one that has expired, a chain that is out of
// order or holds the leaf. Its errors are of type *Fault.
func (b Bundle) Check(now time.Time) error {
	switch {
	case len(b.Leaf.DNSNames) == 0 && len(b.Leaf.IPAddresses) == 0:
		return &Fault{Certificate, "names no domain: it has no subject alternative names, the only ones that clients look at"}
	case now.After(b.Leaf.NotAfter):
		return &Fault{Certificate, "has expired on " + b.Leaf.NotAfter.UTC().Format(time.RFC3339)}
	}
	return b.checkChain(now)
}

func (b Bundle) checkChain(now time.Time) error {
	for i, certificate := range b.Chain {
		name := fmt.Sprintf("its certificate number %d (%s)", i+1, subject(certificate))
		switch {
		case certificate.Equal(b.Leaf):
			return &Fault{Chain, fmt.Sprintf("holds the certificate itself: %s is the leaf, and the chain begins with the leaf's issuer", name)}
		case slices.ContainsFunc(b.Chain[:i], certificate.Equal):
			return &Fault{Chain, name + " is there twice"}
		case now.After(certificate.NotAfter):
			return &Fault{Chain, name + " has expired on " + certificate.NotAfter.UTC().Format(time.RFC3339)}
		}
	}
	previous := b.Leaf
	for i, certificate := range b.Chain {
		if !issued(certificate, previous) {
			return &Fault{Chain, fmt.Sprintf("is out of order: its certificate number %d (%s) has not issued the one before it (%s)%s",
				i+1, subject(certificate), subject(previous), b.inOrder())}
		}
		previous = certificate
	}
	return nil
}

func issued(issuer, certificate *x509.Certificate) bool {
	return bytes.Equal(issuer.RawSubject, certificate.RawIssuer) && certificate.CheckSignatureFrom(issuer) == nil
}

// inOrder says how the chain would be right, where all of it fits.
func (b Bundle) inOrder() string {
	var names []string
	rest, previous := slices.Clone(b.Chain), b.Leaf
	for len(rest) > 0 {
		at := slices.IndexFunc(rest, func(certificate *x509.Certificate) bool { return issued(certificate, previous) })
		if at < 0 {
			return ", and no order of the given ones leads on from " + subject(previous)
		}
		previous = rest[at]
		names, rest = append(names, subject(previous)), slices.Delete(rest, at, at+1)
	}
	return ". The right order is: " + strings.Join(names, ", then ")
}

func subject(certificate *x509.Certificate) string {
	if text := certificate.Subject.String(); text != "" {
		return text
	}
	return "serial number " + certificate.SerialNumber.String()
}

// CertificatePEM is the leaf alone.
func (b Bundle) CertificatePEM() string { return encode("CERTIFICATE", b.Leaf.Raw) }

// ChainPEM is what follows the leaf; empty without a chain.
func (b Bundle) ChainPEM() string {
	var contents [][]byte
	for _, certificate := range b.Chain {
		contents = append(contents, certificate.Raw)
	}
	return encode("CERTIFICATE", contents...)
}

// Fingerprint is the SHA-256 of the leaf in lower-case hex.
func (b Bundle) Fingerprint() string { return Fingerprint(b.Leaf) }

// FingerprintSHA1 is the SHA-1 of the leaf in lower-case hex, by which DigitalOcean shows certificates.
func (b Bundle) FingerprintSHA1() string {
	sum := sha1.Sum(b.Leaf.Raw) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

// Fingerprints are the SHA-256 of the leaf and of each certificate of the chain, in order.
func (b Bundle) Fingerprints() []string {
	prints := []string{b.Fingerprint()}
	for _, certificate := range b.Chain {
		prints = append(prints, Fingerprint(certificate))
	}
	return prints
}

// Domains are the names that the certificate is for, in lower case and in order.
func (b Bundle) Domains() []string {
	var names []string
	for _, name := range b.Leaf.DNSNames {
		names = append(names, strings.ToLower(name))
	}
	for _, address := range b.Leaf.IPAddresses {
		names = append(names, address.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Fingerprint is the SHA-256 of a certificate in lower-case hex.
func Fingerprint(certificate *x509.Certificate) string {
	sum := sha256.Sum256(certificate.Raw)
	return hex.EncodeToString(sum[:])
}

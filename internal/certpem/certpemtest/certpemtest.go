// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package certpemtest makes certificates, chains and keys for tests.
package certpemtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"
)

// Pair is a certificate with its key.
type Pair struct {
	Certificate *x509.Certificate
	Key         crypto.Signer
}

// Authority is a root, an intermediate that it has issued, and one that the intermediate has issued.
type Authority struct {
	Root, Upper, Lower Pair
}

// NewAuthority makes an authority; now is the time that its certificates are made at.
func NewAuthority(t testing.TB, now time.Time) Authority {
	t.Helper()
	root := issue(t, nil, template(now, "Test Root"))
	upper := issue(t, &root, template(now, "Test Upper"))
	return Authority{Root: root, Upper: upper, Lower: issue(t, &upper, template(now, "Test Lower"))}
}

func template(now time.Time, name string) *x509.Certificate {
	return &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(365 * 24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
}

// Leaf makes a certificate for domains, valid until a time.
func (a Authority) Leaf(t testing.TB, until time.Time, domains ...string) Pair {
	t.Helper()
	return issue(t, &a.Lower, &x509.Certificate{
		Subject: pkix.Name{CommonName: "leaf"}, DNSNames: domains, NotBefore: until.Add(-90 * 24 * time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
}

// Chain is what follows a leaf: the lower and the upper intermediate.
func (a Authority) Chain() string { return PEM(a.Lower) + PEM(a.Upper) }

func issue(t testing.TB, issuer *Pair, wanted *x509.Certificate) Pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	wanted.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62))
	must(t, err)
	by, signer := wanted, crypto.Signer(key)
	if issuer != nil {
		by, signer = issuer.Certificate, issuer.Key
	}
	der, err := x509.CreateCertificate(rand.Reader, wanted, by, key.Public(), signer)
	must(t, err)
	certificate, err := x509.ParseCertificate(der)
	must(t, err)
	return Pair{Certificate: certificate, Key: key}
}

// PEM is a certificate as PEM.
func PEM(pair Pair) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate.Raw}))
}

// KeyPEM is a key as PKCS #8.
func KeyPEM(t testing.TB, pair Pair) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(pair.Key)
	must(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// Spellings are five texts of one certificate: as tools write it, and as people and editors leave it.
func Spellings(text string) []string {
	return []string{
		text,
		strings.TrimRight(text, "\n"),
		strings.ReplaceAll(text, "\n", "\r\n"),
		"subject=CN = leaf\nissued for us\n" + strings.ReplaceAll(text, "\n-----BEGIN", "\n\n\n-----BEGIN") + "\n\n",
		"    " + strings.ReplaceAll(text, "\n", "\n    "),
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certpem_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem"
	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
)

func TestFaultsAreNamedAtTheirPart(t *testing.T) {
	now := time.Now()
	authority := certpemtest.NewAuthority(t, now)
	later := now.Add(24 * time.Hour)
	leaf, other := authority.Leaf(t, later, "example.com"), authority.Leaf(t, later, "example.org")
	text, key, chain := certpemtest.PEM(leaf), certpemtest.KeyPEM(t, leaf), authority.Chain()
	encrypted := strings.ReplaceAll(key, "PRIVATE KEY", "ENCRYPTED PRIVATE KEY")
	tests := map[string]struct {
		certificate, chain, key string
		part                    certpem.Part
		says                    string
	}{
		"sound":                         {text, chain, key, "", ""},
		"sound without a chain":         {text, "", key, "", ""},
		"full chain in one text":        {text + chain, "", key, "", ""},
		"full chain, and the chain too": {text + chain, chain, key, "", ""},
		"key of another leaf":           {text, chain, certpemtest.KeyPEM(t, other), certpem.PrivateKey, "is not the key of the certificate"},
		"key of the issuer":             {text, chain, certpemtest.KeyPEM(t, authority.Lower), certpem.Certificate, "must begin with the certificate of the private key"},
		"expired":                       {certpemtest.PEM(authority.Leaf(t, now.Add(-time.Hour), "example.com")), chain, "", certpem.Certificate, "has expired on"},
		"no names":                      {certpemtest.PEM(authority.Leaf(t, later)), chain, "", certpem.Certificate, "names no domain"},
		"chain out of order":            {text, certpemtest.PEM(authority.Upper) + certpemtest.PEM(authority.Lower), key, certpem.Chain, "The right order is: CN=Test Lower, then CN=Test Upper"},
		"chain with a gap":              {text, certpemtest.PEM(authority.Upper), key, certpem.Chain, "no order of the given ones"},
		"chain with the leaf":           {text, text + chain, key, certpem.Chain, "holds the certificate itself"},
		"chain with one twice":          {text, chain + certpemtest.PEM(authority.Upper), key, certpem.Chain, "is there twice"},
		"two chains":                    {text + chain, certpemtest.PEM(authority.Lower), key, certpem.Certificate, "the chain holds other ones"},
		"nothing":                       {" \n", chain, key, certpem.Certificate, "is empty"},
		"no PEM":                        {"example.com", chain, key, certpem.Certificate, "holds no PEM block"},
		"a path":                        {text, "/etc/ssl/chain.pem", key, certpem.Chain, "holds no PEM block"},
		"a key for a certificate":       {key, chain, key, certpem.Certificate, "holds a private key"},
		"a certificate for a key":       {text, chain, text, certpem.PrivateKey, "its block is of another sort"},
		"literal line breaks":           {strings.ReplaceAll(text, "\n", `\n`), chain, key, certpem.Certificate, "where line breaks belong"},
		"literal line breaks in a key":  {text, chain, strings.ReplaceAll(key, "\n", `\n`), certpem.PrivateKey, "where line breaks belong"},
		"a key on one line":             {text, chain, strings.ReplaceAll(key, "\n", ""), certpem.PrivateKey, "is damaged"},
		"cut off":                       {text[:len(text)-40], chain, key, certpem.Certificate, "is cut off"},
		"cut off in the chain":          {text, chain[:len(chain)/3] + chain[len(chain)/2:], key, certpem.Chain, "is"},
		"cut off key":                   {text, chain, key[:len(key)-30], certpem.PrivateKey, "is cut off"},
		"not base64":                    {strings.Replace(text, "MII", "M!I", 1), chain, key, certpem.Certificate, "is damaged"},
		"not a certificate":             {strings.ReplaceAll(key, "PRIVATE KEY", "CERTIFICATE"), chain, key, certpem.Certificate, "is damaged"},
		"not a key":                     {text, chain, strings.ReplaceAll(text, "CERTIFICATE", "PRIVATE KEY"), certpem.PrivateKey, "is damaged"},
		"encrypted key":                 {text, chain, encrypted, certpem.PrivateKey, "is encrypted"},
		"two keys":                      {text, chain, key + key, certpem.PrivateKey, "more than one"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { checkPart(t, now, test.certificate, test.chain, test.key, test.part, test.says) })
	}
}

// checkPart reads a certificate with its chain and key, and wants a fault of one part that says something; no fault without a part.
func checkPart(t *testing.T, now time.Time, certificate, chain, key string, part certpem.Part, says string) {
	t.Helper()
	bundle, err := certpem.Read(certificate, chain)
	if err == nil {
		err = bundle.Check(now)
	}
	if err == nil && key != "" {
		_, err = bundle.KeyPEM(key)
	}
	fault, _ := errors.AsType[*certpem.Fault](err)
	switch {
	case part == "" && err != nil:
		t.Errorf("the error is %v", err)
	case part != "" && (fault == nil || fault.Part != part || !strings.Contains(fault.Message, says)):
		t.Errorf("the error is %v, want %s ... %s ...", err, part, says)
	case fault != nil && containsKey(fault.Message, key):
		t.Errorf("the error holds a part of the key: %v", err)
	}
}

// containsKey says whether a text holds a line of a key.
func containsKey(text, key string) bool {
	return slices.ContainsFunc(strings.Split(key, "\n"), func(line string) bool {
		return len(line) > 8 && !strings.HasPrefix(line, "-----") && strings.Contains(text, line[:8])
	})
}

func TestFiveSpellingsAreOneCertificate(t *testing.T) {
	authority := certpemtest.NewAuthority(t, time.Now())
	leaf := authority.Leaf(t, time.Now().Add(time.Hour), "b.example.com", "A.example.com")
	spellings := certpemtest.Spellings(certpemtest.PEM(leaf) + authority.Chain())
	keys := certpemtest.Spellings(certpemtest.KeyPEM(t, leaf))
	want, err := certpem.Read(spellings[0], "")
	if err != nil {
		t.Fatal(err)
	}
	for i, spelling := range spellings {
		if !certpem.Same(spellings[0], spelling) || certpem.Same(spelling, certpemtest.PEM(leaf)) {
			t.Errorf("spelling %d is not the same", i)
		}
		bundle, err := certpem.Read(spelling, "")
		if err != nil {
			t.Fatal(err)
		}
		key, err := bundle.KeyPEM(keys[i])
		if err != nil || key != keys[0] {
			t.Errorf("the key of spelling %d: %q, %v", i, key, err)
		}
		if bundle.CertificatePEM()+bundle.ChainPEM() != spellings[0] || !slices.Equal(bundle.Fingerprints(), want.Fingerprints()) {
			t.Errorf("spelling %d is uploaded in another way", i)
		}
	}
	if domains := want.Domains(); !slices.Equal(domains, []string{"a.example.com", "b.example.com"}) {
		t.Errorf("the domains are %v", domains)
	}
}

func TestOldSpellingsOfKeysAreRead(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	certificate := &x509.Certificate{PublicKey: key.Public()}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	parameters := "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
	if kept, err := (certpem.Bundle{Leaf: certificate}).KeyPEM(parameters + text); err != nil || kept != text {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	authority := certpemtest.NewAuthority(f, time.Now())
	leaf := authority.Leaf(f, time.Now().Add(time.Hour), "example.com")
	key := certpemtest.KeyPEM(f, leaf)
	for _, text := range append(certpemtest.Spellings(certpemtest.PEM(leaf)), key, "", "-----BEGIN CERTIFICATE-----\n-----END") {
		f.Add(text, authority.Chain(), key)
	}
	f.Fuzz(func(t *testing.T, certificate, chain, key string) {
		bundle, err := certpem.Read(certificate, chain)
		if err != nil {
			return
		}
		written := bundle.CertificatePEM() + bundle.ChainPEM()
		again, err := certpem.Read(written, "")
		if err != nil || !slices.Equal(again.Fingerprints(), bundle.Fingerprints()) {
			t.Errorf("what was written reads otherwise: %v", err)
		}
		_ = bundle.Check(time.Unix(0, 0))
		if text, err := bundle.KeyPEM(key); err == nil {
			if same, err := bundle.KeyPEM(text); err != nil || same != text {
				t.Errorf("the key that was written reads otherwise: %v", err)
			}
		}
	})
}

func FuzzSame(f *testing.F) {
	authority := certpemtest.NewAuthority(f, time.Now())
	text := authority.Chain()
	for _, spelling := range certpemtest.Spellings(text) {
		f.Add(text, spelling)
	}
	f.Add(text, "x")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !certpem.Same(a, a) || certpem.Same(a, b) != certpem.Same(b, a) {
			t.Errorf("Same(%q, %q) is no equality", a, b)
		}
	})
}

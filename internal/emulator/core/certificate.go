// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"
	"sync"
	"time"
)

// Lifetime is how long an issued certificate is valid, as those of Let's Encrypt are.
const Lifetime = 90 * 24 * time.Hour

// authority signs what the emulated vendors issue; one key does for all of a process.
var authority = sync.OnceValues(func() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) })

// Issue makes a certificate for domains that is valid until a time, as an authority for managed certificates does.
func Issue(domains []string, until time.Time) (*x509.Certificate, error) {
	key, err := authority()
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64))
	if err != nil {
		return nil, err
	}
	wanted := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: domains[0]}, DNSNames: domains,
		NotBefore: until.Add(-Lifetime), NotAfter: until, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	issuer := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Emulated Authority"}}
	der, err := x509.CreateCertificate(rand.Reader, wanted, issuer, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// CertificatePEM writes a certificate.
func CertificatePEM(certificate *x509.Certificate) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}))
}

// ReadCertificate reads the first certificate of a PEM text.
func ReadCertificate(text string) (*x509.Certificate, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("this is no certificate as PEM")
	}
	return x509.ParseCertificate(block.Bytes)
}

// Uploaded reads what is uploaded: the certificates, leaf first, the key, which must be the leaf's, and the certificates as
// they are stored.
func Uploaded(certificates, key string) (leaf *x509.Certificate, stored string, err error) {
	pair, err := tls.X509KeyPair([]byte(certificates), []byte(key))
	if err != nil {
		return nil, "", err
	}
	var text strings.Builder
	for _, der := range pair.Certificate {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, "", errors.New("a certificate of the chain cannot be read")
		}
		text.WriteString(CertificatePEM(certificate))
	}
	return pair.Leaf, text.String(), nil
}

// ZoneOf answers the zone among zones that a domain is in, "" for none.
func ZoneOf(domain string, zones []string) string {
	domain = strings.TrimPrefix(strings.ToLower(domain), "*.")
	found := ""
	for _, zone := range zones {
		if (domain == zone || strings.HasSuffix(domain, "."+zone)) && len(zone) > len(found) {
			found = zone
		}
	}
	return found
}

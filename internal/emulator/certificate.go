// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"strings"
	"time"
)

// quiet drops what net/http logs about clients that refuse the certificate or leave in the middle.
var quiet = log.New(io.Discard, "", 0)

// secure gives the vendor a certificate of its own, which signs itself and names 127.0.0.1 and localhost.
func (v *Vendor) secure() {
	v.certificate = newCertificate()
	der := v.certificate.Certificate[0]
	v.CACertificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	v.TLSFingerprint = fingerprint(der)
	v.at("127.0.0.1")
}

func newCertificate() *tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // crypto/rand never fails on supported systems
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{Organization: []string{"PVE emulator"}, CommonName: "localhost"},
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(2, 0, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err) // the template holds nothing that cannot be signed
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// tlsConfig speaks TLS 1.3 and HTTP/1.1 only: HTTP/2 has no reason phrases.
func tlsConfig(certificate *tls.Certificate) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{*certificate}, NextProtos: []string{"http/1.1"},
	}
}

// fingerprint is the SHA-256 of a certificate as PVE shows it: pairs of upper-case digits with colons.
func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	pairs := make([]string, 0, len(sum))
	for _, b := range sum {
		pairs = append(pairs, fmt.Sprintf("%02X", b))
	}
	return strings.Join(pairs, ":")
}

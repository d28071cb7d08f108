// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package pluginserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// identity is who this process is for the CLI, and whom it serves: nobody but the one who started it.
type identity struct {
	// tls is nil for a CLI that wants no TLS (TF_DISABLE_PLUGIN_TLS).
	tls *tls.Config
	// certificate is base64 of the DER, without padding; empty without TLS.
	certificate string
}

// identify makes a key and its certificate for the life of this process. The client's certificate is PEM; empty: no TLS.
func identify(client string) (identity, error) {
	if client == "" {
		return identity{}, nil
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM([]byte(client)) {
		return identity{}, errors.New("PLUGIN_CLIENT_CERT holds no certificate")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return identity{}, err
	}
	certificate, err := certify(key)
	if err != nil {
		return identity{}, fmt.Errorf("make the certificate for the CLI: %w", err)
	}
	return identity{
		tls: &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}},
			ClientAuth:   tls.RequireAndVerifyClientCert,
			ClientCAs:    clients,
			MinVersion:   tls.VersionTLS12,
		},
		certificate: base64.RawStdEncoding.EncodeToString(certificate),
	}, nil
}

// certify signs a certificate with its own key, which is how go-plugin's client trusts it, for the name that this client
// expects.
func certify(key *ecdsa.PrivateKey) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "localhost"},
		DNSNames:              []string{"localhost"},
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		SerialNumber:          serial,
		// Clocks of one machine may still step back; and a process under a CLI lives for hours at most, but a machine
		// may be suspended in between.
		NotBefore: now.Add(-time.Minute),
		NotAfter:  now.AddDate(1, 0, 0),
	}
	return x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// trust answers how the cluster's certificate is checked: by the system's roots, by the account's own authority, or by its
// fingerprint alone. There is no way to trust any certificate at all.
func trust(values manifest.Values) (*tls.Config, error) {
	settings := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	if text := values.String("ca_certificate"); text != "" {
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM([]byte(text)) {
			return nil, errors.New("ca_certificate holds no certificate in PEM")
		}
		return settings, nil
	}
	if text := values.String("tls_fingerprint"); text != "" {
		pinned, err := parseFingerprint(text)
		if err != nil {
			return nil, fmt.Errorf("tls_fingerprint %w", err)
		}
		settings.InsecureSkipVerify = true // VerifyConnection takes its place: exactly one certificate is trusted.
		settings.VerifyConnection = checkPin(pinned)
	}
	return settings, nil
}

func checkPin(pinned [sha256.Size]byte) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) > 0 && sha256.Sum256(state.PeerCertificates[0].Raw) == pinned {
			return nil
		}
		return &tls.CertificateVerificationError{
			UnverifiedCertificates: state.PeerCertificates,
			Err:                    errors.New("it is not the one that tls_fingerprint names"),
		}
	}
}

// parseFingerprint reads 32 bytes in hexadecimal, with or without colons.
func parseFingerprint(text string) ([sha256.Size]byte, error) {
	var fingerprint [sha256.Size]byte
	decoded, err := hex.DecodeString(strings.ReplaceAll(text, ":", ""))
	if err != nil || len(decoded) != sha256.Size {
		return fingerprint, errors.New("must be a SHA-256 fingerprint: 64 hexadecimal digits, such as those that the web interface shows")
	}
	copy(fingerprint[:], decoded)
	return fingerprint, nil
}

// fingerprintOf is a certificate's SHA-256 fingerprint as the vendor's web interface shows it.
func fingerprintOf(certificate *x509.Certificate) string {
	sum := sha256.Sum256(certificate.Raw)
	pairs := make([]string, len(sum))
	for i, value := range sum {
		pairs[i] = fmt.Sprintf("%02X", value)
	}
	return strings.Join(pairs, ":")
}

// distrust says of a certificate that was refused whose it claims to be, its fingerprint, and both ways to trust it.
func distrust(host string, refused *tls.CertificateVerificationError) string {
	if len(refused.UnverifiedCertificates) == 0 {
		return fmt.Sprintf("%s showed no certificate: %s. Nothing was sent.", host, refused.Err)
	}
	certificate := refused.UnverifiedCertificates[0]
	return fmt.Sprintf("The certificate of %s is not trusted: %s. It is for %s, and its SHA-256 fingerprint is %s. Nothing was sent. "+
		"If that is what the node's web interface shows (System, Certificates), trust it in the account with\n"+
		"  tls_fingerprint = %q\nor trust all nodes of the cluster with the content of /etc/pve/pve-root-ca.pem of any node as\n  ca_certificate = file(\"pve-root-ca.pem\")",
		host, refused.Err, certificate.Subject, fingerprintOf(certificate), fingerprintOf(certificate))
}

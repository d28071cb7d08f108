// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certpemtest

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

// Material makes a custom certificate for www.example.com, as it is uploaded.
func Material(t *testing.T) compute.Material {
	t.Helper()
	authority := NewAuthority(t, time.Now())
	leaf := authority.Leaf(t, time.Now().Add(24*time.Hour), "www.example.com")
	bundle, err := certpem.Read(PEM(leaf), authority.Chain())
	must(t, err)
	key, err := bundle.KeyPEM(KeyPEM(t, leaf))
	must(t, err)
	return compute.Material{
		Certificate: bundle.CertificatePEM(), Chain: bundle.ChainPEM(), PrivateKey: key,
		Fingerprint: bundle.Fingerprint(), FingerprintSHA1: bundle.FingerprintSHA1(),
	}
}

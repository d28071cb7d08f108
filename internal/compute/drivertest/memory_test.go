// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryKeepsTheContract(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{
		Kind:      driver.Kind{Manifest: drivertest.MemoryManifest},
		Reference: compute.Reference{ID: compute.AccountID("drivertest", "memory", "main", ""), TenantID: "drivertest", Kind: "memory"},
		Place: func(*testing.T) func() driver.Driver {
			memory := drivertest.NewMemory()
			return func() driver.Driver { return memory }
		},
		Region: "here", OfferID: "small", Image: "debian", OtherImage: "ubuntu",
		Prefix: "memory", PowerObservable: true, Bubble: true,
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryKeepsTheContract(t *testing.T) {
	drivertest.Run(t, subject(func() driver.Driver { return drivertest.NewMemory() }))
}

func TestLaggingMemoryKeepsTheContract(t *testing.T) {
	for _, lag := range []time.Duration{0, 10 * time.Second} {
		t.Run(lag.String(), func(t *testing.T) {
			drivertest.Run(t, subject(func() driver.Driver { return drivertest.NewLaggingMemory(lag) }))
		})
	}
}

func subject(empty func() driver.Driver) drivertest.Subject {
	return drivertest.Subject{
		Kind:      driver.Kind{Manifest: drivertest.MemoryManifest},
		Reference: compute.Reference{ID: compute.AccountID("drivertest", "memory", "main", ""), TenantID: "drivertest", Kind: "memory"},
		Place: func(*testing.T) func() driver.Driver {
			memory := empty()
			return func() driver.Driver { return memory }
		},
		Region: "here", OfferID: "small", LargerOffer: "large", Image: "debian", OtherImage: "ubuntu",
		Zone: drivertest.MemoryZone, Material: func(*testing.T) compute.Material { return compute.Material{Certificate: "it is not looked at"} },
		Prefix: "memory", PowerObservable: true, Bubble: true,
	}
}

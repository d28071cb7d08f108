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
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
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
		Kind:      drivertest.MemoryKind(),
		Reference: compute.Reference{ID: compute.AccountID("drivertest", "memory", "main", ""), TenantID: "drivertest", Kind: "memory"},
		Place: func(*testing.T) func() driver.Driver {
			memory := empty()
			return func() driver.Driver { return memory }
		},
		Region: "here", OfferID: "small", LargerOffer: "large", Image: "debian", OtherImage: "ubuntu",
		Zone: drivertest.MemoryZone, Material: func(*testing.T) compute.Material { return compute.Material{Certificate: "it is not looked at"} },
		Options: manifest.Values{
			driver.OptionPublicIPv4: false, driver.OptionBackups: true, driver.OptionNetwork: "blue", driver.OptionDeleteProtection: true,
			"firewall_ids": []string{"web"}, "rack": "rack-2", "key_ids": []string{"bob"}, "project_id": "shop", "note": "anything",
		},
		OtherOptions: manifest.Values{
			driver.OptionPublicIPv4: true, driver.OptionBackups: false, driver.OptionNetwork: "net-2", driver.OptionDeleteProtection: false,
			"firewall_ids": []string{"fw-3", "web"}, "rack": "rack-3", "key_ids": []string{"alice"}, "project_id": "project-3", "note": "else",
		},
		Prefix: "memory", PowerObservable: true, Bubble: true,
	}
}

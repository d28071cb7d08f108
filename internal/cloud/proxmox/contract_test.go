// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

func TestContractOnTheEmulator(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{
		Kind:      Kind(),
		Reference: compute.Reference{ID: compute.AccountID("drivertest", kindName, "main", ""), TenantID: "drivertest", Kind: kindName},
		Place: func(t *testing.T) func() driver.Driver {
			lab := newLab(t, emulator.Options{ActionTime: 2 * time.Second})
			return func() driver.Driver { return lab.open(manifest.Values{"offers": []string{"2c-4g", "4c-8g-40d"}}) }
		},
		Region: "pve", OfferID: "2c-4g", LargerOffer: "4c-8g-40d", Image: "debian-13", OtherImage: "ubuntu-24.04",
		Prefix: "contract", PowerObservable: true, Bubble: true,
	})
}

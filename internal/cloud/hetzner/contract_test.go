// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestContractOnTheEmulator(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{
		Kind:      Kind(),
		Reference: compute.Reference{ID: compute.AccountID("drivertest", kindName, "main", ""), TenantID: "drivertest", Kind: kindName},
		Place: func(t *testing.T) func() driver.Driver {
			e := emulator.InMemory(t, emulator.Options{ActionTime: 2 * time.Second})
			p := &project{T: t, Emulator: e, variables: map[string]string{"HCLOUD_TOKEN": e.Hetzner.Token}, base: e.Hetzner.Transport()}
			return func() driver.Driver { return p.open("env://HCLOUD_TOKEN") }
		},
		Region: "fsn1", OfferID: offer, LargerOffer: "cx33", Image: "debian-13", OtherImage: "ubuntu-24.04",
		Zone: "example.com", Material: certpemtest.Material,
		Prefix: "contract", PowerObservable: true, Bubble: true,
	})
}

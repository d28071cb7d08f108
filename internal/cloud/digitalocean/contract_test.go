// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

func TestContractOnTheEmulator(t *testing.T) {
	for name, settings := range map[string]func(*emulator.Settings){"at once": func(*emulator.Settings) {}, "with lags": lagging} {
		t.Run(name, func(t *testing.T) {
			drivertest.Run(t, drivertest.Subject{
				Kind:      Kind(),
				Reference: compute.Reference{ID: compute.AccountID("drivertest", kindName, "main", ""), TenantID: "drivertest", Kind: kindName},
				Place: func(t *testing.T) func() driver.Driver {
					e := emulator.InMemory(t, emulator.Options{ActionTime: 2 * time.Second})
					if err := e.ChangeSettings(settings); err != nil {
						t.Fatal(err)
					}
					p := &team{T: t, Emulator: e, variables: map[string]string{tokenVariable: e.DigitalOcean.Token}, base: e.DigitalOcean.Transport()}
					p.furnish()
					p.newProject("shop")
					p.newProject("blog")
					return func() driver.Driver { return p.open("env://" + tokenVariable) }
				},
				Region: region, OfferID: offer, LargerOffer: "s-4vcpu-8gb", Image: "debian-13-x64", OtherImage: "ubuntu-24-04-x64",
				Options: manifest.Values{
					driver.OptionPublicIPv4: true, driver.OptionPublicIPv6: true, driver.OptionBackups: true, driver.OptionDeleteProtection: true,
					driver.OptionNetwork: "backend", optionVPC: "backend", optionMonitoring: true, optionSSHKeys: []string{"laptop"}, projectField: "shop",
				},
				OtherOptions: manifest.Values{
					driver.OptionPublicIPv4: false, driver.OptionPublicIPv6: true, driver.OptionBackups: false, driver.OptionDeleteProtection: false,
					driver.OptionNetwork: "default-" + region, optionVPC: "default-" + region, optionMonitoring: false, optionSSHKeys: []string{"desk"}, projectField: "blog",
				},
				Zone: "example.com", Material: certpemtest.Material,
				Prefix: "contract", PowerObservable: true, Lag: 5 * time.Second, Bubble: true,
			})
		})
	}
}

// lagging lets everything show a while after it has happened.
func lagging(s *emulator.Settings) {
	second := emulator.Duration(time.Second)
	s.Lag.Get, s.Lag.List, s.Lag.Tag, s.Lag.Network, s.Lag.Status, s.Lag.Holder = second, 2*second, 3*second, 2*second, second, 2*second
}

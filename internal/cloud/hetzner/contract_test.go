// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/hetzner"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// liveToken names the variable with a token of a project that is kept for tests: the contract is run there too when it is
// set. It makes and removes some dozens of the smallest servers.
const liveToken = "BETTERCOMPUTE_LIVE_HCLOUD_TOKEN"

func contract() drivertest.Subject {
	return drivertest.Subject{
		Kind:      hetzner.Kind(),
		Reference: compute.Reference{ID: compute.AccountID("drivertest", "hetzner-cloud", "main", ""), TenantID: "drivertest", Kind: "hetzner-cloud"},
		Region:    "fsn1", OfferID: "cx23", Image: "debian-13", OtherImage: "ubuntu-24.04", PowerObservable: true,
	}
}

func TestContract(t *testing.T) {
	subject := contract()
	subject.Prefix, subject.Bubble = "contract", true
	subject.Place = func(t *testing.T) func() driver.Driver {
		emulated := emulator.InMemory(t, emulator.Options{ActionTime: 5 * time.Second})
		return func() driver.Driver {
			return openDriver(t, manifest.Values{"token": "env://HCLOUD_TOKEN", "endpoint": emulated.Hetzner.Endpoint}, driver.Environment{
				Base: emulated.Hetzner.Transport(), MaxRetries: 5,
				Resolve: func(context.Context, string) (string, error) { return emulated.Hetzner.Token, nil },
			})
		}
	}
	drivertest.Run(t, subject)
}

func TestContractLive(t *testing.T) {
	token := os.Getenv(liveToken)
	if token == "" {
		t.Skip("set " + liveToken + " to run the contract on a live project")
	}
	subject := contract()
	subject.Prefix = "bettercompute-" + strings.ToLower(time.Now().UTC().Format("20060102t150405"))
	subject.Place = func(t *testing.T) func() driver.Driver {
		return func() driver.Driver {
			return openDriver(t, manifest.Values{"token": "env://" + liveToken}, driver.Environment{
				MaxRetries: 5, Resolve: func(context.Context, string) (string, error) { return token, nil },
			})
		}
	}
	drivertest.Run(t, subject)
}

func openDriver(t *testing.T, values manifest.Values, environment driver.Environment) driver.Driver {
	t.Helper()
	opened, err := hetzner.Kind().Open(hetzner.Kind().Manifest.WithDefaults(values), environment)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

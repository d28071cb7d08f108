// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// live are the real places that the contract can be run in: each needs a token of a project or team that is kept for it.
var live = map[string]struct {
	kind, variable string
	config         manifest.Values
	subject        drivertest.Subject
}{
	"Hetzner Cloud": {
		kind: "hetzner-cloud", variable: "BETTERCOMPUTE_LIVE_HCLOUD_TOKEN",
		subject: drivertest.Subject{Region: "fsn1", OfferID: "cx23", LargerOffer: "cx33", Image: "debian-13", OtherImage: "ubuntu-24.04"},
	},
	"DigitalOcean": {
		kind: "digitalocean", variable: "BETTERCOMPUTE_LIVE_DIGITALOCEAN_TOKEN", config: manifest.Values{"region": "fra1"},
		subject: drivertest.Subject{
			Region: "fra1", OfferID: "s-1vcpu-1gb", LargerOffer: "s-2vcpu-2gb", Image: "debian-13-x64", OtherImage: "ubuntu-24-04-x64", Lag: 30 * time.Second,
		},
	},
}

// TestContractLive makes real machines, which cost money, and removes them again.
func TestContractLive(t *testing.T) {
	for name, place := range live {
		t.Run(name, func(t *testing.T) {
			token := os.Getenv(place.variable)
			if token == "" {
				t.Skip("set " + place.variable + " to run the contract on a live account")
			}
			kind, known := cloud.KindByName(place.kind)
			if !known {
				t.Fatalf("there is no kind %s", place.kind)
			}
			subject := place.subject
			subject.Kind, subject.PowerObservable = kind, true
			subject.Reference = compute.Reference{ID: compute.AccountID("drivertest", place.kind, "main", ""), TenantID: "drivertest", Kind: place.kind}
			subject.Prefix = "bettercompute-" + strings.ToLower(time.Now().UTC().Format("20060102t150405"))
			subject.Place = func(t *testing.T) func() driver.Driver {
				return liveDriver(t, kind, place.variable, place.config, token)
			}
			drivertest.Run(t, subject)
		})
	}
}

func liveDriver(t *testing.T, kind driver.Kind, variable string, config manifest.Values, token string) func() driver.Driver {
	t.Helper()
	values := kind.Manifest.WithDefaults(config)
	values["token"] = "env://" + variable
	return func() driver.Driver {
		opened, err := kind.Open(values, driver.Environment{
			MaxRetries: 5, Resolve: func(context.Context, string) (string, error) { return token, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return opened
	}
}

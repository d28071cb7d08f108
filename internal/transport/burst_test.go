// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

// Of each machine a create sends 3 requests to DigitalOcean and 2 to Hetzner.
func TestFiveHundredMachinesStayInsideBothLimits(t *testing.T) {
	tests := map[string]struct {
		of       func(*emulator.Emulator) *emulator.Vendor
		path     string
		share    float64
		refill   time.Duration
		requests int
		within   time.Duration
	}{
		"DigitalOcean's 250 a minute": {
			of:   func(e *emulator.Emulator) *emulator.Vendor { return e.DigitalOcean },
			path: "/v2/droplets", share: 0.05, requests: 1500, within: 7 * time.Minute,
		},
		"Hetzner's 3600 an hour": {
			of:   func(e *emulator.Emulator) *emulator.Vendor { return e.Hetzner },
			path: "/v1/servers", refill: time.Second, requests: 4000, within: 8 * time.Minute,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cloud := emulator.New(emulator.Options{Delay: 50 * time.Millisecond})
				vendor := test.of(cloud)
				client, err := transport.New(transport.Options{
					Vendor: "tested", Endpoint: vendor.Endpoint, Base: vendor.Transport(), MaxRetries: 1, BurstShare: test.share, Refill: test.refill,
					Token: func(context.Context) (string, error) { return vendor.Token, nil },
				})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				askAll(t, client, "http://127.0.0.1"+test.path, test.requests)
				if took := time.Since(began); took > test.within {
					t.Errorf("%d requests took %s, more than %s", test.requests, took, test.within)
				}
				refused := 0
				for _, entry := range cloud.Journal() {
					if entry.Status == http.StatusTooManyRequests {
						refused++
					}
				}
				if refused > 20 {
					t.Errorf("%d requests were refused for the limit", refused)
				}
			})
		})
	}
}

// askAll sends so many requests, a hundred at a time as a CLI might, all of which have to be answered with 200.
func askAll(t *testing.T, client *http.Client, address string, requests int) {
	t.Helper()
	queue := make(chan struct{}, requests)
	for range requests {
		queue <- struct{}{}
	}
	close(queue)
	var workers sync.WaitGroup
	for range 100 {
		workers.Go(func() {
			for range queue {
				ask(t, client, address)
			}
		})
	}
	workers.Wait()
}

func ask(t *testing.T, client *http.Client, address string) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Error(err)
		return
	}
	response, err := client.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("a request was answered with %s", response.Status)
	}
}

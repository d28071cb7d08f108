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
				client := newProcess(t, vendor, transport.Options{BurstShare: test.share, Refill: test.refill})
				began := time.Now()
				askAll(t, client, "http://127.0.0.1"+test.path, test.requests)
				if took := time.Since(began); took > test.within {
					t.Errorf("%d requests took %s, more than %s", test.requests, took, test.within)
				}
				if refused := refusals(cloud); refused > 20 {
					t.Errorf("%d requests were refused for the limit", refused)
				}
			})
		})
	}
}

// A destroy right after a create is a process of its own, which nobody tells how much of the minute is spent.
func TestANewProcessInASpentMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud := emulator.New(emulator.Options{Delay: 50 * time.Millisecond})
		options := transport.Options{BurstShare: 0.05}
		const path = "http://127.0.0.1/v2/droplets"
		askAll(t, newProcess(t, cloud.DigitalOcean, options), path, 240)
		began := time.Now()
		askAll(t, newProcess(t, cloud.DigitalOcean, options), path, 400)
		if took := time.Since(began); took > 3*time.Minute {
			t.Errorf("400 requests after 240 took %s", took)
		}
		if refused := refusals(cloud); refused > 40 {
			t.Errorf("%d requests were refused for the limit", refused)
		}
	})
}

// newProcess is a client that knows nothing of what others have sent.
func newProcess(t *testing.T, vendor *emulator.Vendor, options transport.Options) *http.Client {
	t.Helper()
	options.Vendor, options.Endpoint, options.Base, options.MaxRetries = "tested", vendor.Endpoint, vendor.Transport(), 1
	options.Token = func(context.Context) (string, error) { return vendor.Token, nil }
	client, err := transport.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// refusals is how many requests were answered with status 429.
func refusals(cloud *emulator.Emulator) int {
	refused := 0
	for _, entry := range cloud.Journal() {
		if entry.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	return refused
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

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// newClient is the vendor's own client against an emulator in memory. Its retries are off, so that a test sees every
// answer.
func newClient(e *emulator.Emulator, token string) *hcloud.Client {
	return hcloud.NewClient(
		hcloud.WithEndpoint(e.Hetzner.Endpoint), hcloud.WithToken(token), hcloud.WithHTTPClient(e.Hetzner.Client()),
		hcloud.WithRetryOpts(hcloud.RetryOpts{BackoffFunc: hcloud.ConstantBackoff(time.Second), MaxRetries: 0}),
	)
}

func createOptions(name string) hcloud.ServerCreateOpts {
	return hcloud.ServerCreateOpts{
		Name: name, ServerType: &hcloud.ServerType{Name: "cx23"}, Image: &hcloud.Image{Name: "ubuntu-24.04"},
		Location: &hcloud.Location{Name: "fsn1"}, Labels: map[string]string{"app": "shop"},
	}
}

// mustCreate creates a server and waits until it runs.
func mustCreate(t *testing.T, client *hcloud.Client, options hcloud.ServerCreateOpts) *hcloud.Server {
	t.Helper()
	created, _, err := client.Server.Create(t.Context(), options)
	if err != nil {
		t.Fatalf("create %s: %v", options.Name, err)
	}
	await(t, client, append(created.NextActions, created.Action)...)
	server, _, err := client.Server.GetByID(t.Context(), created.Server.ID)
	if err != nil || server == nil {
		t.Fatalf("get %s: %v, %v", options.Name, server, err)
	}
	return server
}

func await(t *testing.T, client *hcloud.Client, actions ...*hcloud.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := client.Action.WaitFor(ctx, actions...); err != nil {
		t.Fatalf("wait: %v", err)
	}
}

// inClient runs a test with the vendor's own client in a bubble.
func inClient(t *testing.T, test func(*testing.T, *emulator.Emulator, *hcloud.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, emulator.Options{})
		test(t, e, newClient(e, e.Hetzner.Token))
	})
}

func TestVendorsClientCreatesAndDeletes(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *hcloud.Client) {
		server := mustCreate(t, client, createOptions("web-1"))
		if server.Status != hcloud.ServerStatusRunning || server.Locked {
			t.Errorf("status %s, locked %t; want running and free", server.Status, server.Locked)
		}
		if server.PublicNet.IPv4.IP == nil || server.PublicNet.IPv6.Network == nil {
			t.Errorf("addresses missing: %+v", server.PublicNet)
		}
		deleted, _, err := client.Server.DeleteWithResult(t.Context(), server)
		if err != nil {
			t.Fatal(err)
		}
		await(t, client, deleted.Action)
		if left := e.Inventory()["hetzner"]; len(left["servers"])+len(left["primary_ips"]) != 0 {
			t.Errorf("left behind: %+v", left)
		}
		if gone, _, err := client.Server.GetByID(t.Context(), server.ID); gone != nil || err != nil {
			t.Errorf("the client finds %v, %v; want nothing and no error", gone, err)
		}
	})
}

func TestVendorsClientPagesAndSelects(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *hcloud.Client) {
		for i := range 120 {
			labels := map[string]string{"half": fmt.Sprint(i % 2)}
			if _, err := e.Plant("hetzner", "servers", emulator.Fields{"labels": labels}); err != nil {
				t.Fatal(err)
			}
		}
		all, err := client.Server.All(t.Context())
		if err != nil || len(all) != 120 {
			t.Errorf("%d servers, %v; want 120", len(all), err)
		}
		if lists := len(e.Journal()); lists != 3 {
			t.Errorf("%d requests for 120 servers, want 3 pages of 50", lists)
		}
		half, err := client.Server.AllWithOpts(t.Context(), hcloud.ServerListOpts{
			ListOpts: hcloud.ListOpts{LabelSelector: "half in (1)"}, Sort: []string{"name:desc"},
		})
		if err != nil || len(half) != 60 || half[0].Name < half[59].Name {
			t.Errorf("%d servers, %v; want 60, by name downwards", len(half), err)
		}
	})
}

func TestVendorsClientReadsErrors(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *hcloud.Client) {
		mustCreate(t, client, createOptions("web-1"))
		_, _, err := client.Server.Create(t.Context(), createOptions("web-1"))
		if !hcloud.IsError(err, hcloud.ErrorCodeUniquenessError) {
			t.Errorf("second server of one name: %v", err)
		}
		_, _, err = client.Server.Create(t.Context(), createOptions("web_1"))
		var problem hcloud.Error
		if !errors.As(err, &problem) || problem.Details.(hcloud.ErrorDetailsInvalidInput).Fields[0].Name != "name" {
			t.Errorf("underscore in a name: %v", err)
		}
		if err := e.ChangeSettings(func(s *emulator.Settings) {
			s.ActionResults["create_server"] = emulator.Result{Status: "error", Code: "resource_unavailable", Message: "no room"}
		}); err != nil {
			t.Fatal(err)
		}
		created, _, err := client.Server.Create(t.Context(), createOptions("web-2"))
		if err != nil {
			t.Fatal(err)
		}
		var failed hcloud.ActionError
		err = client.Action.WaitFor(t.Context(), created.Action)
		if !errors.As(err, &failed) || failed.Code != "resource_unavailable" || failed.Message != "no room" {
			t.Errorf("failed action: %v", err)
		}
		stranger := newClient(e, strings.Repeat("x", 64))
		if _, err = stranger.Server.All(t.Context()); !hcloud.IsError(err, hcloud.ErrorCodeUnauthorized) {
			t.Errorf("unknown token: %v", err)
		}
	})
}

func TestVendorsClientReadsTheRateLimit(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *hcloud.Client) {
		_, response, err := client.Server.List(t.Context(), hcloud.ServerListOpts{})
		if err != nil {
			t.Fatal(err)
		}
		limit := response.Meta.Ratelimit
		if limit.Limit != 3600 || limit.Remaining != 3599 || !limit.Reset.Equal(time.Now().Add(time.Second)) {
			t.Errorf("limit %+v at %s", limit, time.Now())
		}
		if response.Meta.Pagination == nil || response.Meta.Pagination.TotalEntries != 0 {
			t.Errorf("pagination %+v", response.Meta.Pagination)
		}
		if err := e.ChangeSettings(func(s *emulator.Settings) {
			s.Limits["hetzner"] = emulator.Limit{PerHour: 3600, Remaining: new(0)}
		}); err != nil {
			t.Fatal(err)
		}
		if _, err = client.Server.All(t.Context()); !hcloud.IsError(err, hcloud.ErrorCodeRateLimitExceeded) {
			t.Errorf("empty bucket: %v", err)
		}
	})
}

func TestVendorsClientReadsTheCatalogue(t *testing.T) {
	inClient(t, func(t *testing.T, _ *emulator.Emulator, client *hcloud.Client) {
		types, err := client.ServerType.All(t.Context())
		if err != nil || len(types) < 25 {
			t.Fatalf("%d types, %v", len(types), err)
		}
		for _, offer := range types {
			if len(offer.Pricings) == 0 || len(offer.Pricings) != len(offer.Locations) {
				t.Errorf("%s: %d prices for %d locations", offer.Name, len(offer.Pricings), len(offer.Locations))
			}
		}
		image, _, err := client.Image.GetForArchitecture(t.Context(), "debian-13", hcloud.ArchitectureARM)
		if err != nil || image == nil || image.Architecture != hcloud.ArchitectureARM {
			t.Errorf("debian-13 for arm: %v, %v", image, err)
		}
		pricing, _, err := client.Pricing.Get(t.Context())
		if err != nil || pricing.Currency != "EUR" || len(pricing.ServerTypes) != len(types) {
			t.Errorf("pricing: %+v, %v", pricing.Currency, err)
		}
		locations, err := client.Location.All(t.Context())
		if err != nil || len(locations) != 6 {
			t.Errorf("%d locations, %v", len(locations), err)
		}
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// withToken puts the token on each request: godo leaves authorization to its HTTP client.
type withToken struct {
	token string
	next  http.RoundTripper
}

func (w withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+w.token)
	return w.next.RoundTrip(request)
}

// newClient is the vendor's own client against an emulator in memory, without retries.
func newClient(t *testing.T, e *emulator.Emulator, token string) *godo.Client {
	t.Helper()
	client := godo.NewClient(&http.Client{Transport: withToken{token, e.DigitalOcean.Transport()}})
	base, err := url.Parse(e.DigitalOcean.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client.BaseURL = base
	return client
}

// inClient runs a test with the vendor's own client in a bubble.
func inClient(t *testing.T, test func(*testing.T, *emulator.Emulator, *godo.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, emulator.Options{})
		test(t, e, newClient(t, e, e.DigitalOcean.Token))
	})
}

func createRequest(name string) *godo.DropletCreateRequest {
	return &godo.DropletCreateRequest{
		Name: name, Region: "nyc3", Size: "s-1vcpu-1gb", Image: godo.DropletCreateImage{Slug: "ubuntu-24-04-x64"},
		Tags: []string{"app:shop"}, IPv6: true, Monitoring: true,
	}
}

func TestVendorsClientCreatesAndDeletes(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		made, response, err := client.Droplets.Create(t.Context(), createRequest("web-1"))
		if err != nil || response.StatusCode != http.StatusAccepted {
			t.Fatalf("create: %v, %+v", err, response)
		}
		want(t, "status", made.Status, "new")
		want(t, "addresses", len(made.Networks.V4)+len(made.Networks.V6), 0)
		want(t, "links", len(response.Links.Actions), 1)
		pass(time.Second)
		event, _, err := client.Actions.Get(t.Context(), response.Links.Actions[0].ID)
		if err != nil || event.Status != godo.ActionCompleted || event.ResourceID != made.ID {
			t.Fatalf("action: %+v, %v", event, err)
		}
		got, _, err := client.Droplets.Get(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "status", got.Status, "active")
		public, err := got.PublicIPv4()
		if err != nil || public == "" {
			t.Errorf("public IPv4 %q, %v", public, err)
		}
		listed, _, err := client.Droplets.ListByTag(t.Context(), "app:shop", nil)
		if err != nil || len(listed) != 1 || listed[0].ID != made.ID {
			t.Errorf("by tag: %v, %v", listed, err)
		}
		if _, err := client.Droplets.Delete(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if _, response, err := client.Droplets.Get(t.Context(), made.ID); err == nil || response.StatusCode != http.StatusNotFound {
			t.Errorf("after the delete: %v", err)
		}
		want(t, "left", len(e.Objects("digitalocean", "droplets")), 0)
	})
}

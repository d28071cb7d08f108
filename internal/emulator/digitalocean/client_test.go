// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/digitalocean/godo"
	"golang.org/x/oauth2"

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

// await waits for an action of a droplet as the vendor's tools do.
func await(t *testing.T, client *godo.Client, started *godo.Action, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		pass(time.Second)
		got, _, err := client.DropletActions.Get(t.Context(), started.ResourceID, started.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != godo.ActionInProgress {
			want(t, started.Type, got.Status, godo.ActionCompleted)
			return
		}
	}
	t.Fatalf("%s goes on and on", started.Type)
}

// TestVendorsClientActs: every action that we need, through the vendor's own types.
func TestVendorsClientActs(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		made, response, err := client.Droplets.Create(t.Context(), createRequest("web-1"))
		if err != nil {
			t.Fatal(err)
		}
		create, _, err := client.Actions.Get(t.Context(), response.Links.Actions[0].ID)
		await(t, client, create, err)
		do := func(act func(int) (*godo.Action, *godo.Response, error)) {
			t.Helper()
			started, _, err := act(made.ID)
			await(t, client, started, err)
		}
		actions := client.DropletActions
		do(func(id int) (*godo.Action, *godo.Response, error) { return actions.PowerOff(t.Context(), id) })
		do(func(id int) (*godo.Action, *godo.Response, error) {
			return actions.Resize(t.Context(), id, "s-2vcpu-2gb", true)
		})
		do(func(id int) (*godo.Action, *godo.Response, error) { return actions.PowerOn(t.Context(), id) })
		do(func(id int) (*godo.Action, *godo.Response, error) { return actions.Reboot(t.Context(), id) })
		do(func(id int) (*godo.Action, *godo.Response, error) { return actions.PowerCycle(t.Context(), id) })
		do(func(id int) (*godo.Action, *godo.Response, error) {
			return actions.RebuildByImageSlug(t.Context(), id, "debian-13-x64")
		})
		do(func(id int) (*godo.Action, *godo.Response, error) { return actions.Rename(t.Context(), id, "app") })
		do(func(id int) (*godo.Action, *godo.Response, error) { return actions.Shutdown(t.Context(), id) })
		pass(time.Second)
		got, _, err := client.Droplets.Get(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "name", got.Name, "app")
		want(t, "status", got.Status, "off")
		want(t, "size", got.SizeSlug, "s-2vcpu-2gb")
		want(t, "disk", got.Disk, 60)
		want(t, "image", got.Image.Slug, "debian-13-x64")
		want(t, "price", got.Size.PriceHourly, 0.02679)
		want(t, "operations", operations(e), "power_off resize power_on reboot power_cycle rebuild rename shutdown")
	})
}

func operations(e *emulator.Emulator) string {
	var words []string
	for _, entry := range e.Journal() {
		if entry.Operation != "" {
			words = append(words, entry.Operation)
		}
	}
	return strings.Join(words, " ")
}

func TestVendorsClientPages(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		for range 450 {
			if _, err := e.Plant("digitalocean", "droplets", emulator.Fields{"tags": []string{"env:prod"}}); err != nil {
				t.Fatal(err)
			}
		}
		seen := map[int]bool{}
		options := &godo.ListOptions{PerPage: 200}
		for {
			page, response, err := client.Droplets.ListByTag(t.Context(), "env:prod", options)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range page {
				seen[d.ID] = true
			}
			if response.Links == nil || response.Links.IsLastPage() {
				break
			}
			current, err := response.Links.CurrentPage()
			if err != nil {
				t.Fatal(err)
			}
			options.Page = current + 1
		}
		want(t, "droplets", len(seen), 450)
		want(t, "requests", len(e.Journal()), 3)
	})
}

// TestVendorsClientReadsErrors: also the one that has another shape, which this client shows whole.
func TestVendorsClientReadsErrors(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		request := createRequest("web_1")
		_, _, err := client.Droplets.Create(t.Context(), request)
		var problem *godo.ErrorResponse
		if !errors.As(err, &problem) || problem.Response.StatusCode != http.StatusUnprocessableEntity || problem.RequestID == "" {
			t.Errorf("underscore in a name: %v", err)
		}
		_, _, err = client.Tags.Create(t.Context(), &godo.TagCreateRequest{Name: "a b"})
		if !errors.As(err, &problem) || problem.Response.StatusCode != http.StatusBadRequest || !strings.Contains(problem.Message, "root_causes") {
			t.Errorf("bad tag: %v", err)
		}
		_, response, err := newClient(t, e, "dop_v1_0").Account.Get(t.Context())
		if err == nil || response.StatusCode != http.StatusUnauthorized {
			t.Errorf("unknown token: %v", err)
		}
	})
}

func TestVendorsClientTagsAndReadsTheCatalogue(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		made, err := e.Plant("digitalocean", "droplets", emulator.Fields{})
		if err != nil {
			t.Fatal(err)
		}
		resources := []godo.Resource{{ID: made.ID, Type: godo.DropletResourceType}}
		if _, _, err := client.Tags.Create(t.Context(), &godo.TagCreateRequest{Name: "env:prod"}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Tags.TagResources(t.Context(), "env:prod", &godo.TagResourcesRequest{Resources: resources}); err != nil {
			t.Fatal(err)
		}
		tag, _, err := client.Tags.Get(t.Context(), "env:prod")
		if err != nil || tag.Resources.Droplets.Count != 1 {
			t.Errorf("tag: %+v, %v", tag, err)
		}
		if _, err := client.Tags.UntagResources(t.Context(), "env:prod", &godo.UntagResourcesRequest{Resources: resources}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Tags.Delete(t.Context(), "env:prod"); err != nil {
			t.Fatal(err)
		}
		sizes, response, err := client.Sizes.List(t.Context(), &godo.ListOptions{PerPage: 200})
		if err != nil || len(sizes) < 150 || response.Meta.Total != len(sizes) || response.Limit != 5000 {
			t.Errorf("%d sizes, %+v, %v", len(sizes), response, err)
		}
		image, _, err := client.Images.GetBySlug(t.Context(), "debian-13-x64")
		if err != nil || image.Distribution != "Debian" || image.MinDiskSize != 7 {
			t.Errorf("image: %+v, %v", image, err)
		}
		account, _, err := client.Account.Get(t.Context())
		if err != nil || account.UUID == "" || account.Team.UUID == "" || account.ReservedIPLimit != 1000 {
			t.Errorf("account: %+v, %v", account, err)
		}
		if _, _, err := client.Droplets.ListByName(t.Context(), "WEB", nil); err != nil {
			t.Errorf("by name: %v", err)
		}
		if _, _, err := client.Droplets.ListWithGPUs(t.Context(), nil); err != nil {
			t.Errorf("with GPUs: %v", err)
		}
	})
}

// TestVendorsRetriesMakeDuplicates: with its retries on, the vendor's client repeats a POST whose answer was lost, and
// droplets have no unique names. The emulator shows what the live API would.
func TestVendorsRetriesMakeDuplicates(t *testing.T) {
	e := emulator.Start(t, emulator.Options{})
	for _, action := range []emulator.Fault{{Action: "status", Status: http.StatusBadGateway}, {Action: "drop"}} {
		action.Method, action.Path, action.Point = http.MethodPost, "^/v2/droplets$", "after"
		if _, err := e.AddFault(action); err != nil {
			t.Fatal(err)
		}
	}
	authorized := oauth2.NewClient(t.Context(), oauth2.StaticTokenSource(&oauth2.Token{AccessToken: e.DigitalOcean.Token}))
	client, err := godo.New(authorized, godo.SetBaseURL(e.DigitalOcean.Endpoint), godo.WithRetryAndBackoffs(godo.RetryConfig{
		RetryMax: 4, RetryWaitMin: godo.PtrTo(0.001), RetryWaitMax: godo.PtrTo(0.002),
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer client.HTTPClient.CloseIdleConnections()
	made, _, err := client.Droplets.Create(t.Context(), createRequest("web-1"))
	if err != nil {
		t.Fatal(err)
	}
	droplets := e.Objects("digitalocean", "droplets")
	want(t, "droplets", len(droplets), 3)
	want(t, "POSTs", len(e.Journal()), 3)
	for _, d := range droplets {
		want(t, "name", d.Name, made.Name)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"strings"
	"testing"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestVendorsClientMovesReservedIPs(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		ctx := t.Context()
		var droplets []int
		for _, name := range []string{"a", "b"} {
			droplet, _, err := client.Droplets.Create(ctx, createRequest(name))
			if err != nil {
				t.Fatal(err)
			}
			droplets = append(droplets, droplet.ID)
		}
		pass(time.Minute)
		made, _, err := client.ReservedIPs.Create(ctx, &godo.ReservedIPCreateRequest{Region: "nyc3"})
		if err != nil {
			t.Fatal(err)
		}
		for _, droplet := range droplets {
			action, _, err := client.ReservedIPActions.Assign(ctx, made.IP, droplet)
			if err != nil || action.Type != "assign_ip" || action.ResourceType != "reserved_ip" {
				t.Fatalf("assign: %+v, %v", action, err)
			}
			pass(time.Minute)
			seen, _, err := client.ReservedIPs.Get(ctx, made.IP)
			if err != nil || seen.Droplet == nil || seen.Droplet.ID != droplet || seen.Locked {
				t.Fatalf("moved: %+v, %v", seen, err)
			}
			if ended, _, err := client.ReservedIPActions.Get(ctx, made.IP, action.ID); err != nil || ended.Status != godo.ActionCompleted {
				t.Errorf("the action: %+v, %v", ended, err)
			}
		}
		if _, _, err := client.ReservedIPActions.Unassign(ctx, made.IP); err != nil {
			t.Fatal(err)
		}
		if _, err := client.ReservedIPs.Delete(ctx, made.IP); err == nil || !strings.Contains(err.Error(), "pending event") {
			t.Errorf("the delete right after: %v", err)
		}
		pass(time.Minute)
		if _, err := client.ReservedIPs.Delete(ctx, made.IP); err != nil {
			t.Error(err)
		}
		if left := e.Objects("digitalocean", "reserved_ips"); len(left) > 0 {
			t.Errorf("left: %+v", left)
		}
	})
}

func TestVendorsClientAndIPv6(t *testing.T) {
	inClient(t, func(t *testing.T, _ *emulator.Emulator, client *godo.Client) {
		ctx := t.Context()
		droplet, _, err := client.Droplets.Create(ctx, createRequest("a"))
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := client.Droplets.Create(ctx, createRequest("b"))
		if err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		made, _, err := client.ReservedIPV6s.Create(ctx, &godo.ReservedIPV6CreateRequest{Region: "nyc3"})
		if err != nil || made.ReservedAt.IsZero() || made.RegionSlug != "nyc3" {
			t.Fatalf("%+v, %v", made, err)
		}
		if _, _, err := client.ReservedIPV6Actions.Assign(ctx, made.IP, droplet.ID); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		if _, err := client.ReservedIPV6s.Delete(ctx, made.IP); err == nil || !strings.Contains(err.Error(), "assigned FLIP cannot be released") {
			t.Errorf("the delete of an assigned one: %v", err)
		}
		action, _, err := client.ReservedIPV6Actions.Assign(ctx, made.IP, other.ID)
		if err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		ended, _, err := client.Actions.Get(ctx, action.ID)
		seen, _, getErr := client.ReservedIPV6s.Get(ctx, made.IP)
		if err != nil || getErr != nil || ended.Status != "errored" || seen.Droplet.ID != droplet.ID {
			t.Errorf("a move in one step: %+v, %v; it is on %+v, %v", ended, err, seen.Droplet, getErr)
		}
	})
}

func TestReservedIPsAreRefusedAsTheVendorDoes(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.set(func(s *emulator.Settings) { s.Quotas = map[string]int{"reserved_ips": 1} })
		droplet := c.make()
		id := strings.TrimPrefix(droplet, "/v2/droplets/")
		made := c.ask("POST", "/v2/reserved_ips", `{"region":"nyc3"}`)
		want(t, "create", made.status, 202)
		path := "/v2/reserved_ips/" + made.get("reserved_ip", "ip").(string)
		elsewhere := c.plant(emulator.Fields{"region": "fra1"})
		for name, test := range map[string]struct{ method, path, body, message string }{
			"over the quota":           {"POST", "/v2/reserved_ips", `{"region":"nyc3"}`, "limit"},
			"no region":                {"POST", "/v2/reserved_ips", `{}`, "region is required"},
			"a region that is none":    {"POST", "/v2/reserved_ipv6", `{"region_slug":"x1"}`, "not available"},
			"another region":           {"POST", path + "/actions", `{"type":"assign","droplet_id":` + elsewhere.ID + `}`, "same region"},
			"a droplet that is none":   {"POST", path + "/actions", `{"type":"assign","droplet_id":1}`, "not a Droplet"},
			"off though it is on none": {"POST", path + "/actions", `{"type":"unassign"}`, "not assigned"},
			"an action that is none":   {"POST", path + "/actions", `{"type":"move"}`, "not a valid type"},
		} {
			got := c.ask(test.method, test.path, test.body)
			want(t, name, got.status, 422)
			if !strings.Contains(got.message(), test.message) {
				t.Errorf("%s: %q", name, got.message())
			}
		}
		want(t, "by the older name", c.ask("GET", strings.Replace(path, "reserved_ips", "floating_ips", 1), "").status, 200)
		started := c.act(path, `{"type":"assign","droplet_id":`+id+`}`)
		want(t, "assign", started.status, 201)
		want(t, "locked meanwhile", c.ask("GET", path, "").get("reserved_ip", "locked"), true)
		want(t, "another one meanwhile", c.act(path, `{"type":"unassign"}`).message(), "The floating IP already has a pending event.")
		pass(time.Minute)
		want(t, "delete of the droplet", c.ask("DELETE", droplet, "").status, 204)
		pass(time.Minute)
		want(t, "the address outlives it", c.ask("GET", path, "").get("reserved_ip", "droplet"), nil)
	})
}

func TestAddressesOfAPrefix(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		planted, err := c.Plant("digitalocean", "byoip_prefixes", emulator.Fields{"prefix": "203.0.113.0/24"})
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimPrefix(c.make(), "/v2/droplets/")
		const path = "/v2/reserved_ips/203.0.113.7"
		want(t, "there without a reserve", c.ask("GET", path, "").status, 200)
		want(t, "the second is the vendor's", c.ask("GET", "/v2/reserved_ips/203.0.113.1", "").status, 404)
		started := c.act(path, `{"type":"assign","droplet_id":`+id+`}`)
		want(t, "assign", started.status, 201)
		want(t, "its action can never be asked for", c.ask("GET", "/v2/actions/"+started.id("action"), "").status, 404)
		pass(time.Minute)
		want(t, "in use", c.ask("GET", "/v2/byoip_prefixes/"+planted.ID+"/ips", "").get("ips", 0, "byoip"), "203.0.113.7")
		want(t, "not in the list", len(c.ask("GET", "/v2/reserved_ips", "").list("reserved_ips")), 0)
		want(t, "unassign", c.act(path, `{"type":"unassign"}`).status, 201)
		pass(time.Minute)
		want(t, "free again", len(c.ask("GET", "/v2/byoip_prefixes/"+planted.ID+"/ips", "").list("ips")), 0)
		asked := c.ask("POST", "/v2/byoip_prefixes", `{"prefix":"198.51.100.0/24","region":"nyc3","signature":"s"}`)
		want(t, "a new one is under review", asked.get("byoip_prefix", "status"), "in_progress")
		want(t, "and of no use yet", c.ask("GET", "/v2/reserved_ips/198.51.100.9", "").status, 404)
		if _, err := c.Patch("digitalocean", "byoip_prefixes", asked.get("byoip_prefix", "uuid").(string), emulator.Fields{"status": "active"}); err != nil {
			t.Fatal(err)
		}
		want(t, "active", c.ask("GET", "/v2/reserved_ips/198.51.100.9", "").status, 200)
	})
}

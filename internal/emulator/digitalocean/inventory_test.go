// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestInventoryNamesEveryKind: every kind has its list, of which only the domains' has something from the start.
func TestInventoryNamesEveryKind(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		inventory := c.Inventory()["digitalocean"]
		for _, kind := range []string{
			"droplets", "reserved_ips", "reserved_ipv6", "byoip_prefixes", "certificates", "load_balancers", "domains", "tags",
			"vpcs", "firewalls",
		} {
			if list, there := inventory[kind]; !there || list == nil || len(list) > 0 && kind != "domains" {
				c.t.Errorf("%s: %v", kind, list)
			}
			_, err := c.Plant("digitalocean", kind, emulator.Fields{"name": "a"})
			served := !strings.HasPrefix(kind, "reserved") && kind != "byoip_prefixes"
			want(c.t, "plant of "+kind, err == nil, served)
		}
		want(c.t, "kinds", len(inventory), 10)
	})
}

// TestOthersChangeDroplets: what control plants, changes and removes is what the API then shows.
func TestOthersChangeDroplets(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		made := c.plant(emulator.Fields{"name": "theirs", "tags": []string{"a", "b"}, "status": "off", "region": "fra1", "features": []string{"ipv6"}})
		path := "/v2/droplets/" + made.ID
		got := c.ask("GET", path, "")
		want(c.t, "planted", fmt.Sprint(made.Name, made.State, made.Tags, made.Project), "theirsoff[a b]main")
		want(c.t, "name", got.get("droplet", "name"), "theirs")
		want(c.t, "region", got.get("droplet", "region", "slug"), "fra1")
		want(c.t, "addresses", len(got.get("droplet", "networks", "v4").([]any)), 2)
		want(c.t, "IPv6", len(got.get("droplet", "networks", "v6").([]any)), 1)
		changed, err := c.Patch("digitalocean", "droplets", made.ID, emulator.Fields{
			"name": "ours", "tags": []string{"b", "c"}, "status": "active", "size": map[string]any{"slug": "c-2"},
			"image": "debian-13-x64", "created_at": "2020-07-21T18:37:44Z", "region": map[string]any{"slug": "lon1"},
		})
		if err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "changed", fmt.Sprint(changed.Name, changed.State, changed.Tags), "oursactive[b c]")
		got = c.ask("GET", path, "")
		for member, value := range map[string]any{"size_slug": "c-2", "created_at": "2020-07-21T18:37:44Z", "disk": 25.0, "vcpus": 2.0} {
			want(c.t, member, got.get("droplet", member), value)
		}
		want(c.t, "image", got.get("droplet", "image", "slug"), "debian-13-x64")
		want(c.t, "tag that is new", c.ask("GET", "/v2/tags/c", "").get("tag", "resources", "count"), 1.0)
		if err := c.Vanish("digitalocean", "tags", "c"); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "tags", strings.Join(c.Objects("digitalocean", "droplets")[0].Tags, " "), "b")
		if err := c.Vanish("digitalocean", "droplets", made.ID); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "GET", c.ask("GET", path, "").status, 404)
		want(c.t, "calls in the journal", len(c.Journal()), 4)
	})
}

// TestControlRefuses: a wrong field changes nothing.
func TestControlRefuses(t *testing.T) {
	cases := map[string]struct {
		fields  emulator.Fields
		message string
	}{
		"unknown field":   {emulator.Fields{"name": "x", "colour": "red"}, `there is no field "colour"`},
		"unknown status":  {emulator.Fields{"name": "x", "status": "running"}, `"running" is none of`},
		"unknown size":    {emulator.Fields{"name": "x", "size_slug": "s-99"}, "there is no size s-99"},
		"unknown image":   {emulator.Fields{"name": "x", "image": 7}, "there is no image 7"},
		"unknown region":  {emulator.Fields{"name": "x", "region": "xyz1"}, "there is no region xyz1"},
		"size of no kind": {emulator.Fields{"name": "x", "size": true}, "neither a slug nor an id"},
		"bad tag":         {emulator.Fields{"name": "x", "tags": []string{"a b"}}, "no name of a tag"},
		"tags are a word": {emulator.Fields{"name": "x", "tags": "a"}, "tags:"},
		"name is a list":  {emulator.Fields{"name": []string{"x"}}, "name:"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				made := c.plant(emulator.Fields{"name": "a"})
				before := fmt.Sprint(c.Inventory()["digitalocean"])
				for what, change := range map[string]func() error{
					"patch": func() error {
						_, err := c.Patch("digitalocean", "droplets", made.ID, test.fields)
						return err
					},
					"plant": func() error {
						_, err := c.Plant("digitalocean", "droplets", test.fields)
						return err
					},
				} {
					if err := change(); err == nil || !strings.Contains(err.Error(), test.message) {
						c.t.Errorf("%s: %v", what, err)
					}
				}
				want(c.t, "inventory", fmt.Sprint(c.Inventory()["digitalocean"]), before)
			})
		})
	}
}

func TestControlKnowsWhatIsThere(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		if _, err := c.Patch("digitalocean", "droplets", "7", emulator.Fields{}); err == nil {
			c.t.Error("a droplet that is not there was changed")
		}
		if err := c.Vanish("digitalocean", "tags", "a"); err == nil {
			c.t.Error("a tag that is not there was removed")
		}
		if _, err := c.Plant("digitalocean", "droplets", emulator.Fields{"project": "nobody"}); err == nil {
			c.t.Error("a droplet was planted in a team that is not there")
		}
		if _, err := c.Plant("digitalocean", "tags", emulator.Fields{"name": "a b"}); err == nil {
			c.t.Error("a tag was planted whose name the vendor refuses")
		}
	})
}

// TestControlFreesADroplet from an event that never ends.
func TestControlFreesADroplet(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		c.set(func(s *emulator.Settings) { s.ActionResults["reboot"] = emulator.Result{Status: "never"} })
		c.act(path, `{"type":"reboot"}`)
		pass(time.Hour)
		want(c.t, "busy", *c.Objects("digitalocean", "droplets")[0].Busy, "reboot")
		if _, err := c.Patch("digitalocean", "droplets", strings.TrimPrefix(path, "/v2/droplets/"), emulator.Fields{"locked": false}); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "next action", c.act(path, `{"type":"power_off"}`).status, 201)
	})
}

// TestResetForgets objects and counted requests, and what was under way.
func TestResetForgets(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		created := c.ask("POST", "/v2/droplets", webBody)
		c.Reset()
		pass(time.Minute)
		got := c.ask("GET", "/v2/droplets", "")
		want(c.t, "droplets", got.get("meta", "total"), 0.0)
		want(c.t, "remaining", got.header.Get("ratelimit-remaining"), "4999")
		want(c.t, "action", c.ask("GET", "/v2/actions/"+created.id("links", "actions", 0), "").status, 404)
		want(c.t, "tag", c.ask("GET", "/v2/tags/app:shop", "").status, 404)
		if again := c.ask("POST", "/v2/droplets", webBody); again.id("droplet") == created.id("droplet") {
			c.t.Errorf("droplet %s came twice", again.id("droplet"))
		}
	})
}

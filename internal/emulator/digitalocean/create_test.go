// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestCreateIsAsynchronous: 202 with a new droplet without addresses; the action completes later.
func TestCreateIsAsynchronous(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		created := c.ask("POST", "/v2/droplets", webBody)
		want(c.t, "status code", created.status, 202)
		want(c.t, "status", created.get("droplet", "status"), "new")
		want(c.t, "locked", created.get("droplet", "locked"), false)
		want(c.t, "networks", fmt.Sprint(created.get("droplet", "networks")), "map[v4:[] v6:[]]")
		want(c.t, "tags", created.get("droplet", "tags", 0), "app:shop")
		link := created.id("links", "actions", 0)
		want(c.t, "relation", created.get("links", "actions", 0, "rel"), "create")
		want(c.t, "href", created.get("links", "actions", 0, "href"), "http://127.0.0.1/v2/actions/"+link)
		want(c.t, "action", c.ask("GET", "/v2/actions/"+link, "").get("action", "status"), "in-progress")
		want(c.t, "completed at", c.ask("GET", "/v2/actions/"+link, "").get("action", "completed_at"), nil)
		pass(time.Second)
		action := c.ask("GET", "/v2/actions/"+link, "")
		want(c.t, "action", action.get("action", "status"), "completed")
		want(c.t, "resource", action.id("action"), link)
		want(c.t, "region", action.get("action", "region_slug"), "nyc3")
		got := c.ask("GET", "/v2/droplets/"+created.id("droplet"), "")
		want(c.t, "status", got.get("droplet", "status"), "active")
		want(c.t, "addresses", len(got.get("droplet", "networks", "v4").([]any)), 2)
		want(c.t, "IPv6 addresses", len(got.get("droplet", "networks", "v6").([]any)), 0)
	})
}

// TestNewDropletsComeIntoSight: each lag hides its own part of a new droplet, and nothing else.
func TestNewDropletsComeIntoSight(t *testing.T) {
	minute := emulator.Duration(time.Minute)
	cases := map[string]struct {
		lag                        emulator.Lag
		get                        int
		listed, tagged             float64
		status, addresses, labeled any
	}{
		"none":    {emulator.Lag{}, 200, 1, 1, "active", 2, "app:shop"},
		"get":     {emulator.Lag{Get: minute}, 404, 1, 1, nil, 0, nil},
		"list":    {emulator.Lag{List: minute}, 200, 0, 0, "active", 2, "app:shop"},
		"tag":     {emulator.Lag{Tag: minute}, 200, 1, 0, "active", 2, nil},
		"network": {emulator.Lag{Network: minute}, 200, 1, 1, "active", 0, "app:shop"},
		"status":  {emulator.Lag{Status: minute}, 200, 1, 1, "new", 2, "app:shop"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				c.set(func(s *emulator.Settings) { s.Lag = test.lag })
				path := c.make()
				got := c.ask("GET", path, "")
				addresses, _ := got.get("droplet", "networks", "v4").([]any)
				want(c.t, "GET", got.status, test.get)
				want(c.t, "status", got.get("droplet", "status"), test.status)
				want(c.t, "addresses", len(addresses), test.addresses)
				want(c.t, "tags", got.get("droplet", "tags", 0), test.labeled)
				want(c.t, "listed", c.ask("GET", "/v2/droplets", "").get("meta", "total"), test.listed)
				want(c.t, "listed by tag", c.ask("GET", "/v2/droplets?tag_name=app:shop", "").get("meta", "total"), test.tagged)
				want(c.t, "in truth", c.Objects("digitalocean", "droplets")[0].Tags[0], "app:shop")
				pass(2 * time.Minute)
				want(c.t, "status after all", c.status(path), "active")
				want(c.t, "listed by tag after all", c.ask("GET", "/v2/droplets?tag_name=app:shop", "").get("meta", "total"), 1.0)
			})
		})
	}
}

// TestFailedPlacementTakesTheDropletAway: accepted with 202, then errored and gone.
func TestFailedPlacementTakesTheDropletAway(t *testing.T) {
	for _, word := range []string{"error", "errored"} {
		inCloud(t, emulator.Options{}, func(c cloud) {
			c.set(func(s *emulator.Settings) { s.ActionResults["create"] = emulator.Result{Status: word} })
			created := c.ask("POST", "/v2/droplets", webBody)
			want(c.t, "create", created.status, 202)
			pass(time.Second)
			want(c.t, "GET", c.ask("GET", "/v2/droplets/"+created.id("droplet"), "").status, 404)
			action := c.ask("GET", "/v2/actions/"+created.id("links", "actions", 0), "")
			want(c.t, "action", action.get("action", "status"), "errored")
			want(c.t, "listed", c.ask("GET", "/v2/droplets", "").get("meta", "total"), 0.0)
			want(c.t, "the tag stays", c.ask("GET", "/v2/tags/app:shop", "").get("tag", "resources", "count"), 0.0)
		})
	}
}

func TestCreateOfSeveral(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		body := `{"names":["a.example.com","b.example.com"],"size":"s-1vcpu-1gb","image":195932981,"region":"nyc3","tags":null}`
		created := c.ask("POST", "/v2/droplets", body)
		want(c.t, "status", created.status, 202)
		want(c.t, "names", created.values("droplets", "name"), "a.example.com b.example.com")
		want(c.t, "actions", len(created.get("links", "actions").([]any)), 2)
		want(c.t, "image", created.get("droplets", 0, "image", "slug"), "ubuntu-24-04-x64")
		names := strings.Repeat(`"a",`, 10) + `"a"`
		many := c.ask("POST", "/v2/droplets", strings.Replace(body, `"a.example.com","b.example.com"`, names, 1))
		want(c.t, "eleven at once", many.status, 422)
		want(c.t, "the same name twice", c.ask("POST", "/v2/droplets", body).status, 202)
		want(c.t, "droplets", len(c.Objects("digitalocean", "droplets")), 4)
	})
}

// TestCreateRefusals: what POST /v2/droplets refuses, in the vendor's words where they are known.
func TestCreateRefusals(t *testing.T) {
	const base = `"size":"s-1vcpu-1gb","image":"debian-13-x64","region":"nyc3"`
	cases := map[string]struct {
		body, message string
		status        int
	}{
		"no JSON":                {`{"name"`, "error parsing request body", 400},
		"no name":                {`{` + base + `}`, "Name can't be blank", 422},
		"underscore in name":     {`{"name":"a_b",` + base + `}`, "Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)", 422},
		"dash at the end":        {`{"name":"a-",` + base + `}`, "Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)", 422},
		"long name":              {`{"name":"` + strings.Repeat("a", 256) + `",` + base + `}`, "Name is too long (maximum is 255 characters)", 422},
		"name is a number":       {`{"name":5,` + base + `}`, "name must be a string", 422},
		"unknown size":           {`{"name":"a","size":"s-99","image":"debian-13-x64","region":"nyc3"}`, "You specified an invalid size for Droplet creation.", 422},
		"unknown image":          {`{"name":"a","size":"s-1vcpu-1gb","image":"beos-5","region":"nyc3"}`, "You specified an invalid image for Droplet creation.", 422},
		"unknown region":         {`{"name":"a","size":"s-1vcpu-1gb","image":"debian-13-x64","region":"xyz1"}`, "You specified an invalid region for Droplet creation.", 422},
		"closed region":          {`{"name":"a","size":"s-1vcpu-1gb","image":"debian-13-x64","region":"sfo1"}`, "Region is not available", 422},
		"size not sold there":    {`{"name":"a","size":"s-1vcpu-512mb-10gb","image":"debian-13-x64","region":"lon1"}`, "Size is not available in this region.", 422},
		"size no longer sold":    {`{"name":"a","size":"s-1vcpu-3gb","image":"debian-13-x64","region":"nyc3"}`, "Size is not available in this region.", 422},
		"GPU without quota":      {`{"name":"a","size":"gpu-h100x1-80gb","image":"gpu-h100x1-base","region":"tor1"}`, "Size is not available in this region.", 422},
		"disk too small":         {`{"name":"a","size":"s-1vcpu-512mb-10gb","image":"docker-20-04","region":"nyc1"}`, "The image you specified requires a larger disk than the selected size has.", 422},
		"bad tag":                {`{"name":"a","tags":["a b"],` + base + `}`, `Tag names may contain letters, numbers, colons, dashes, and underscores, not "a b"`, 422},
		"user data too long":     {`{"name":"a","user_data":"` + strings.Repeat("x", 64<<10+1) + `",` + base + `}`, "User data is too long, the maximum is 64 KiB", 422},
		"unknown SSH key":        {`{"name":"a","ssh_keys":[7],` + base + `}`, "7 are invalid key identifiers for Droplet creation.", 422},
		"a volume":               {`{"name":"a","volumes":[{"id":"x"}],` + base + `}`, "volume not found", 422},
		"a VPC":                  {`{"name":"a","vpc_uuid":"760e09ef-dc84-11e8-981e-3cfdfeaae000",` + base + `}`, "You specified invalid VPC parameters for Droplet creation.", 422},
		"IPv6 but not in public": {`{"name":"a","ipv6":true,"public_networking":false,` + base + `}`, "ipv6 cannot be enabled without public networking", 422},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				got := c.ask("POST", "/v2/droplets", test.body)
				want(c.t, "status", got.status, test.status)
				want(c.t, "message", got.message(), test.message)
				want(c.t, "droplets", len(c.Objects("digitalocean", "droplets")), 0)
				want(c.t, "tags", len(c.Objects("digitalocean", "tags")), 0)
			})
		})
	}
}

func TestQuotaAndCapacity(t *testing.T) {
	cases := map[string]struct {
		change  func(*emulator.Settings)
		message string
	}{
		"quota": {func(s *emulator.Settings) { s.Quotas["droplets"] = 1 }, "creating this/these droplet(s) will exceed your droplet limit"},
		"no room": {func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Offer: "s-1vcpu-1gb", Region: "nyc3", Create: new(false)}}
		}, "size is unavailable"},
		"sold out": {func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Offer: "s-1vcpu-1gb", Catalogue: new(false)}}
		}, "size is unavailable"},
		"closed region": {func(s *emulator.Settings) { s.ClosedRegions = []string{"nyc3"} }, "Region is not available"},
		"retired size": {func(s *emulator.Settings) {
			s.Retired = []emulator.Retired{{Kind: "sizes", ID: "s-1vcpu-1gb"}}
		}, "Size is not available in this region."},
		"retired image": {func(s *emulator.Settings) {
			s.Retired = []emulator.Retired{{Kind: "images", ID: "ubuntu-24-04-x64"}}
		}, "You specified an invalid image for Droplet creation."},
		"no room elsewhere": {func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Region: "fra1", Create: new(false)}}
		}, ""},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				c.make()
				c.set(test.change)
				want(c.t, "message", c.ask("POST", "/v2/droplets", webBody).message(), test.message)
			})
		})
	}
}

// TestRegionOfAnOrder: a prefix means any of its regions, none means any at all; what is closed or sold out is skipped.
func TestRegionOfAnOrder(t *testing.T) {
	cases := map[string]struct{ region, size, got string }{
		"prefix":                  {`"region":"sfo",`, "s-1vcpu-1gb", "sfo2"},
		"prefix, size in one":     {`"region":"nyc",`, "gpu-mi325x1-256gb", "nyc2"},
		"any":                     {"", "s-1vcpu-1gb", "nyc1"},
		"any, size in one region": {"", "gpu-mi350x1-288gb-spot", "ric1"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				created := c.ask("POST", "/v2/droplets", `{"name":"a",`+test.region+`"size":"`+test.size+`","image":"ubuntu-24-04-x64"}`)
				want(c.t, "region", created.get("droplet", "region", "slug"), test.got)
			})
		})
	}
}

// TestCreatesAtTheSameTime make a droplet each, with an id and addresses of its own.
func TestCreatesAtTheSameTime(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		var creates sync.WaitGroup
		for range 20 {
			creates.Go(func() {
				if status := c.ask("POST", "/v2/droplets", webBody).status; status != 202 {
					c.t.Errorf("create: %d", status)
				}
			})
		}
		creates.Wait()
		pass(time.Second)
		addresses := map[any]bool{}
		list := c.ask("GET", "/v2/droplets?tag_name=app:shop", "")
		for i := range list.list("droplets") {
			addresses[list.get("droplets", i, "networks", "v4", 1, "ip_address")] = true
		}
		want(c.t, "addresses", len(addresses), 20)
		want(c.t, "tags", len(c.Objects("digitalocean", "tags")), 1)
	})
}

func TestFeaturesOfADroplet(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		body := strings.TrimSuffix(webBody, "}") + `,"ipv6":true,"monitoring":true,"backups":true,"with_droplet_agent":false}`
		created := c.ask("POST", "/v2/droplets", body)
		want(c.t, "features", fmt.Sprint(created.get("droplet", "features")), "[backups ipv6 monitoring private_networking]")
		pass(time.Second)
		got := c.ask("GET", "/v2/droplets/"+created.id("droplet"), "")
		want(c.t, "private", got.get("droplet", "networks", "v4", 0, "type"), "private")
		want(c.t, "public", got.get("droplet", "networks", "v4", 1, "type"), "public")
		want(c.t, "netmask of IPv6", got.get("droplet", "networks", "v6", 0, "netmask"), 64.0)
		hidden := c.ask("POST", "/v2/droplets", strings.TrimSuffix(webBody, "}")+`,"public_networking":false}`)
		pass(time.Second)
		got = c.ask("GET", "/v2/droplets/"+hidden.id("droplet"), "")
		want(c.t, "addresses without public networking", len(got.get("droplet", "networks", "v4").([]any)), 1)
	})
}

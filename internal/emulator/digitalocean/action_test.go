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

// TestOneEventAtATime: while one runs everything else is refused, a DELETE too, and "locked" stays false.
func TestOneEventAtATime(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: time.Minute}, func(c cloud) {
		created := c.ask("POST", "/v2/droplets", webBody)
		path := "/v2/droplets/" + created.id("droplet")
		for _, refused := range []answer{c.act(path, `{"type":"power_off"}`), c.ask("DELETE", path, "")} {
			want(c.t, "status", refused.status, 422)
			want(c.t, "message", refused.message(), "Droplet already has a pending event.")
		}
		want(c.t, "locked", c.ask("GET", path, "").get("droplet", "locked"), false)
		want(c.t, "busy", *c.Objects("digitalocean", "droplets")[0].Busy, "create")
		pass(time.Minute)
		want(c.t, "afterwards", c.act(path, `{"type":"power_off"}`).status, 201)
	})
}

// TestPower: which power action a droplet takes in which status, and what becomes of it.
func TestPower(t *testing.T) {
	cases := map[string]struct {
		before, kind, message, after string
	}{
		"power_off on":    {"active", "power_off", "", "off"},
		"power_off off":   {"off", "power_off", "Droplet is already powered off", "off"},
		"power_on off":    {"off", "power_on", "", "active"},
		"power_on on":     {"active", "power_on", "Droplet is already powered on", "active"},
		"shutdown on":     {"active", "shutdown", "", "off"},
		"shutdown off":    {"off", "shutdown", "", "off"},
		"reboot on":       {"active", "reboot", "", "active"},
		"power_cycle on":  {"active", "power_cycle", "", "active"},
		"power_cycle off": {"off", "power_cycle", "", "active"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				path := "/v2/droplets/" + c.plant(emulator.Fields{"status": test.before}).ID
				got := c.act(path, `{"type":"`+test.kind+`"}`)
				want(c.t, "message", got.message(), test.message)
				if test.message == "" {
					want(c.t, "status code", got.status, 201)
					want(c.t, "type", got.get("action", "type"), test.kind)
					want(c.t, "meanwhile", c.status(path), test.before)
				}
				pass(time.Second)
				want(c.t, "status", c.status(path), test.after)
				journal := c.Journal()
				want(c.t, "operation in the journal", journal[0].Operation, test.kind)
			})
		})
	}
}

// TestShutdownMayBeIgnored: the action completes though the guest stays up.
func TestShutdownMayBeIgnored(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := "/v2/droplets/" + c.plant(emulator.Fields{}).ID
		c.set(func(s *emulator.Settings) { s.ActionResults["guest_off"] = emulator.Result{Status: "never"} })
		started := c.act(path, `{"type":"shutdown"}`)
		pass(time.Hour)
		want(c.t, "action", c.ask("GET", "/v2/actions/"+started.id("action"), "").get("action", "status"), "completed")
		want(c.t, "droplet", c.status(path), "active")
		c.set(func(s *emulator.Settings) {
			s.ActionTimes = map[string]emulator.Duration{"guest_off": emulator.Duration(time.Minute)}
		})
		c.act(path, `{"type":"shutdown"}`)
		pass(30 * time.Second)
		want(c.t, "guest that is slow", c.status(path), "active")
		c.act(path, `{"type":"power_cycle"}`)
		pass(time.Hour)
		want(c.t, "guest that was cycled meanwhile", c.status(path), "active")
	})
}

// TestHowActionsEnd: errored changes nothing, never keeps the droplet busy, and a word that nobody knows is shown.
func TestHowActionsEnd(t *testing.T) {
	cases := map[string]struct{ result, action, droplet string }{
		"well":         {"", "completed", "off"},
		"error":        {"error", "errored", "active"},
		"errored":      {"errored", "errored", "active"},
		"unknown word": {"archived", "archived", "off"},
		"never":        {"never", "in-progress", "active"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				path := c.make()
				if test.result != "" {
					c.set(func(s *emulator.Settings) { s.ActionResults["power_off"] = emulator.Result{Status: test.result} })
				}
				started := c.act(path, `{"type":"power_off"}`)
				pass(time.Hour)
				got := c.ask("GET", path+"/actions/"+started.id("action"), "")
				want(c.t, "action", got.get("action", "status"), test.action)
				want(c.t, "droplet", c.status(path), test.droplet)
				next := c.act(path, `{"type":"power_cycle"}`)
				if test.result == "never" {
					want(c.t, "next action", next.message(), "Droplet already has a pending event.")
					return
				}
				want(c.t, "next action", next.status, 201)
			})
		})
	}
}

func TestStatusLag(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		c.set(func(s *emulator.Settings) { s.Lag.Status = emulator.Duration(10 * time.Second) })
		started := c.act(path, `{"type":"power_off"}`)
		pass(time.Second)
		want(c.t, "action", c.ask("GET", "/v2/actions/"+started.id("action"), "").get("action", "status"), "completed")
		want(c.t, "status at first", c.status(path), "active")
		pass(10 * time.Second)
		want(c.t, "status in the end", c.status(path), "off")
	})
}

// TestResize: off first, the same region, no smaller disk; the disk grows with "disk" only, and then for good.
func TestResize(t *testing.T) {
	cases := map[string]struct {
		fields  emulator.Fields
		action  string
		message string
		size    string
		disk    float64
	}{
		"CPU and memory":      {emulator.Fields{"status": "off"}, `"size":"s-2vcpu-2gb"`, "", "s-2vcpu-2gb", 25},
		"with the disk":       {emulator.Fields{"status": "off"}, `"size":"s-2vcpu-2gb","disk":true`, "", "s-2vcpu-2gb", 60},
		"back without disk":   {emulator.Fields{"status": "off", "size": "s-2vcpu-2gb", "disk": 25}, `"size":"s-1vcpu-1gb"`, "", "s-1vcpu-1gb", 25},
		"its disk too late":   {emulator.Fields{"status": "off", "size": "s-2vcpu-2gb", "disk": 25}, `"size":"s-2vcpu-2gb","disk":true`, "", "s-2vcpu-2gb", 60},
		"back with disk":      {emulator.Fields{"status": "off", "size": "s-2vcpu-2gb"}, `"size":"s-1vcpu-1gb"`, "This size is not available because it has a smaller disk.", "s-2vcpu-2gb", 60},
		"while on":            {emulator.Fields{}, `"size":"s-2vcpu-2gb"`, "Droplet must be powered off to be resized.", "s-1vcpu-1gb", 25},
		"the same size":       {emulator.Fields{"status": "off"}, `"size":"s-1vcpu-1gb"`, "Droplet already has this size.", "s-1vcpu-1gb", 25},
		"not sold there":      {emulator.Fields{"status": "off", "region": "nyc2"}, `"size":"c-2"`, "Size is not available in this region.", "s-1vcpu-1gb", 25},
		"no longer sold":      {emulator.Fields{"status": "off"}, `"size":"s-6vcpu-16gb"`, "Size is not available in this region.", "s-1vcpu-1gb", 25},
		"to a GPU":            {emulator.Fields{"status": "off", "region": "tor1"}, `"size":"gpu-mi325x1-256gb"`, "Size is not available in this region.", "s-1vcpu-1gb", 25},
		"unknown size":        {emulator.Fields{"status": "off"}, `"size":"s-99"`, "You specified an invalid size.", "s-1vcpu-1gb", 25},
		"no room on the host": {emulator.Fields{"status": "off"}, `"size":"s-8vcpu-16gb"`, "Size is too large to fit on your droplet's server", "s-1vcpu-1gb", 25},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				c.set(func(s *emulator.Settings) {
					s.Capacity = []emulator.Capacity{{Offer: "s-8vcpu-16gb", Create: new(false)}}
				})
				path := "/v2/droplets/" + c.plant(test.fields).ID
				status := c.status(path)
				want(c.t, "message", c.act(path, `{"type":"resize",`+test.action+`}`).message(), test.message)
				pass(time.Second)
				got := c.ask("GET", path, "")
				want(c.t, "size", got.get("droplet", "size_slug"), test.size)
				want(c.t, "disk", got.get("droplet", "disk"), test.disk)
				want(c.t, "status", got.get("droplet", "status"), status)
			})
		})
	}
}

// TestChanges: the actions that change something else than power and size.
func TestChanges(t *testing.T) {
	cases := map[string]struct {
		action, message string
		path            []any
		value           any
	}{
		"rebuild by slug":       {`{"type":"rebuild","image":"debian-13-x64"}`, "", []any{"image", "slug"}, "debian-13-x64"},
		"rebuild by id":         {`{"type":"rebuild","image":199888143}`, "", []any{"image", "slug"}, "debian-13-x64"},
		"rebuild unknown":       {`{"type":"rebuild","image":"beos-5"}`, "You specified an invalid image.", []any{"image", "slug"}, "ubuntu-24-04-x64"},
		"rebuild without image": {`{"type":"rebuild"}`, "You specified an invalid image.", []any{"image", "slug"}, "ubuntu-24-04-x64"},
		"rebuild too large":     {`{"type":"rebuild","image":"gpu-amd-base"}`, "The image you specified requires a larger disk than the Droplet has.", []any{"image", "slug"}, "ubuntu-24-04-x64"},
		"restore of another's":  {`{"type":"restore","image":199888143}`, "You specified an invalid image.", []any{"image", "slug"}, "ubuntu-24-04-x64"},
		"rename":                {`{"type":"rename","name":"app"}`, "", []any{"name"}, "app"},
		"rename badly":          {`{"type":"rename","name":"a_b"}`, "Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)", []any{"name"}, "web"},
		"enable_ipv6":           {`{"type":"enable_ipv6"}`, "", []any{"networks", "v6", 0, "type"}, "public"},
		"enable_backups":        {`{"type":"enable_backups"}`, "", []any{"features", 2}, "backups"},
		"password_reset":        {`{"type":"password_reset"}`, "", []any{"name"}, "web"},
		"snapshot":              {`{"type":"snapshot","name":"before"}`, "", []any{"snapshot_ids", 0}, 214900311.0},
		"unknown":               {`{"type":"explode"}`, `"explode" is not a valid type of action for a Droplet`, []any{"name"}, "web"},
		"kernel":                {`{"type":"change_kernel","kernel":7}`, `"change_kernel" is not a valid type of action for a Droplet`, []any{"name"}, "web"},
		"no type":               {`{}`, `"" is not a valid type of action for a Droplet`, []any{"name"}, "web"},
		"no JSON":               {`{"type"`, "error parsing request body", []any{"name"}, "web"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				path := c.make()
				want(c.t, "message", c.act(path, test.action).message(), test.message)
				pass(time.Second)
				got := c.ask("GET", path, "")
				want(c.t, fmt.Sprint(test.path), got.get(append([]any{"droplet"}, test.path...)...), test.value)
				want(c.t, "status", got.get("droplet", "status"), "active")
			})
		})
	}
}

// TestFeatureActions: IPv6 comes once and with public networking only; backups come and go.
func TestFeatureActions(t *testing.T) {
	cases := map[string]struct {
		given, kind, message, features string
	}{
		"IPv6":                   {``, "enable_ipv6", "", "[droplet_agent private_networking ipv6]"},
		"IPv6 twice":             {`,"ipv6":true`, "enable_ipv6", "IPv6 is already enabled on this Droplet.", "[droplet_agent ipv6 private_networking]"},
		"IPv6 but not in public": {`,"public_networking":false`, "enable_ipv6", "ipv6 cannot be enabled without public networking", "[droplet_agent private_networking]"},
		"backups":                {``, "enable_backups", "", "[droplet_agent private_networking backups]"},
		"no more backups":        {`,"backups":true`, "disable_backups", "", "[droplet_agent private_networking]"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				path := "/v2/droplets/" + c.ask("POST", "/v2/droplets", strings.TrimSuffix(webBody, "}")+test.given+"}").id("droplet")
				pass(time.Second)
				want(c.t, "message", c.act(path, `{"type":"`+test.kind+`"}`).message(), test.message)
				pass(time.Second)
				want(c.t, "features", fmt.Sprint(c.ask("GET", path, "").get("droplet", "features")), test.features)
			})
		})
	}
}

// TestSnapshotsStayInTheirRegion: no droplet elsewhere can be made from one, nor rebuilt.
func TestSnapshotsStayInTheirRegion(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.act(c.make(), `{"type":"snapshot"}`)
		pass(time.Second)
		own := c.ask("GET", "/v2/images?private=true", "")
		want(c.t, "name", own.get("images", 0, "name"), "web 2000-01-01T00:00:01Z")
		elsewhere := `{"name":"a","size":"s-1vcpu-1gb","region":"fra1","image":` + own.id("images", 0) + `}`
		want(c.t, "create", c.ask("POST", "/v2/droplets", elsewhere).message(), "The image you specified is not available in the selected region.")
		path := "/v2/droplets/" + c.plant(emulator.Fields{"region": "fra1"}).ID
		want(c.t, "rebuild", c.act(path, `{"type":"rebuild","image":`+own.id("images", 0)+`}`).message(), "The image you specified is not available in the selected region.")
		here := strings.Replace(elsewhere, "fra1", "nyc3", 1)
		want(c.t, "create in its region", c.ask("POST", "/v2/droplets", here).status, 202)
	})
}

// TestSnapshots: a snapshot is an image of the team's own, and the droplet can be restored from it.
func TestSnapshots(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		c.act(path, `{"type":"snapshot","name":"before"}`)
		pass(time.Second)
		own := c.ask("GET", "/v2/images?private=true", "")
		want(c.t, "own images", own.values("images", "name"), "before")
		want(c.t, "of the droplet", c.ask("GET", path+"/snapshots", "").values("snapshots", "name"), "before")
		want(c.t, "of another team", c.askAs(c.DigitalOcean.Tokens["foreign"], "GET", "/v2/images?private=true", "").get("meta", "total"), 0.0)
		id := own.id("images", 0)
		c.act(path, `{"type":"rebuild","image":"debian-13-x64"}`)
		pass(time.Second)
		want(c.t, "restore", c.act(path, `{"type":"restore","image":`+id+`}`).status, 201)
		pass(time.Second)
		want(c.t, "image", c.ask("GET", path, "").id("droplet", "image"), id)
		want(c.t, "delete", c.ask("DELETE", "/v2/images/"+id, "").status, 204)
		want(c.t, "delete of the vendor's", c.ask("DELETE", "/v2/images/199888143", "").status, 404)
		want(c.t, "gone", c.ask("GET", "/v2/images/"+id, "").status, 404)
	})
}

// TestActionsByTag: one action for each droplet that bears the tag and can take it; some types only.
func TestActionsByTag(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for _, status := range []string{"active", "off", "active"} {
			c.plant(emulator.Fields{"status": status, "tags": []string{"a"}})
		}
		c.plant(emulator.Fields{})
		started := c.ask("POST", "/v2/droplets/actions?tag_name=a", `{"type":"power_off"}`)
		want(c.t, "status", started.status, 201)
		want(c.t, "actions", len(started.list("actions")), 2)
		want(c.t, "operation", c.Journal()[0].Operation, "power_off")
		pass(time.Second)
		states := ""
		for _, o := range c.Objects("digitalocean", "droplets") {
			states += o.State + " "
		}
		want(c.t, "states", states, "off off off active ")
		want(c.t, "rebuild", c.ask("POST", "/v2/droplets/actions?tag_name=a", `{"type":"rebuild"}`).status, 422)
		want(c.t, "unknown tag", c.ask("POST", "/v2/droplets/actions?tag_name=b", `{"type":"power_on"}`).status, 404)
	})
}

// TestActionsAreListed: the newest first, of a droplet and of the team; ids do not fit a signed 32-bit number.
func TestActionsAreListed(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		c.make()
		c.act(path, `{"type":"power_off"}`)
		want(c.t, "of the droplet", c.ask("GET", path+"/actions?per_page=50", "").values("actions", "type"), "power_off create")
		want(c.t, "of the team", c.ask("GET", "/v2/actions", "").values("actions", "type"), "power_off create create")
		want(c.t, "of another team", c.askAs(c.DigitalOcean.Tokens["foreign"], "GET", "/v2/actions", "").get("meta", "total"), 0.0)
		first := c.ask("GET", "/v2/actions", "").get("actions", 0)
		action := first.(map[string]any)
		if id := action["id"].(float64); id <= 1<<31 {
			c.t.Errorf("id %.0f fits 32 bits", id)
		}
		want(c.t, "resource", "/v2/droplets/"+fmt.Sprintf("%.0f", action["resource_id"]), path)
		want(c.t, "kind of resource", action["resource_type"], "droplet")
		other := fmt.Sprintf("/actions/%.0f", action["id"])
		want(c.t, "of its droplet", c.ask("GET", path+other, "").status, 200)
		second := "/v2/droplets/" + c.Objects("digitalocean", "droplets")[1].ID
		want(c.t, "of another droplet", c.ask("GET", second+other, "").status, 404)
		want(c.t, "no number", c.ask("GET", "/v2/actions/"+strings.Repeat("9", 30), "").status, 404)
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestDropletFilters: droplets are found by name in any case, by tag in one spelling; names repeat; GPU droplets have a list of their
// own.
func TestDropletFilters(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.plant(emulator.Fields{"name": "web", "tags": []string{"Shop", "env:prod"}})
		c.plant(emulator.Fields{"name": "WEB", "tags": []string{"shop"}})
		c.plant(emulator.Fields{"name": "web-2"})
		c.plant(emulator.Fields{"name": "ai", "size": "gpu-mi325x1-256gb", "region": "tor1", "tags": []string{"Shop"}})
		for query, names := range map[string]string{
			"": "web WEB web-2", "?type=droplets": "web WEB web-2", "?type=gpus": "ai", "?name=web": "web WEB",
			"?name=we": "", "?name=ai": "", "?name=ai&type=gpus": "ai", "?tag_name=Shop": "web WEB", "?tag_name=shop": "",
			"?tag_name=env:prod": "web", "?tag_name=env%3Aprod": "web", "?tag_name=nope": "",
		} {
			got := c.ask("GET", "/v2/droplets"+query, "")
			want(c.t, "status of "+query, got.status, 200)
			want(c.t, "names of "+query, got.values("droplets", "name"), names)
		}
		for _, query := range []string{"?tag_name=Shop&name=web", "?tag_name=Shop&type=gpus", "?type=metal"} {
			want(c.t, "status of "+query, c.ask("GET", "/v2/droplets"+query, "").status, 422)
		}
		gpu := c.ask("GET", "/v2/droplets?type=gpus", "")
		want(c.t, "GPU", gpu.get("droplets", 0, "gpu_info", "model"), "amd_mi325x")
	})
}

// TestDeleteTakesTime: 204 at once, GET goes on for a while, the second DELETE does not find it.
func TestDeleteTakesTime(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: 5 * time.Second}, func(c cloud) {
		path := "/v2/droplets/" + c.plant(emulator.Fields{"tags": []string{"a"}}).ID
		want(c.t, "DELETE", c.ask("DELETE", path, "").status, 204)
		want(c.t, "status meanwhile", c.status(path), "active")
		want(c.t, "listed meanwhile", c.ask("GET", "/v2/droplets?tag_name=a", "").get("meta", "total"), 1.0)
		want(c.t, "action meanwhile", c.act(path, `{"type":"power_off"}`).status, 422)
		want(c.t, "second DELETE", c.ask("DELETE", path, "").status, 404)
		pass(5 * time.Second)
		gone := c.ask("GET", path, "")
		want(c.t, "GET", gone.status, 404)
		want(c.t, "message", gone.message(), "The resource you requested could not be found.")
		want(c.t, "DELETE of nothing", c.ask("DELETE", path, "").status, 404)
		want(c.t, "the tag stays", c.ask("GET", "/v2/tags/a", "").get("tag", "resources", "droplets", "count"), 0.0)
	})
}

func TestDeleteThatFails(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := "/v2/droplets/" + c.plant(emulator.Fields{}).ID
		c.set(func(s *emulator.Settings) { s.ActionResults["destroy"] = emulator.Result{Status: "errored"} })
		want(c.t, "DELETE", c.ask("DELETE", path, "").status, 204)
		pass(time.Hour)
		want(c.t, "status", c.status(path), "active")
		want(c.t, "DELETE again", c.ask("DELETE", path, "").status, 204)
		pass(time.Hour)
		want(c.t, "GET", c.ask("GET", path, "").status, 404)
	})
}

// TestDeleteByTag: all droplets with the tag, in the way that godo writes it, with a bare colon.
func TestDeleteByTag(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for _, name := range []string{"a", "b"} {
			c.plant(emulator.Fields{"name": name, "tags": []string{"env:test"}})
		}
		c.plant(emulator.Fields{"name": "c"})
		want(c.t, "DELETE", c.ask("DELETE", "/v2/droplets?tag_name=env:test", "").status, 204)
		pass(time.Second)
		want(c.t, "left", c.ask("GET", "/v2/droplets", "").values("droplets", "name"), "c")
		want(c.t, "unknown tag", c.ask("DELETE", "/v2/droplets?tag_name=nope", "").status, 404)
		want(c.t, "no tag", c.ask("DELETE", "/v2/droplets", "").status, 404)
		want(c.t, "left", len(c.Objects("digitalocean", "droplets")), 1)
	})
}

func TestAdministratorsLock(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		made := c.plant(emulator.Fields{"locked": true})
		path := "/v2/droplets/" + made.ID
		want(c.t, "busy", *made.Busy, "locked")
		want(c.t, "locked", c.ask("GET", path, "").get("droplet", "locked"), true)
		want(c.t, "action", c.act(path, `{"type":"reboot"}`).message(), "Droplet is locked.")
		want(c.t, "DELETE", c.ask("DELETE", path, "").status, 422)
	})
}

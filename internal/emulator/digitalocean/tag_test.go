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

func tagBody(ids ...string) string {
	resources := make([]string, 0, len(ids))
	for _, id := range ids {
		resources = append(resources, fmt.Sprintf(`{"resource_id":%q,"resource_type":"droplet"}`, id))
	}
	return `{"resources":[` + strings.Join(resources, ",") + `]}`
}

// TestTagsAreMadeOnce, by themselves or with a droplet; their first spelling stays.
func TestTagsAreMadeOnce(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		made := c.ask("POST", "/v2/tags", `{"name":"env:Prod"}`)
		want(c.t, "status", made.status, 201)
		want(c.t, "count", made.get("tag", "resources", "count"), 0.0)
		want(c.t, "volumes", made.get("tag", "resources", "volumes", "count"), 0.0)
		again := c.ask("POST", "/v2/tags", `{"name":"ENV:prod"}`)
		want(c.t, "again", again.status, 201)
		want(c.t, "spelling", again.get("tag", "name"), "env:Prod")
		created := c.ask("POST", "/v2/droplets", strings.Replace(webBody, "app:shop", `env:prod","new`, 1))
		want(c.t, "on a droplet", fmt.Sprint(created.get("droplet", "tags")), "[env:Prod new]")
		want(c.t, "all", c.ask("GET", "/v2/tags", "").values("tags", "name"), "env:Prod new")
		want(c.t, "other spelling", c.ask("GET", "/v2/tags/env:prod", "").status, 404)
		one := c.ask("GET", "/v2/tags/env:Prod", "")
		want(c.t, "count", one.get("tag", "resources", "droplets", "count"), 1.0)
		want(c.t, "last", one.get("tag", "resources", "last_tagged_uri"), "http://127.0.0.1/v2/droplets/"+created.id("droplet"))
		want(c.t, "of another team", c.askAs(c.DigitalOcean.Tokens["foreign"], "GET", "/v2/tags", "").get("meta", "total"), 0.0)
		want(c.t, "DELETE", c.ask("DELETE", "/v2/tags/env%3AProd", "").status, 204)
		want(c.t, "DELETE again", c.ask("DELETE", "/v2/tags/env:Prod", "").status, 404)
		want(c.t, "left on the droplet", strings.Join(c.Objects("digitalocean", "droplets")[0].Tags, " "), "new")
	})
}

// TestBadTagsHaveAnotherError: no id and no message, but error and root_causes.
func TestBadTagsHaveAnotherError(t *testing.T) {
	for name, given := range map[string]string{"characters": "a b", "none": "", "too long": strings.Repeat("a", 256)} {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				got := c.ask("POST", "/v2/tags", `{"name":"`+given+`"}`)
				want(c.t, "status", got.status, 400)
				want(c.t, "id", got.get("id"), nil)
				text, _ := got.get("error").(string)
				cause, _ := got.get("root_causes", 0).(string)
				if !strings.HasPrefix(text, "Error validating resource tag: ") || !strings.HasSuffix(cause, text) {
					c.t.Errorf("error %q, cause %q", text, cause)
				}
			})
		})
	}
}

// TestTagging: of droplets that are there, with a tag that is there; otherwise nothing changes.
func TestTagging(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		first, second := c.plant(emulator.Fields{}).ID, c.plant(emulator.Fields{}).ID
		foreign, err := c.Plant("digitalocean", "droplets", emulator.Fields{"project": "foreign"})
		if err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "tag that is not there", c.ask("POST", "/v2/tags/a/resources", tagBody(first)).status, 404)
		c.ask("POST", "/v2/tags", `{"name":"a"}`)
		for name, body := range map[string]string{
			"foreign droplet": tagBody(first, foreign.ID), "no droplet": tagBody("7"), "no number": tagBody("x"),
			"a certificate": strings.Replace(tagBody(first), "droplet", "certificate", 1),
		} {
			want(c.t, name, c.ask("POST", "/v2/tags/a/resources", body).status, 404)
		}
		want(c.t, "nothing", c.ask("POST", "/v2/tags/a/resources", `{"resources":[]}`).status, 422)
		want(c.t, "no list", c.ask("POST", "/v2/tags/a/resources", `{"resources":7}`).status, 422)
		want(c.t, "tagged so far", c.ask("GET", "/v2/tags/a", "").get("tag", "resources", "count"), 0.0)
		want(c.t, "both", c.ask("POST", "/v2/tags/a/resources", tagBody(first, second)).status, 204)
		want(c.t, "again", c.ask("POST", "/v2/tags/a/resources", tagBody(first)).status, 204)
		want(c.t, "found", c.ask("GET", "/v2/droplets?tag_name=a", "").get("meta", "total"), 2.0)
		want(c.t, "on it", fmt.Sprint(c.ask("GET", "/v2/droplets/"+first, "").get("droplet", "tags")), "[a]")
		want(c.t, "off", c.ask("DELETE", "/v2/tags/a/resources", tagBody(first)).status, 204)
		want(c.t, "off again", c.ask("DELETE", "/v2/tags/a/resources", tagBody(first)).status, 204)
		want(c.t, "found", c.ask("GET", "/v2/droplets?tag_name=a", "").values("droplets", "id"), fmt.Sprint(mustFloat(c.t, second)))
	})
}

func mustFloat(t *testing.T, id string) float64 {
	t.Helper()
	var number float64
	if _, err := fmt.Sscan(id, &number); err != nil {
		t.Fatal(err)
	}
	return number
}

// TestTagLag: a new tag is out of sight on its droplet, in lists by tag and in counts.
func TestTagLag(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.set(func(s *emulator.Settings) { s.Lag.Tag = emulator.Duration(30 * time.Second) })
		id := c.plant(emulator.Fields{}).ID
		c.ask("POST", "/v2/tags", `{"name":"a"}`)
		want(c.t, "tagging", c.ask("POST", "/v2/tags/a/resources", tagBody(id)).status, 204)
		want(c.t, "found at first", c.ask("GET", "/v2/droplets?tag_name=a", "").get("meta", "total"), 0.0)
		want(c.t, "counted at first", c.ask("GET", "/v2/tags/a", "").get("tag", "resources", "count"), 0.0)
		want(c.t, "in truth", strings.Join(c.Objects("digitalocean", "droplets")[0].Tags, " "), "a")
		pass(30 * time.Second)
		want(c.t, "found in the end", c.ask("GET", "/v2/droplets?tag_name=a", "").get("meta", "total"), 1.0)
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// TestErrors: status, id and message; the request's id is in the header and in the body.
func TestErrors(t *testing.T) {
	inCloud(t, emulator.Options{AllowUnrouted: true}, func(c cloud) {
		main := c.DigitalOcean.Token
		cases := map[string]struct {
			token, method, path string
			status              int
			id, message         string
		}{
			"no token":       {"", "GET", "/v2/droplets", 401, "unauthorized", "Unable to authenticate you."},
			"wrong token":    {"dop_v1_" + strings.Repeat("0", 64), "GET", "/v2/droplets", 401, "unauthorized", "Unable to authenticate you."},
			"read only":      {c.DigitalOcean.Tokens["read_only"], "POST", "/v2/droplets", 403, "forbidden", "You do not have access for the attempted action."},
			"no droplet":     {main, "GET", "/v2/droplets/7", 404, "not_found", "The resource you requested could not be found."},
			"no number":      {main, "GET", "/v2/droplets/web", 404, "not_found", "The resource you requested could not be found."},
			"no route":       {main, "GET", "/v2/submarines", 404, "not_found", "The resource you requested could not be found."},
			"no such method": {main, "PATCH", "/v2/droplets", 405, "method_not_allowed", "The method is not allowed for this resource."},
		}
		for name, test := range cases {
			got := c.askAs(test.token, test.method, test.path, "")
			want(c.t, name+": status", got.status, test.status)
			want(c.t, name+": id", got.get("id"), test.id)
			want(c.t, name+": message", got.message(), test.message)
			want(c.t, name+": request id", got.get("request_id"), any(got.header.Get("X-Request-Id")))
			if !uuid.MatchString(got.header.Get("X-Request-Id")) {
				c.t.Errorf("%s: request id %q", name, got.header.Get("X-Request-Id"))
			}
			want(c.t, name+": content type", got.header.Get("Content-Type"), "application/json; charset=utf-8")
		}
		want(c.t, "read", c.askAs(c.DigitalOcean.Tokens["read_only"], "GET", "/v2/droplets", "").status, 200)
		unrouted := 0
		for _, entry := range c.Journal() {
			if entry.Fault == "unrouted" {
				unrouted++
			}
		}
		want(c.t, "unrouted", unrouted, 2)
	})
}

// TestFaultsSpeakTheVendorsLanguage: a fault without a body has the vendor's own for its status.
func TestFaultsSpeakTheVendorsLanguage(t *testing.T) {
	for status, id := range map[int]string{
		400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 418: "server_error",
		422: "unprocessable_entity", 429: "too_many_requests", 500: "server_error", 502: "server_error", 503: "service_unavailable",
	} {
		inCloud(t, emulator.Options{}, func(c cloud) {
			if _, err := c.AddFault(emulator.Fault{Vendor: "digitalocean", Action: "status", Status: status, Point: "after"}); err != nil {
				c.t.Fatal(err)
			}
			got := c.ask("POST", "/v2/droplets", webBody)
			want(c.t, "status", got.status, status)
			want(c.t, "id", got.get("id"), id)
			want(c.t, "droplets", len(c.Objects("digitalocean", "droplets")), 1)
			want(c.t, "accepted", c.Journal()[0].Accepted, true)
			want(c.t, "object", c.Journal()[0].Object, c.Objects("digitalocean", "droplets")[0].ID)
		})
	}
}

// TestTeams: a foreign token belongs to a team of its own; read_only to the main one. A reset changes no identity.
func TestTeams(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		foreign, readOnly := c.DigitalOcean.Tokens["foreign"], c.DigitalOcean.Tokens["read_only"]
		want(c.t, "foreign GET", c.askAs(foreign, "GET", path, "").status, 404)
		want(c.t, "foreign DELETE", c.askAs(foreign, "DELETE", path, "").status, 404)
		want(c.t, "foreign list", c.askAs(foreign, "GET", "/v2/droplets", "").get("meta", "total"), 0.0)
		account := func(token string) string { return fmt.Sprint(c.askAs(token, "GET", "/v2/account", "").body) }
		own := account(c.DigitalOcean.Token)
		want(c.t, "read only", account(readOnly), own)
		got, theirs := c.ask("GET", "/v2/account", ""), c.askAs(foreign, "GET", "/v2/account", "")
		for _, uuid := range [][]any{{"account", "uuid"}, {"account", "team", "uuid"}} {
			if got.get(uuid...) == theirs.get(uuid...) || got.get(uuid...) == nil {
				c.t.Errorf("%v: %v and %v", uuid, got.get(uuid...), theirs.get(uuid...))
			}
		}
		want(c.t, "droplet limit", got.get("account", "droplet_limit"), 1000.0)
		want(c.t, "status", got.get("account", "status"), "active")
		c.Reset()
		want(c.t, "after a reset", account(c.DigitalOcean.Token), own)
		c.set(func(s *emulator.Settings) { s.Quotas["droplets"] = 25 })
		want(c.t, "droplet limit", c.ask("GET", "/v2/account", "").get("account", "droplet_limit"), 25.0)
	})
}

// TestHourlyLimit: the window slides; reset is when the oldest request expires; its refusal has no retry-after.
func TestHourlyLimit(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.set(func(s *emulator.Settings) { s.Limits["digitalocean"] = emulator.Limit{PerHour: 3, PerMinute: 250} })
		start := time.Now()
		for remaining := 2; remaining >= 0; remaining-- {
			got := c.ask("GET", "/v2/account", "")
			want(c.t, "limit", got.header.Get("ratelimit-limit"), "3")
			want(c.t, "remaining", got.header.Get("ratelimit-remaining"), strconv.Itoa(remaining))
			want(c.t, "reset", got.header.Get("ratelimit-reset"), strconv.FormatInt(start.Add(time.Hour).Unix(), 10))
			pass(time.Minute)
		}
		refused := c.ask("GET", "/v2/account", "")
		want(c.t, "status", refused.status, 429)
		want(c.t, "id", refused.get("id"), "too_many_requests")
		want(c.t, "message", refused.message(), "API rate limit exceeded.")
		want(c.t, "remaining", refused.header.Get("ratelimit-remaining"), "0")
		want(c.t, "retry-after", len(refused.header.Values("retry-after")), 0)
		want(c.t, "another token", c.askAs(c.DigitalOcean.Tokens["read_only"], "GET", "/v2/account", "").status, 200)
		pass(57 * time.Minute)
		got := c.ask("GET", "/v2/account", "")
		want(c.t, "when the oldest has expired", got.status, 200)
		want(c.t, "remaining", got.header.Get("ratelimit-remaining"), "0")
		want(c.t, "reset", got.header.Get("ratelimit-reset"), strconv.FormatInt(start.Add(61*time.Minute).Unix(), 10))
	})
}

// TestMinuteLimit: a burst is refused with retry-after and nothing remaining, though the hour has much left.
func TestMinuteLimit(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for i := range 250 {
			if got := c.ask("GET", "/v2/account", ""); got.status != 200 {
				c.t.Fatalf("request %d: %d", i+1, got.status)
			}
		}
		pass(20 * time.Second)
		refused := c.ask("GET", "/v2/account", "")
		want(c.t, "status", refused.status, 429)
		want(c.t, "retry-after", refused.header.Get("retry-after"), "40")
		want(c.t, "remaining", refused.header.Get("ratelimit-remaining"), "0")
		pass(40 * time.Second)
		got := c.ask("GET", "/v2/account", "")
		want(c.t, "status", got.status, 200)
		want(c.t, "remaining", got.header.Get("ratelimit-remaining"), "4749")
	})
}

func TestLimitSetByHand(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.set(func(s *emulator.Settings) {
			s.Limits["digitalocean"] = emulator.Limit{PerHour: 5000, PerMinute: 250, Remaining: new(1), ResetIn: emulator.Duration(10 * time.Second)}
		})
		want(c.t, "the last one", c.ask("GET", "/v2/account", "").header.Get("ratelimit-remaining"), "0")
		want(c.t, "one more", c.ask("GET", "/v2/account", "").status, 429)
		pass(10 * time.Second)
		want(c.t, "afterwards", c.ask("GET", "/v2/account", "").header.Get("ratelimit-remaining"), "4998")
	})
}

// TestKeysHaveALimitOfTheirOwn: ten lists a minute; other calls are not concerned.
func TestKeysHaveALimitOfTheirOwn(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for range 10 {
			want(c.t, "list", c.ask("GET", "/v2/account/keys", "").status, 200)
		}
		want(c.t, "eleventh list", c.ask("GET", "/v2/account/keys", "").status, 429)
		want(c.t, "one key", c.ask("GET", "/v2/account/keys/7", "").status, 404)
		want(c.t, "droplets", c.ask("GET", "/v2/droplets", "").status, 200)
		pass(time.Minute)
		want(c.t, "a minute later", c.ask("GET", "/v2/account/keys", "").status, 200)
	})
}

// TestPages: 20 a page, 200 at most; links are whole URLs, only those that make sense, and {} on a single page.
func TestPages(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for range 205 {
			c.plant(emulator.Fields{"tags": []string{"env:prod"}})
		}
		const base = "http://127.0.0.1/v2/droplets?"
		cases := map[string]struct {
			query string
			count int
			links string
		}{
			"default":      {"", 20, "first= last=" + base + "page=11 next=" + base + "page=2 prev="},
			"middle":       {"page=2&per_page=100", 100, "first=" + base + "page=1&per_page=100 last=" + base + "page=3&per_page=100 next=" + base + "page=3&per_page=100 prev=" + base + "page=1&per_page=100"},
			"last":         {"page=2&per_page=200", 5, "first=" + base + "page=1&per_page=200 last= next= prev=" + base + "page=1&per_page=200"},
			"clamped":      {"per_page=1000", 200, "first= last=" + base + "page=2&per_page=1000 next=" + base + "page=2&per_page=1000 prev="},
			"beyond":       {"page=7&per_page=200", 0, "first=" + base + "page=1&per_page=200 last= next= prev=" + base + "page=2&per_page=200"},
			"with filters": {"per_page=200&tag_name=env%3Aprod", 200, "first= last=" + base + "page=2&per_page=200&tag_name=env%3Aprod next=" + base + "page=2&per_page=200&tag_name=env%3Aprod prev="},
			"page 0":       {"page=0&per_page=x", 20, "first= last=" + base + "page=11&per_page=x next=" + base + "page=2&per_page=x prev="},
			"one page":     {"tag_name=none", 0, "first= last= next= prev="},
		}
		for name, test := range cases {
			got := c.ask("GET", "/v2/droplets?"+test.query, "")
			want(c.t, name+": count", len(got.list("droplets")), test.count)
			var links []string
			for _, relation := range []string{"first", "last", "next", "prev"} {
				link, _ := got.get("links", "pages", relation).(string)
				links = append(links, relation+"="+link)
			}
			want(c.t, name+": links", strings.Join(links, " "), test.links)
		}
		single := c.ask("GET", "/v2/droplets?tag_name=none", "")
		want(c.t, "links of one page", fmt.Sprint(single.get("links")), "map[]")
		want(c.t, "total of none", single.get("meta", "total"), 0.0)
		c.set(func(s *emulator.Settings) { s.PageMax = 7 })
		want(c.t, "page_max", len(c.ask("GET", "/v2/droplets?per_page=200", "").list("droplets")), 7)
	})
}

// TestNoContent: deletes answer without a body.
func TestNoContent(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		got := c.ask("DELETE", c.make(), "")
		want(c.t, "status", got.status, http.StatusNoContent)
		want(c.t, "body", len(got.body), 0)
		if got.header.Get("X-Request-Id") == "" || got.header.Get("Ratelimit-Limit") != "5000" {
			c.t.Errorf("headers %v", got.header)
		}
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestRouteTokenMethod: the route is looked at before the token, the token before the method.
func TestRouteTokenMethod(t *testing.T) {
	cases := map[string]struct {
		authorization string // "main" and "read_only" stand for the token
		method, path  string
		status        int
		code, message string
	}{
		"unknown route, no token":       {"", "GET", "/nothing", 404, "not_found", "api route not found"},
		"unknown route, token":          {"main", "GET", "/nothing", 404, "not_found", "api route not found"},
		"no token":                      {"", "GET", "/servers", 401, "unauthorized", "token is required"},
		"wrong token":                   {"Bearer wrong", "GET", "/servers", 401, "unauthorized", "the token you have provided is invalid"},
		"token of another scheme":       {"Basic abc", "GET", "/servers", 401, "unauthorized", "the token you have provided is invalid"},
		"no token, wrong method":        {"", "PATCH", "/servers", 401, "unauthorized", "token is required"},
		"token, wrong method":           {"main", "PATCH", "/servers", 405, "method_not_allowed", "method not allowed"},
		"read only token reads":         {"read_only", "GET", "/servers", 200, "", ""},
		"read only token writes":        {"read_only", "POST", "/servers", 403, "forbidden", "token is only allowed to read"},
		"datacenters are gone":          {"main", "GET", "/datacenters", 410, "deprecated_api_endpoint", "this API endpoint has been removed"},
		"one datacenter is gone":        {"main", "GET", "/datacenters/4", 410, "deprecated_api_endpoint", "this API endpoint has been removed"},
		"actions without ids are gone":  {"main", "GET", "/actions", 410, "deprecated_api_endpoint", "listing all actions has been removed, give ids"},
		"server that is not there":      {"main", "GET", "/servers/1", 404, "not_found", "server not found"},
		"server with a name for its id": {"main", "GET", "/servers/web", 404, "not_found", "server not found"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{AllowUnrouted: true}, func(c cloud) {
				authorization := test.authorization
				switch authorization {
				case "main":
					authorization = "Bearer " + c.Hetzner.Token
				case "read_only":
					authorization = "Bearer " + c.Hetzner.Tokens["read_only"]
				}
				got := c.askAs(authorization, test.method, test.path, "")
				want(c.t, "status", got.status, test.status)
				want(c.t, "code", got.code(), test.code)
				if test.code == "" {
					return
				}
				want(c.t, "message", got.get("error", "message"), test.message)
				details, present := got.get("error").(map[string]any)["details"]
				want(c.t, "details present", present, true)
				if gone := details != nil; gone != (test.status == 410) {
					c.t.Errorf("details: %v", details)
				}
			})
		})
	}
}

func TestUnroutedRequestsAreMarked(t *testing.T) {
	inCloud(t, emulator.Options{AllowUnrouted: true}, func(c cloud) {
		c.ask("GET", "/volumes", "")
		c.ask("GET", "/servers", "")
		journal := c.Journal()
		want(c.t, "fault of the unknown route", journal[0].Fault, "unrouted")
		want(c.t, "fault of the known route", journal[1].Fault, "")
	})
}

// TestTokensAreLikeTheVendors: 64 letters and digits, another one at each start.
func TestTokensAreLikeTheVendors(t *testing.T) {
	first, second := emulator.New(emulator.Options{}).Hetzner, emulator.New(emulator.Options{}).Hetzner
	for _, token := range []string{first.Token, first.Tokens["foreign"], first.Tokens["read_only"]} {
		if len(token) != 64 || strings.Trim(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") != "" {
			t.Errorf("token %q", token)
		}
	}
	if first.Token == second.Token {
		t.Error("two emulators have the same token")
	}
}

// TestForeignTokenIsAnotherProject: it sees nothing of ours, and names may repeat there.
func TestForeignTokenIsAnotherProject(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		foreign := "Bearer " + c.Hetzner.Tokens["foreign"]
		want(c.t, "list", len(c.askAs(foreign, "GET", "/servers", "").list("servers")), 0)
		want(c.t, "get", c.askAs(foreign, "GET", path, "").status, 404)
		want(c.t, "delete", c.askAs(foreign, "DELETE", path, "").status, 404)
		want(c.t, "create", c.askAs(foreign, "POST", "/servers", webBody).status, 201)
		objects := c.Objects("hetzner", "servers")
		want(c.t, "servers of both", len(objects), 2)
		want(c.t, "project", objects[1].Project, "foreign")
		want(c.t, "ours", len(c.ask("GET", "/servers", "").list("servers")), 1)
	})
}

func TestHeaders(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		got := c.ask("GET", "/servers", "")
		want(c.t, "content type", got.header.Get("Content-Type"), "application/json; charset=utf-8")
		want(c.t, "exposed", got.header.Get("Access-Control-Expose-Headers"), "Link,X-Correlation-ID")
		want(c.t, "length of the correlation id", len(got.header.Get("X-Correlation-Id")), 16)
		other := c.ask("GET", "/servers", "").header.Get("X-Correlation-Id")
		if other == got.header.Get("X-Correlation-Id") {
			c.t.Error("two answers have the same correlation id")
		}
	})
}

// TestRateLimit: 3600 an hour, one comes back a second, Reset is when all are back, and there is no Retry-After.
func TestRateLimit(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		first := c.ask("GET", "/servers", "")
		want(c.t, "limit", first.header.Get("RateLimit-Limit"), "3600")
		want(c.t, "remaining", first.header.Get("RateLimit-Remaining"), "3599")
		want(c.t, "reset", first.header.Get("RateLimit-Reset"), strconv.FormatInt(time.Now().Unix()+1, 10))
		change := func(s *emulator.Settings) {
			s.Limits["hetzner"] = emulator.Limit{PerHour: 3600, Remaining: new(1)}
		}
		if err := c.ChangeSettings(change); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "last one", c.ask("GET", "/servers", "").status, 200)
		refused := c.ask("POST", "/servers", webBody)
		want(c.t, "status", refused.status, 429)
		want(c.t, "code", refused.code(), "rate_limit_exceeded")
		want(c.t, "reset", refused.header.Get("RateLimit-Reset"), strconv.FormatInt(time.Now().Unix()+3600, 10))
		want(c.t, "retry after", refused.header.Get("Retry-After"), "")
		want(c.t, "another project", c.askAs("Bearer "+c.Hetzner.Tokens["foreign"], "GET", "/servers", "").status, 200)
		want(c.t, "same project", c.askAs("Bearer "+c.Hetzner.Tokens["read_only"], "GET", "/servers", "").status, 429)
		pass(time.Second)
		want(c.t, "a second later", c.ask("GET", "/servers", "").status, 200)
	})
}

func TestRateLimitCountsWithoutToken(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		change := func(s *emulator.Settings) {
			s.Limits["hetzner"] = emulator.Limit{PerHour: 3600, Remaining: new(1), ResetIn: emulator.Duration(time.Minute)}
		}
		if err := c.ChangeSettings(change); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "first", c.askAs("", "GET", "/servers", "").status, 401)
		second := c.askAs("", "GET", "/servers", "")
		want(c.t, "second", second.status, 429)
		want(c.t, "main", c.ask("GET", "/servers", "").status, 200)
	})
}

func TestPages(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for i := range 60 {
			if _, err := c.Plant("hetzner", "servers", emulator.Fields{"name": fmt.Sprintf("web-%02d", i)}); err != nil {
				c.t.Fatal(err)
			}
		}
		first := c.ask("GET", "/servers", "")
		want(c.t, "default page", len(first.list("servers")), 25)
		want(c.t, "next", first.get("meta", "pagination", "next_page"), 2.0)
		want(c.t, "previous", first.get("meta", "pagination", "previous_page"), nil)
		want(c.t, "last", first.get("meta", "pagination", "last_page"), 3.0)
		want(c.t, "total", first.get("meta", "pagination", "total_entries"), 60.0)
		second := c.ask("GET", "/servers?page=2&per_page=500", "")
		want(c.t, "clamped", len(second.list("servers")), 10)
		want(c.t, "per page", second.get("meta", "pagination", "per_page"), 50.0)
		want(c.t, "next of the last", second.get("meta", "pagination", "next_page"), nil)
		link := c.ask("GET", "/servers?page=2&per_page=20&sort=name", "").header.Get("Link")
		want(c.t, "link", link, "<http://127.0.0.1/v1/servers?page=1&per_page=20&sort=name>; rel=prev, "+
			"<http://127.0.0.1/v1/servers?page=3&per_page=20&sort=name>; rel=next, "+
			"<http://127.0.0.1/v1/servers?page=3&per_page=20&sort=name>; rel=last")
		want(c.t, "beyond the last", len(c.ask("GET", "/servers?page=9", "").list("servers")), 0)
		want(c.t, "page 0", c.ask("GET", "/servers?page=0", "").code(), "invalid_input")
		if err := c.ChangeSettings(func(s *emulator.Settings) { s.PageMax = 7 }); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "page_max", len(c.ask("GET", "/servers?per_page=50", "").list("servers")), 7)
	})
}

func TestSortAndFilters(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for name, status := range map[string]string{"b": "off", "a": "running", "c": "running"} {
			if _, err := c.Plant("hetzner", "servers", emulator.Fields{"name": name, "status": status}); err != nil {
				c.t.Fatal(err)
			}
		}
		want(c.t, "by name", c.ask("GET", "/servers?sort=name", "").names("servers"), "a b c")
		want(c.t, "by name, down", c.ask("GET", "/servers?sort=name:desc", "").names("servers"), "c b a")
		want(c.t, "of contradicting ones the first", c.ask("GET", "/servers?sort=name:asc&sort=name:desc", "").names("servers"), "a b c")
		want(c.t, "running", c.ask("GET", "/servers?sort=name&status=running", "").names("servers"), "a c")
		want(c.t, "running or off", c.ask("GET", "/servers?sort=name&status=running&status=off", "").names("servers"), "a b c")
		want(c.t, "name", c.ask("GET", "/servers?name=b", "").names("servers"), "b")
		want(c.t, "part of a name", c.ask("GET", "/servers?name=", "").names("servers"), "")
		want(c.t, "unknown order", c.ask("GET", "/servers?sort=colour", "").code(), "invalid_input")
	})
}

func TestLabelSelectors(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for name, labels := range map[string]map[string]string{
			"a": {"env": "prod", "better-compute.io/managed": "true"}, "b": {"env": "dev"}, "c": {"tier": ""},
		} {
			if _, err := c.Plant("hetzner", "servers", emulator.Fields{"name": name, "labels": labels}); err != nil {
				c.t.Fatal(err)
			}
		}
		for selector, names := range map[string]string{
			"env=prod": "a", "env==prod": "a", "env!=prod": "b c", "env": "a b", "!env": "c", "tier=": "c",
			"env in (prod,dev)": "a b", "env notin (prod)": "b c", "env,env!=dev": "a",
			"env in (prod, dev),better-compute.io/managed=true": "a", "better-compute.io/managed": "a",
			"env=PROD": "", "": "a b c",
		} {
			query := "/servers?sort=name&label_selector=" + strings.NewReplacer(" ", "%20", "=", "%3D", "!", "%21").Replace(selector)
			want(c.t, "selector "+selector, c.ask("GET", query, "").names("servers"), names)
		}
		for _, selector := range []string{"=x", "a%20b", "env%20in%20(a", "env%3D%3D%3Dx", "-a"} {
			want(c.t, "selector "+selector, c.ask("GET", "/servers?label_selector="+selector, "").code(), "invalid_input")
		}
	})
}

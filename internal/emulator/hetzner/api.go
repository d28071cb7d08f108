// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// prefix is the version that every path begins with.
const prefix = "/v1"

// API is the emulated Hetzner Cloud.
type API struct {
	clock    *core.Clock
	settings *core.SettingsStore
	tokens   core.Tokens
	router   core.Router

	// mutex guards what follows. It is held while an answer is computed and never while anything waits.
	mutex    sync.Mutex
	timeline core.Timeline
	projects map[string]*project
	guests   bucket // requests without a valid token
	ids      ids
	now      time.Time // of the request that is being answered
}

// project is what one project of the vendor holds. Names are unique within it.
type project struct {
	name         string
	bucket       bucket
	servers      []*server
	primaryIPs   []*primaryIP
	floatingIPs  []*floatingIP
	sshKeys      []*sshKey
	certificates []*certificate
	balancers    []*loadBalancer
	zones        []*zone
	networks     []*network
	firewalls    []*firewall
	groups       []*placementGroup
	actions      []*action
}

// New makes the API with two projects, "main" and "foreign", and a fresh token for each; read_only is a token of main.
func New(clock *core.Clock, settings *core.SettingsStore) *API {
	a := &API{clock: clock, settings: settings, tokens: newTokens(), ids: firstIDs()}
	a.projects = newProjects()
	a.addRoutes()
	return a
}

func newTokens() core.Tokens {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	tokens := core.Tokens{}
	for _, name := range []string{"main", "foreign", "read_only"} {
		tokens[name] = core.RandomText(alphabet, 64)
	}
	return tokens
}

func newProjects() map[string]*project {
	projects := map[string]*project{}
	for _, name := range []string{"main", "foreign"} {
		projects[name] = &project{name: name}
	}
	projects["main"].zones = []*zone{{id: 310_451, name: startZone, created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}}
	return projects
}

// projectOf names the project that a token belongs to.
func projectOf(token string) string {
	if token == "read_only" {
		return "main"
	}
	return token
}

// Name is the vendor in control's JSON.
func (a *API) Name() string { return "hetzner" }

// Tokens are the valid tokens by name.
func (a *API) Tokens() core.Tokens { return a.tokens }

// TokenName names the bearer token of a request.
func (a *API) TokenName(header http.Header) string {
	token, _ := strings.CutPrefix(header.Get("Authorization"), "Bearer ")
	return a.tokens.Name(token)
}

// Operation is always empty: on Hetzner the path says what is asked.
func (a *API) Operation(*core.Request) string { return "" }

// Operations are the commands of the actions, and guest_off: the guest that obeys a shutdown.
func (a *API) Operations() []string {
	return []string{
		"create_server", "start_server", "stop_server", "shutdown_server", "reboot_server", "reset_server",
		"rebuild_server", "change_server_type", "change_protection", "delete_server", "guest_off",
		"assign_floating_ip", "unassign_floating_ip", "change_dns_ptr", "create_certificate", "issue_certificate",
		"attach_to_network", "detach_from_network", "change_alias_ips", "enable_backup", "disable_backup",
		"add_to_placement_group", "remove_from_placement_group", "apply_firewall", "remove_firewall", "set_firewall_rules",
		"create_primary_ip", "assign_primary_ip", "unassign_primary_ip",
		"add_subnet", "delete_subnet", "add_route", "delete_route", "change_ip_range",
	}
}

// Reset forgets every object, running action and counted request.
func (a *API) Reset() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline = core.Timeline{}
	a.projects = newProjects()
	a.guests = bucket{}
}

// Routes lists what the emulator knows, as "METHOD /path" below /v1.
func (a *API) Routes() []string { return a.router.Routes() }

// call is one request of a known project.
type call struct {
	*core.Request
	api     *API
	project *project
	now     time.Time
}

// Serve answers one request. The order is the vendor's: the route, then the token, then the method (probed on the live
// API in September 2026: 404 before 401, 401 before 405).
func (a *API) Serve(r *core.Request) core.Answer {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.now = a.clock.Now()
	a.timeline.Advance(a.now)
	bucket := a.bucketOf(r.Token)
	limit, passed := bucket.take(a.settings, a.now)
	answer := a.answer(r, passed, limit)
	a.complete(&answer, bucket.headers(limit, a.now))
	return answer
}

func (a *API) answer(r *core.Request, passed bool, limit core.Limit) core.Answer {
	path, below := strings.CutPrefix(r.Path, prefix)
	handle, params, known := a.router.Find(r.Method, path)
	if !below || !known {
		return unrouted(failure(http.StatusNotFound, "not_found", "api route not found", nil))
	}
	if !passed {
		return limitReached(limit)
	}
	if r.Token == "" {
		return unauthorized(r)
	}
	if handle == nil {
		return unrouted(failure(http.StatusMethodNotAllowed, "method_not_allowed", "method not allowed", nil))
	}
	if r.Token == "read_only" && !r.IsRead() {
		return failure(http.StatusForbidden, "forbidden", "token is only allowed to read", nil)
	}
	r.Params = params
	return handle(r)
}

func unauthorized(r *core.Request) core.Answer {
	if r.Header.Get("Authorization") == "" {
		return failure(http.StatusUnauthorized, "unauthorized", "token is required", nil)
	}
	return failure(http.StatusUnauthorized, "unauthorized", "the token you have provided is invalid", nil)
}

func unrouted(answer core.Answer) core.Answer {
	answer.Unrouted = true
	return answer
}

func (a *API) bucketOf(token string) *bucket {
	if owner, found := a.projects[projectOf(token)]; found {
		return &owner.bucket
	}
	return &a.guests
}

// route registers a handler that gets the project and the time.
func (a *API) route(pattern string, handle func(*call) core.Answer) {
	a.router.Add(pattern, func(r *core.Request) core.Answer {
		return handle(&call{Request: r, api: a, project: a.projects[projectOf(r.Token)], now: a.now})
	})
}

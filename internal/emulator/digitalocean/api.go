// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// API is the emulated DigitalOcean.
type API struct {
	clock    *core.Clock
	settings *core.SettingsStore
	tokens   core.Tokens
	router   core.Router

	// mutex guards what follows. It is held while an answer is computed and never while anything waits.
	mutex    sync.Mutex
	timeline core.Timeline
	teams    map[string]*team
	windows  map[string]*window // by name of the token; requests without a valid one share one
	ids      ids
	now      time.Time // of the request that is being answered
}

// team is what one team of the vendor holds. Names of droplets may repeat; tags are unique.
type team struct {
	name         string
	identity     identity
	droplets     []*droplet
	tags         []*tag
	keys         []*sshKey
	images       []*image // the team's own: snapshots
	actions      []*action
	addresses    []*reservedIP
	prefixes     []*prefix
	certificates []*certificate
	balancers    []*balancer
	domains      []string
	projects     []*project
	// defaultProject takes what names no project; joined are the projects of what has been put into one, by urn.
	defaultProject *project
	joined         map[string]joining
}

// New makes the API with two teams, "main" and "foreign", and a fresh token for each; read_only and no_projects are tokens
// of main, the second one without any scope of projects.
func New(clock *core.Clock, settings *core.SettingsStore) *API {
	a := &API{clock: clock, settings: settings, tokens: newTokens(), ids: firstIDs()}
	a.teams = map[string]*team{
		"main":    newTeam("main", newIdentity("main", clock.Now())),
		"foreign": newTeam("foreign", newIdentity("foreign", clock.Now())),
	}
	a.teams["main"].domains = []string{startDomain}
	a.windows = newWindows(a.tokens)
	a.addRoutes()
	return a
}

// newTokens: personal access tokens are dop_v1_ and 64 hexadecimal digits.
func newTokens() core.Tokens {
	tokens := core.Tokens{}
	for _, name := range []string{"main", "foreign", "read_only", noProjects} {
		tokens[name] = "dop_v1_" + core.RandomText(hexDigits, 64)
	}
	return tokens
}

// noProjects is the name of a token whose scopes leave projects out (DigitalOcean API document, "project:read").
const noProjects = "no_projects"

// teamOf names the team that a token belongs to.
func teamOf(token string) string {
	if token == "read_only" || token == noProjects {
		return "main"
	}
	return token
}

// Name is the vendor in control's JSON.
func (a *API) Name() string { return "digitalocean" }

// Tokens are the valid tokens by name.
func (a *API) Tokens() core.Tokens { return a.tokens }

// TokenName names the bearer token of a request.
func (a *API) TokenName(header http.Header) string {
	token, _ := strings.CutPrefix(header.Get("Authorization"), "Bearer ")
	return a.tokens.Name(token)
}

// Operation is the type of an action: the path of all actions of a droplet is the same.
func (a *API) Operation(r *core.Request) string {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.Path, "/actions") {
		return ""
	}
	var body struct{ Type string }
	if json.Unmarshal(r.Body, &body) != nil {
		return ""
	}
	return body.Type
}

// Operations are the types of the actions, and guest_off: the guest that obeys a shutdown. A destroy is an event of the
// vendor's that has no action.
func (a *API) Operations() []string {
	return []string{
		"create", "destroy", "power_on", "power_off", "shutdown", "reboot", "power_cycle", "rebuild", "resize", "rename",
		"restore", "password_reset", "snapshot", "enable_ipv6", "enable_backups", "disable_backups", "guest_off",
		"assign", "unassign", "assign_ip", "unassign_ip", "issue_certificate",
	}
}

// Reset forgets every object, running action and counted request. The teams stay who they are.
func (a *API) Reset() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline = core.Timeline{}
	a.windows = newWindows(a.tokens)
	for name, t := range a.teams {
		a.teams[name] = newTeam(name, t.identity)
	}
	a.teams["main"].domains = []string{startDomain}
}

// call is one request of a known team.
type call struct {
	*core.Request
	api      *API
	team     *team
	now      time.Time
	settings core.Settings // as they were when it came, for what it starts too
	catalog  *catalog      // made when first asked for
}

// Serve answers one request: first its limits, then the token, then the route (unverified: that an unknown route wants a
// token too).
func (a *API) Serve(r *core.Request) core.Answer {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.now = a.clock.Now()
	a.timeline.Advance(a.now)
	counted := a.windows[r.Token]
	answer := counted.take(a.settings, a.now)
	if answer == nil {
		answer = new(a.answer(r, counted))
	}
	return a.complete(*answer, counted.headers(a.settings, a.now))
}

// routed marks the answer where the emulator does not know the route.
func (a *API) routed(r *core.Request, answer core.Answer) core.Answer {
	handle, _, _ := a.router.Find(r.Method, r.Path)
	answer.Unrouted = handle == nil
	return answer
}

func (a *API) answer(r *core.Request, counted *window) core.Answer {
	if r.Token == "" {
		return a.routed(r, unauthorized())
	}
	handle, params, known := a.router.Find(r.Method, r.Path)
	if !known {
		return a.routed(r, notFound())
	}
	if handle == nil {
		return a.routed(r, failure(http.StatusMethodNotAllowed, "The method is not allowed for this resource."))
	}
	if r.Token == "read_only" && !r.IsRead() {
		return failure(http.StatusForbidden, "You do not have access for the attempted action.")
	}
	if r.Token == noProjects && strings.HasPrefix(r.Path, "/v2/projects") {
		return failure(http.StatusForbidden, "You do not have access for the attempted action.")
	}
	if r.Method == http.MethodGet && r.Path == "/v2/account/keys" {
		if refused := counted.takeKeys(a.now); refused != nil {
			return *refused
		}
	}
	r.Params = params
	return handle(r)
}

// route registers a handler that gets the team and the time.
func (a *API) route(pattern string, handle func(*call) core.Answer) {
	a.router.Add(pattern, func(r *core.Request) core.Answer {
		return handle(&call{Request: r, api: a, team: a.teams[teamOf(r.Token)], now: a.now, settings: a.settings.Get()})
	})
}

// later plans something.
func (c *call) later(during time.Duration, happen func(at time.Time)) {
	c.api.timeline.At(c.now.Add(during), happen)
}

// at is the same call at a later time, for what happens then.
func (c *call) at(now time.Time) *call {
	later := *c
	later.now = now
	return &later
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// prefix is what every path begins with; json is the formatter.
const prefix = "/api2/json"

// API is the emulated cluster.
type API struct {
	clock    *core.Clock
	settings *core.SettingsStore
	tokens   core.Tokens
	router   core.Router

	// mutex guards what follows. It is held while an answer is computed and never while anything waits.
	mutex    sync.Mutex
	timeline core.Timeline
	cluster
	now time.Time // of the request that is being answered
	pid int       // of the last worker; goes on through a reset, so that no UPID is given twice
}

// cluster is everything that a reset puts back.
type cluster struct {
	nodes    []*node
	machines []*machine // in order of creation
	storages []*storage
	volumes  []*volume // in order of creation
	pools    []*pool
	tasks    []*task
	locks    map[int]*lock
	grants   []grant
	stats    statistics
	guests   int // addresses given to guests so far
	bridges  []*localBridge
	zones    []*zone
	vnets    []*vnet
	firewall firewall // of the datacenter
	groups   []*securityGroup
}

// New makes the cluster as it is from the start, with a fresh secret for each token.
func New(clock *core.Clock, settings *core.SettingsStore) *API {
	a := &API{clock: clock, settings: settings, tokens: newTokens()}
	a.cluster = newCluster(clock.Now())
	a.addRoutes()
	return a
}

// Name is the vendor in control's JSON.
func (a *API) Name() string { return "proxmox" }

// Tokens are the valid tokens by name, as user@realm!tokenid=secret.
func (a *API) Tokens() core.Tokens { return a.tokens }

// Operation is the last word of a change's path, such as clone, start or upload; create and destroy for a machine's POST
// and DELETE, delete for a volume's.
func (a *API) Operation(r *core.Request) string {
	words := strings.Split(strings.Trim(strings.TrimPrefix(r.Path, prefix), "/"), "/")
	switch {
	case r.IsRead() || words[0] != "nodes" || len(words) < 3:
		return ""
	case slices.Contains(words, "firewall"):
		return "firewall"
	case len(words) == 3:
		return "create"
	case r.Method == http.MethodDelete && words[2] == "qemu":
		return "destroy"
	case r.Method == http.MethodDelete:
		return "delete"
	}
	return words[len(words)-1]
}

// Operations are the types of tasks, and guest_off: the guest that obeys a shutdown.
func (a *API) Operations() []string {
	return []string{
		"qmclone", "qmconfig", "qmcreate", "qmstart", "qmstop", "qmshutdown", "qmreset", "qmreboot", "qmdestroy",
		"qmtemplate", "resize", "imgcopy", "imgdel", "guest_off",
	}
}

// Reset forgets every object and task.
func (a *API) Reset() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.timeline = core.Timeline{}
	a.cluster = newCluster(a.clock.Now())
}

// Routes lists what the emulator knows, as "METHOD /path" below /api2/json.
func (a *API) Routes() []string { return a.router.Routes() }

// call is one request with a valid token.
type call struct {
	*core.Request
	api   *API
	now   time.Time
	in    values // parameters of path, query and body
	files map[string]file
	node  *node // of the path; nil without
	wrong map[string]string
	// unplugged are the devices of an update that could not be plugged into the running machine.
	unplugged map[string]string
}

// Serve answers one request, in the vendor's order: what the HTTP server itself refuses, the token, the route, the
// permission, the way to the node, the parameters, and then the request (pve-manager PVE/HTTPServer.pm, rest_handler;
// pve-http-server AnyEvent.pm, authenticate_and_handle_request).
func (a *API) Serve(r *core.Request) core.Answer {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.advance(a.clock.Now())
	answer := a.answer(r)
	if answer.Again == 0 {
		a.complete(&answer)
	}
	return answer
}

// advance lets happen what is due, and publishes the nodes' figures as of their last update.
func (a *API) advance(now time.Time) {
	a.now = now
	if last, due := a.stats.due(now, a.settings.Get().Lag.Statistics.Value()); due {
		a.timeline.Advance(last)
		a.publish(last)
	}
	a.timeline.Advance(now)
}

func (a *API) answer(r *core.Request) core.Answer {
	if !slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}, r.Method) {
		return refused(http.StatusNotImplemented, "method '"+r.Method+"' not available")
	}
	if r.Chunked {
		return refused(http.StatusNotImplemented, "chunked transfer encoding not supported")
	}
	path, below := below(r.Path)
	if !below {
		return unrouted(refused(http.StatusNotImplemented, "no such uri"))
	}
	if r.Token == "" {
		return unauthorized(r)
	}
	if answer := checkContent(r); answer != nil {
		return *answer
	}
	handle, params, _ := a.router.Find(r.Method, path)
	if handle == nil {
		return unrouted(a.failure(http.StatusNotImplemented, "Method '"+r.Method+" "+path+"' not implemented"))
	}
	r.Params = params
	return handle(r)
}

// route registers a handler behind its permission and parameters. Parameters of the path are checked by their names.
func (a *API) route(pattern string, allowed permission, takes []param, handle func(*call) core.Answer) {
	a.router.Add(pattern, func(r *core.Request) core.Answer {
		c := &call{Request: r, api: a, now: a.now}
		if answer := c.read(takes); answer != nil {
			return *answer
		}
		if answer := allowed(c); answer != nil {
			return *answer
		}
		if answer := c.reach(); answer != nil {
			return *answer
		}
		if len(c.wrong) > 0 {
			return c.invalid(c.wrong)
		}
		return handle(c)
	})
}

func unrouted(answer core.Answer) core.Answer {
	answer.Unrouted = true
	return answer
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"slices"
	"strings"
)

// Handle answers one request of a route; Params are filled in.
type Handle func(*Request) Answer

// Router finds the handler of a method and a path. Patterns are like "GET /servers/{id}/actions"; of two that match,
// the one with fewer parameters wins. A last segment like "{volume...}" takes the rest of the path.
type Router struct {
	routes []route
}

type route struct {
	method   string
	segments []string
	handle   Handle
}

// Add registers a pattern.
func (r *Router) Add(pattern string, handle Handle) {
	method, path, _ := strings.Cut(pattern, " ")
	r.routes = append(r.routes, route{method: method, segments: strings.Split(path, "/"), handle: handle})
}

// Routes lists the patterns, sorted.
func (r *Router) Routes() []string {
	patterns := make([]string, 0, len(r.routes))
	for _, known := range r.routes {
		patterns = append(patterns, known.method+" "+strings.Join(known.segments, "/"))
	}
	slices.Sort(patterns)
	return patterns
}

// Find gives the handler and the parameters. A nil handler with known true is a path that other methods have.
func (r *Router) Find(method, path string) (handle Handle, params map[string]string, known bool) {
	segments := strings.Split(path, "/")
	best := -1
	for i, candidate := range r.routes {
		found, matches := candidate.match(segments)
		if !matches {
			continue
		}
		known = true
		if candidate.method == method && (best < 0 || len(found) < len(params)) {
			best, params = i, found
		}
	}
	if best < 0 {
		return nil, nil, known
	}
	return r.routes[best].handle, params, true
}

func (r route) match(segments []string) (map[string]string, bool) {
	params := map[string]string{}
	last := len(r.segments) - 1
	if name, takesRest := strings.CutSuffix(r.segments[last], "...}"); takesRest && len(segments) > last {
		params[strings.TrimPrefix(name, "{")] = strings.Join(segments[last:], "/")
		segments = slices.Concat(segments[:last], r.segments[last:])
	}
	if len(segments) != len(r.segments) {
		return nil, false
	}
	for i, want := range r.segments {
		if strings.HasSuffix(want, "...}") {
			continue
		}
		if strings.HasPrefix(want, "{") {
			params[strings.Trim(want, "{}")] = segments[i]
			continue
		}
		if want != segments[i] {
			return nil, false
		}
	}
	return params, true
}

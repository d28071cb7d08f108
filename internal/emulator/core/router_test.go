// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"slices"
	"testing"
)

func TestRouter(t *testing.T) {
	var router Router
	for _, pattern := range []string{"GET /servers", "GET /servers/{id}", "GET /servers/actions", "POST /servers/{id}/actions/reset", "GET /files/{id...}"} {
		router.Add(pattern, func(*Request) Answer { return Answer{Object: pattern} })
	}
	for name, test := range map[string]struct {
		method, path, route, id string
		known                   bool
	}{
		"literal":                  {"GET", "/servers", "GET /servers", "", true},
		"parameter":                {"GET", "/servers/7", "GET /servers/{id}", "7", true},
		"literal before parameter": {"GET", "/servers/actions", "GET /servers/actions", "", true},
		"deeper":                   {"POST", "/servers/7/actions/reset", "POST /servers/{id}/actions/reset", "7", true},
		"other method":             {"PUT", "/servers/7", "", "", true},
		"slash at the end":         {"GET", "/servers/7/", "", "", false},
		"unknown":                  {"GET", "/volumes", "", "", false},
		"rest of the path":         {"GET", "/files/local:iso/a.iso", "GET /files/{id...}", "local:iso/a.iso", true},
		"no rest":                  {"GET", "/files", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			handle, params, known := router.Find(test.method, test.path)
			route := ""
			if handle != nil {
				route = handle(nil).Object
			}
			if route != test.route || params["id"] != test.id || known != test.known {
				t.Errorf("route %q, id %q, known %t", route, params["id"], known)
			}
		})
	}
	if routes := router.Routes(); len(routes) != 5 || !slices.IsSorted(routes) {
		t.Errorf("routes %q", routes)
	}
}

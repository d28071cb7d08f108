// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"context"
	"net/http"
)

// TestingT is what Start needs of a *testing.T.
type TestingT interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Start serves an emulator on loopback sockets until the test ends, and fails the test then if anything asked for a
// route that the emulator does not know.
func Start(t TestingT, options Options) *Emulator {
	t.Helper()
	e := InMemory(t, options)
	if err := e.Listen(context.Background(), Addresses{}); err != nil {
		t.Fatalf("emulator: %v", err)
	}
	t.Cleanup(e.Close)
	return e
}

// InMemory is Start without sockets: clients reach the vendors through their Transport. Made inside a testing/synctest
// bubble it lives by the bubble's clock.
func InMemory(t TestingT, options Options) *Emulator {
	t.Helper()
	e := New(options)
	t.Cleanup(func() {
		if options.AllowUnrouted {
			return
		}
		for _, entry := range e.journal.Unrouted() {
			t.Errorf("emulator: %s has no route %s %s", entry.Vendor, entry.Method, entry.Path)
		}
	})
	return e
}

// Client is an http.Client over the vendor's Transport.
func (v *Vendor) Client() *http.Client { return &http.Client{Transport: v.Transport()} }

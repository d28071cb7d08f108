// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// planted is a fault as a provider could have it. The bench is told nothing of it.
type planted struct {
	// carries takes the place of what carries the provider's requests, after comes after each of its commands.
	carries func(p *play, base roundTripper) roundTripper
	after   func(p *play)
}

// carrier is a function that carries requests.
type carrier func(*http.Request) (*http.Response, error)

// RoundTrip is that of http.RoundTripper.
func (c carrier) RoundTrip(request *http.Request) (*http.Response, error) { return c(request) }

// doubles sends what makes an object twice, as a library does that repeats what it takes for lost.
var doubles = planted{carries: func(p *play, base roundTripper) roundTripper {
	return carrier(func(request *http.Request) (*http.Response, error) {
		if !p.trial.on.orders(emulator.Entry{Vendor: p.trial.on.Name, Method: request.Method, Path: request.URL.Path}) {
			return base.RoundTrip(request)
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		again := request.Clone(request.Context())
		request.Body, again.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
		if first, err := base.RoundTrip(request); err != nil {
			return first, err
		}
		return base.RoundTrip(again)
	})
}}

// doublesAfterAll is doubles in those cases alone in which something is interrupted.
var doublesAfterAll = planted{carries: func(p *play, base roundTripper) roundTripper {
	if p.at == 0 {
		return base
	}
	return doubles.carries(p, base)
}}

// strays sends every delete to somebody else's object too.
var strays = planted{carries: func(p *play, base roundTripper) roundTripper {
	return carrier(func(request *http.Request) (*http.Response, error) {
		if request.Method == http.MethodDelete {
			other := request.Clone(request.Context())
			other.URL.Path = request.URL.Path[:strings.LastIndex(request.URL.Path, "/")+1] + p.stranger.ID
			if _, err := base.RoundTrip(other); err != nil {
				return nil, err
			}
		}
		return base.RoundTrip(request)
	})
}}

// forgets saves nothing of what it has made.
var forgets = planted{after: func(p *play) { p.live.current = providertest.State{} }}

// looksNowhere finds nothing before a create, whatever there is.
var looksNowhere = planted{carries: func(_ *play, base roundTripper) roundTripper {
	return carrier(func(request *http.Request) (*http.Response, error) {
		if request.Method == http.MethodGet && request.URL.Query().Has("label_selector") {
			query := request.URL.Query()
			query.Set("label_selector", "nothing=there")
			request.URL.RawQuery = query.Encode()
		}
		return base.RoundTrip(request)
	})
}}

// forgetsBackups takes the backups of a server for switched on once something was interrupted, and so never asks for them.
var forgetsBackups = planted{carries: func(p *play, base roundTripper) roundTripper {
	if p.wire == nil {
		return base
	}
	return carrier(func(request *http.Request) (*http.Response, error) {
		response, err := base.RoundTrip(request)
		if err != nil || request.Method != http.MethodGet {
			return response, err
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.ReplaceAll(body, []byte(`"backup_window":null`), []byte(`"backup_window":"22-02"`))
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		return response, nil
	})
}}

// of is a trial by the names of its subject and operation.
func of(t *testing.T, name, step string) trial {
	t.Helper()
	for _, on := range subjects() {
		if on.String() != name {
			continue
		}
		operations := on.possible()
		if at := slices.IndexFunc(operations, func(one operation) bool { return one.name == step }); at >= 0 {
			return trial{on: on, operation: operations[at], owned: true}
		}
	}
	t.Fatalf("there is no %s of %s", step, name)
	return trial{}
}

// The bench is tested with providers that are wrong on purpose: it calls what they do by its name.
func TestTheBenchSeesWhatIsWrong(t *testing.T) {
	killed := interruptions[slices.IndexFunc(interruptions, func(what interruption) bool { return what.kills && what.carriedOut })]
	for name, test := range map[string]struct {
		on, operation string
		plants        planted
		// order interrupts the request that makes the object: it is killed with the answer held.
		order bool
		want  outcome
	}{
		"a create that is sent twice":         {on: "digitalocean/address", operation: "create", plants: doubles, want: doubled},
		"a state that is not saved":           {on: "hetzner/instance", operation: "create", plants: forgets, want: lost},
		"a delete of somebody else's":         {on: "hetzner/instance", operation: "destroy", plants: strays, want: foreign},
		"a create without a look for its key": {on: "hetzner/instance", operation: "create", plants: looksNowhere, order: true, want: broken},
		"an option that a resumed create leaves out": {
			on: "hetzner/instance", operation: "create with options", plants: forgetsBackups, order: true, want: unset,
		},
	} {
		t.Run(name, func(t *testing.T) {
			one := of(t, test.on, test.operation)
			if test.order {
				_, whole := one.run(t)
				one.at, one.what = 1+slices.IndexFunc(whole.sent, func(sent string) bool {
					method, path, _ := strings.Cut(sent, " ")
					return one.on.orders(emulator.Entry{Vendor: one.on.Name, Method: method, Path: path})
				}), killed
			}
			if found, _ := one.run(t); found.outcome.isWrong() {
				t.Fatalf("without the fault it is %s: %s", found.outcome, found.why)
			}
			one.plants = &test.plants
			if found, _ := one.run(t); found.outcome != test.want {
				t.Errorf("it is %s, want %s: %s", found.outcome, test.want, found.why)
			}
		})
	}
}

var printedCase = regexp.MustCompile(`\nmake chaos CASE='([^']+)'$`)

// What goes wrong is printed with a command that runs this one case again, and no other.
func TestAFailedCaseIsRunAgain(t *testing.T) {
	const oneIn = 40
	base := of(t, "digitalocean/address", "create")
	base.plants = &doublesAfterAll
	first := newResults()
	first.keeps = true
	interruptEach(t, base, oneIn, 1, first)
	counts := first.counts[rowOf(base.on, base.operation)]
	if counts[doubled] < 2 || counts[doubled]+counts[broken] != len(first.complaints) {
		t.Fatalf("%d complaints\n%s", len(first.complaints), first.table())
	}
	printed := printedCase.FindStringSubmatch(first.complaints[1])
	if printed == nil {
		t.Fatalf("it prints no command: %s", first.complaints[1])
	}
	t.Setenv(oneVariable, printed[1])
	again := newResults()
	again.keeps = true
	interruptEach(t, base, oneIn, 2, again)
	if len(again.complaints) != 1 || printedCase.FindStringSubmatch(again.complaints[0])[1] != printed[1] {
		t.Errorf("%s was run again as %q", printed[1], again.complaints)
	}
}

// The same of a case of the CLIs.
func TestACaseOfTheCLIsIsFoundByItsName(t *testing.T) {
	base := of(t, "hetzner/instance", "create")
	var all []cliCase
	for _, backend := range backends {
		for _, owned := range []bool{true, false} {
			one := cliCase{cli: "terraform", backend: backend, on: base.on, operation: base.operation, owned: owned}
			all = append(all, strikesOn(one, []sighted{{"POST /v1/servers", 1}, {"PUT /v1/servers/*", 1}, {"PUT /v1/servers/*", 2}})...)
		}
	}
	for _, one := range all {
		t.Setenv(oneVariable, one.String())
		if found := choose(t, slices.Clone(all)); len(found) != 1 || found[0].String() != one.String() {
			t.Errorf("%s finds %d cases", one, len(found))
		}
	}
}

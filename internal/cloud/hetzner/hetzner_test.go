// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	image        = "161547269" // ubuntu-24.04 for x86
	otherImage   = "310557660" // debian-13 for x86
	offer        = "cx23"
	exampleKey   = "inst_0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk"
	exampleClaim = "abcdefghjk-0123456789abcdef"
)

// project is an emulated project with a driver on it, inside a bubble.
type project struct {
	*testing.T
	*emulator.Emulator
	*cloud
	// variables is the environment that the token's reference is resolved in.
	variables map[string]string
	base      http.RoundTripper
}

// inBubble runs a test on a fresh project, by the bubble's clock.
func inBubble(t *testing.T, test func(*project)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, emulator.Options{ActionTime: 2 * time.Second, AllowUnrouted: true})
		p := &project{T: t, Emulator: e, variables: map[string]string{"HCLOUD_TOKEN": e.Hetzner.Token}, base: e.Hetzner.Transport()}
		p.cloud = p.open("env://HCLOUD_TOKEN")
		test(p)
		for _, entry := range e.Journal() {
			if entry.Fault == "unrouted" {
				t.Errorf("the emulator has no route %s %s", entry.Method, entry.Path)
			}
		}
	})
}

// open makes one more driver on the project.
func (p *project) open(reference string) *cloud {
	p.Helper()
	kind := Kind()
	values := kind.Manifest.WithDefaults(manifest.Values{"token": reference, "endpoint": p.Hetzner.Endpoint})
	opened, err := kind.Open(values, driver.Environment{
		Resolve: secret.Resolver{LookupEnv: func(name string) (string, bool) {
			value, set := p.variables[name]
			return value, set
		}}.Resolve,
		Version: "1.2.3", MaxRetries: 2, Base: p.base,
	})
	if err != nil {
		p.Fatal(err)
	}
	return opened.(*cloud)
}

func (p *project) spec(name string) driver.Spec {
	return driver.Spec{
		Name: name, OfferID: offer, ImageID: image, UserData: []byte("#cloud-config\n"), Labels: map[string]string{"team": "shop"},
		Marks: driver.Marks{Managed: true, Key: exampleKey, Account: "pacct_" + exampleKey[5:], Claim: exampleClaim, Creating: true},
	}
}

// make creates a machine and waits until it runs.
func (p *project) make(name string) driver.Machine {
	p.Helper()
	created, err := p.Create(p.Context(), p.spec(name))
	if err != nil {
		p.Fatal(err)
	}
	p.await(created.Operations)
	return created.Machine
}

// await polls until all operations are done and fails on one that failed.
func (p *project) await(operations []driver.Operation) {
	p.Helper()
	if len(operations) == 0 {
		p.Fatal("there is no operation to wait for")
	}
	for range 60 {
		progress, err := p.Poll(p.Context(), operations)
		if err != nil {
			p.Fatal(err)
		}
		done := 0
		for _, one := range progress {
			if one.Err != nil {
				p.Fatalf("%s: %v", one.Operation.Name, one.Err)
			}
			if one.Done {
				done++
			}
		}
		if done == len(operations) {
			return
		}
		pass(time.Second)
	}
	p.Fatalf("the operations %v do not end", operations)
}

// pass lets time go by in the bubble.
func pass(length time.Duration) {
	timer := time.NewTimer(length)
	<-timer.C
}

// failure is what the driver says about an error that must be there.
func (p *project) failure(err error) driver.Failure {
	p.Helper()
	if err == nil {
		p.Fatal("there is no error")
	}
	failure := p.Describe(err)
	if strings.Contains(failure.Message, p.Hetzner.Token) || strings.Contains(err.Error(), p.Hetzner.Token) {
		p.Errorf("the message has the token: %s", failure.Message)
	}
	return failure
}

func (p *project) fault(fault emulator.Fault) {
	p.Helper()
	if _, err := p.AddFault(fault); err != nil {
		p.Fatal(err)
	}
}

// requests are the requests since a seq, as "METHOD path?query".
func (p *project) requests(since int64) []string {
	var requests []string
	for _, entry := range p.JournalSince(since) {
		request := entry.Method + " " + strings.TrimPrefix(entry.Path, "/v1")
		if entry.Query != "" {
			request += "?" + entry.Query
		}
		requests = append(requests, request)
	}
	return requests
}

func (p *project) seq() int64 {
	journal := p.Journal()
	if len(journal) == 0 {
		return 0
	}
	return journal[len(journal)-1].Seq
}

func TestTheManifestIsSound(t *testing.T) {
	kind := Kind()
	if faults := kind.Manifest.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
	if kind.Manifest.Kind != "hetzner-cloud" {
		t.Errorf("the kind is %s", kind.Manifest.Kind)
	}
}

func TestFaultsOfAConfig(t *testing.T) {
	values := manifest.Values{
		"token": "planted-token", "endpoint": "http://api.hetzner.cloud/v1",
	}
	want := []string{"token: not the secret itself", "endpoint: must start with https://"}
	faults := Kind().Manifest.Validate(values, secret.Check)
	if len(faults) != len(want) {
		t.Fatalf("faults %v, want %d", faults, len(want))
	}
	for i, fault := range faults {
		path, message, _ := strings.Cut(want[i], ": ")
		if strings.Join(fault.Path, ".") != path || !strings.Contains(fault.Message, message) || strings.Contains(fault.Message, "planted") {
			t.Errorf("fault %v, want %s", fault, want[i])
		}
	}
	if faults := Kind().Manifest.Validate(manifest.Values{"token": "env://T"}, secret.Check); len(faults) > 0 {
		t.Errorf("a sound config has faults: %v", faults)
	}
}

func TestOpenRefusesAnEndpointThatCannotBeUsed(t *testing.T) {
	_, err := Kind().Open(manifest.Values{"token": "env://T", "endpoint": "http://api.hetzner.cloud/v1"}, driver.Environment{})
	if err == nil || !strings.Contains(err.Error(), "endpoint must start with https://") {
		t.Errorf("error %v", err)
	}
}

func TestCapabilities(t *testing.T) {
	var d driver.Driver = &cloud{}
	_, power := d.(driver.Power)
	_, reinstall := d.(driver.Reinstall)
	_, list := d.(driver.List)
	_, rename := d.(driver.Rename)
	_, mark := d.(driver.Mark)
	_, regions := d.(driver.Regions)
	_, images := d.(driver.Images)
	_, verify := d.(driver.Verify)
	_, prove := d.(driver.Prove)
	_, place := d.(driver.PlaceProof)
	if slices.Contains([]bool{power, reinstall, list, rename, mark, regions, images, verify, prove, place}, false) {
		t.Error("a capability is missing")
	}
}

func TestRequestsCarryTheTokenAndOurName(t *testing.T) {
	inBubble(t, func(p *project) {
		var seen http.Header
		p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
			seen = request.Header
			return p.Hetzner.Transport().RoundTrip(request)
		})
		if err := p.open("env://HCLOUD_TOKEN").Verify(p.Context()); err != nil {
			p.Fatal(err)
		}
		if seen.Get("Authorization") != "Bearer "+p.Hetzner.Token || seen.Get("User-Agent") != "terraform-provider-bettercompute/1.2.3" {
			p.Errorf("headers %v", seen)
		}
	})
}

// roundTripper is a function that carries requests.
type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func TestADetachedCreateOutlivesItsCommand(t *testing.T) {
	inBubble(t, func(p *project) {
		ctx, cancel := context.WithCancel(p.Context())
		p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
			cancel()
			pass(time.Second)
			return p.Hetzner.Transport().RoundTrip(request)
		})
		created, err := p.open("env://HCLOUD_TOKEN").Create(driver.Detach(ctx), p.spec("web-1"))
		if err != nil || created.Machine.ID == "" {
			p.Errorf("created %v, error %v", created.Machine, err)
		}
	})
}

func TestADetachedCreateThatWaitsEndsWithItsCommand(t *testing.T) {
	inBubble(t, func(p *project) {
		p.fault(emulator.Fault{Action: "status", Status: 429, Headers: map[string]string{"Retry-After": "30"}})
		ctx, cancel := context.WithCancel(p.Context())
		time.AfterFunc(time.Second, cancel)
		writing, done := context.WithTimeout(driver.Detach(ctx), time.Minute)
		defer done()
		started := time.Now()
		_, err := p.Create(writing, p.spec("web-1"))
		failure := p.failure(err)
		if took := time.Since(started); took != time.Second || failure.Outcome != driver.NotDone || !strings.Contains(failure.Message, "cancelled") {
			p.Errorf("after %s: %+v", took, failure)
		}
	})
}

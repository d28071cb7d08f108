// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

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
	tokenVariable = "DIGITALOCEAN_TOKEN"
	region        = "fra1"
	offer         = "s-1vcpu-1gb"
	exampleKey    = "inst_0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk"
	exampleClaim  = "abcdefghjk-0123456789abcdef"
)

// team is an emulated team with a driver on it, inside a bubble.
type team struct {
	*testing.T
	*emulator.Emulator
	*cloud
	// variables is the environment that the token's reference is resolved in.
	variables map[string]string
	base      http.RoundTripper
	// projectID is that of the accounts that are opened from here on.
	projectID string
	// owner names the state that accounts work for.
	owner string
}

// inBubble runs a test on a fresh team, by the bubble's clock.
func inBubble(t *testing.T, test func(*team)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, emulator.Options{ActionTime: 2 * time.Second, AllowUnrouted: true})
		p := &team{T: t, Emulator: e, variables: map[string]string{tokenVariable: e.DigitalOcean.Token}, base: e.DigitalOcean.Transport()}
		p.cloud = p.open("env://" + tokenVariable)
		test(p)
		for _, entry := range e.Journal() {
			if entry.Fault == "unrouted" {
				t.Errorf("the emulator has no route %s %s", entry.Method, entry.Path)
			}
		}
	})
}

// open makes one more driver on the team.
func (p *team) open(reference string) *cloud {
	p.Helper()
	kind := Kind()
	config := manifest.Values{"token": reference, "region": region, "endpoint": p.DigitalOcean.Endpoint}
	if p.projectID != "" {
		config["project_id"] = p.projectID
	}
	values := kind.Manifest.WithDefaults(config)
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

func (p *team) spec(name string) driver.Spec {
	spec := p.specOf(p.imageID("debian-13-x64"))
	spec.Name = name
	return spec
}

// specOf is a machine of an image, without asking for it.
func (p *team) specOf(image string) driver.Spec {
	return driver.Spec{
		Name: "web", OfferID: offer, ImageID: image, UserData: []byte("#cloud-config\n"), Labels: map[string]string{"team": "shop"},
		Marks: driver.Marks{Managed: true, Key: exampleKey, Account: "pacct_" + exampleKey[5:], Claim: exampleClaim, Creating: true},
	}
}

// imageID answers the id of an image by its slug.
func (p *team) imageID(slug string) string {
	p.Helper()
	found, err := p.Images(p.Context(), driver.ImageQuery{Name: slug})
	if err != nil || len(found) != 1 {
		p.Fatalf("image %s: %v, %v", slug, found, err)
	}
	return found[0].ID
}

// make creates a machine and waits until it runs.
func (p *team) make(name string) driver.Machine {
	p.Helper()
	created, err := p.Create(p.Context(), p.spec(name))
	if err != nil {
		p.Fatal(err)
	}
	p.await(created.Operations)
	return created.Machine
}

// await polls until all operations are done and fails on one that failed.
func (p *team) await(operations []driver.Operation) {
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
func (p *team) failure(err error) driver.Failure {
	p.Helper()
	if err == nil {
		p.Fatal("there is no error")
	}
	failure := p.Describe(err)
	if strings.Contains(failure.Message, p.DigitalOcean.Token) || strings.Contains(err.Error(), p.DigitalOcean.Token) {
		p.Errorf("the message has the token: %s", failure.Message)
	}
	return failure
}

func (p *team) fault(fault emulator.Fault) {
	p.Helper()
	if _, err := p.AddFault(fault); err != nil {
		p.Fatal(err)
	}
}

// requests are the requests since a seq, as "METHOD path?query".
func (p *team) requests(since int64) []string {
	var requests []string
	for _, entry := range p.JournalSince(since) {
		request := entry.Method + " " + strings.TrimPrefix(entry.Path, "/v2")
		if entry.Query != "" {
			request += "?" + entry.Query
		}
		requests = append(requests, request)
	}
	return requests
}

func TestTheManifestIsSound(t *testing.T) {
	kind := Kind()
	if faults := kind.Manifest.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
	if kind.Manifest.Kind != "digitalocean" {
		t.Errorf("the kind is %s", kind.Manifest.Kind)
	}
}

func TestFaultsOfAConfig(t *testing.T) {
	for name, test := range map[string]struct {
		values manifest.Values
		want   []string
	}{
		"everything wrong": {
			manifest.Values{"token": "planted-token", "region": "Frankfurt", "endpoint": "http://api.digitalocean.com/", "vpc_uuid": "main"},
			[]string{"token: not the secret itself", "region: slug", "endpoint: must start with https://", "vpc_uuid: UUID"},
		},
		"no region":                {manifest.Values{"token": "env://T"}, []string{"region: "}},
		"an endpoint below a path": {manifest.Values{"token": "env://T", "region": "fra1", "endpoint": "https://example.com/do/"}, []string{"endpoint: must not contain a path"}},
		"sound":                    {manifest.Values{"token": "env://T", "region": "fra1", "vpc_uuid": "760e09ef-dc84-11e8-981e-3cfdfeaae000"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			faults := Kind().Manifest.Validate(test.values, secret.Check)
			if len(faults) != len(test.want) {
				t.Fatalf("faults %v, want %d", faults, len(test.want))
			}
			for i, fault := range faults {
				path, message, _ := strings.Cut(test.want[i], ": ")
				if strings.Join(fault.Path, ".") != path || !strings.Contains(fault.Message, message) || strings.Contains(fault.Message, "planted") {
					t.Errorf("fault %v, want %s", fault, test.want[i])
				}
			}
		})
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
	_, intent := d.(driver.Intent)
	_, claims := d.(driver.Claims)
	if slices.Contains([]bool{power, reinstall, list, rename, mark, regions, images, verify, prove, place, intent, claims}, false) {
		t.Error("a capability is missing")
	}
}

func TestRequestsCarryTheTokenAndOurName(t *testing.T) {
	inBubble(t, func(p *team) {
		var seen http.Header
		p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
			seen = request.Header
			return p.DigitalOcean.Transport().RoundTrip(request)
		})
		if err := p.open("env://" + tokenVariable).Verify(p.Context()); err != nil {
			p.Fatal(err)
		}
		if seen.Get("Authorization") != "Bearer "+p.DigitalOcean.Token || seen.Get("User-Agent") != "terraform-provider-bettercompute/1.2.3" {
			p.Errorf("headers %v", seen)
		}
	})
}

// roundTripper is a function that carries requests.
type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func contextFor(p *team, length time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.Context(), length)
}

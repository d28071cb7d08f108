// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport/transporttest"
)

// inProjectBubble runs a test on accounts that keep to a project of their own.
func inProjectBubble(t *testing.T, test func(*team)) {
	t.Helper()
	inBubble(t, func(p *team) {
		p.projectID = p.newProject("shop")
		p.cloud = p.open("env://" + tokenVariable)
		p.ClearJournal()
		test(p)
	})
}

func (p *team) newProject(name string) string {
	p.Helper()
	made, _, err := p.open("env://"+tokenVariable).client.Projects.Create(p.Context(), &godo.CreateProjectRequest{Name: name, Purpose: "Service or API"})
	if err != nil {
		p.Fatal(err)
	}
	return made.ID
}

// inside are the ids of the droplets in the project of the accounts.
func (p *team) inside() []string {
	p.Helper()
	return p.membersOf(p.projectID)
}

// membersOf are the ids of the droplets in a project.
func (p *team) membersOf(project string) []string {
	p.Helper()
	ids, err := p.ProjectMachines(p.Context(), project)
	if err != nil {
		p.Fatal(err)
	}
	return ids
}

func TestDropletsGoIntoTheProjectOfTheirAccount(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		account := p.account()
		errs := each(20, func(i int) error {
			_, err := account.Create(p.Context(), wishFor(fmt.Sprintf("web-%d", i)))
			return err
		})
		assignments := p.count(http.MethodPost, "/v2/projects/")
		t.Logf("20 droplets went into their project in %d calls", assignments)
		if len(errs) > 0 || len(p.inside()) != 20 || assignments > 3 || p.count(http.MethodGet, "/v2/projects") != 1 {
			p.Errorf("%v are in it after %d calls, errors %v", p.inside(), assignments, errs)
		}
	})
}

func TestWithoutAProjectNobodyAsksForOne(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := wishFor("web")
		held := heldOf(p.create(wish), wish)
		account := p.account()
		if err := errors.Join(account.Verify(p.Context()), account.CheckHolder(p.Context(), compute.Holder{MachineID: held.MachineID})); err != nil {
			p.Error(err)
		}
		if asked := p.count(http.MethodGet, "/v2/projects") + p.count(http.MethodPost, "/v2/projects"); asked > 0 {
			p.Errorf("%d calls about projects", asked)
		}
	})
}

func TestAMachineThatIsThereCostsNoCallAboutProjects(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		wish := wishFor("web")
		held := heldOf(p.create(wish), wish)
		p.ClearJournal()
		account := p.account()
		_, err := account.Read(p.Context(), held)
		_, updated := account.Update(p.Context(), held, compute.Change{Name: "web-2"})
		_, deleted := account.Delete(p.Context(), held, 0)
		if err := errors.Join(err, updated, deleted); err != nil {
			p.Fatal(err)
		}
		if asked := p.count(http.MethodGet, "/v2/projects") + p.count(http.MethodPost, "/v2/projects"); asked > 0 {
			p.Errorf("%d calls about projects", asked)
		}
	})
}

func TestALostAnswerOfAnAssignmentIsSentOnceMore(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"dropped before": {Point: "before", Action: "drop"},
		"dropped after":  {Point: "after", Action: "drop"},
		"502":            {Point: "after", Action: "status", Status: http.StatusBadGateway},
		"a proxy":        {Point: "before", Action: "status", Status: http.StatusServiceUnavailable, Body: "<html>"},
	} {
		t.Run(name, func(t *testing.T) {
			inProjectBubble(t, func(p *team) {
				fault.Method, fault.Path = http.MethodPost, "^/v2/projects/.*/resources$"
				p.fault(fault)
				made := p.create(wishFor("web"))
				if !slices.Equal(p.inside(), []string{made.Machine.ID}) || len(p.truth()) != 1 || p.count(http.MethodPost, "/v2/projects/") != 2 {
					p.Errorf("%v are in the project; droplets %+v", p.inside(), p.truth())
				}
			})
		})
	}
}

// TestACreateThatDiesAnywhereEndsInItsProject lets the process die at each request of a create, and another one create again.
func TestACreateThatDiesAnywhereEndsInItsProject(t *testing.T) {
	for name, options := range map[string]manifest.Values{"the account's": nil, "its own": {projectField: "blog"}} {
		for _, carried := range []bool{false, true} {
			for last, died := 1, true; died; last++ {
				t.Run(fmt.Sprintf("%s, request %d, carried out %t", name, last, carried), func(t *testing.T) {
					inProjectBubble(t, func(p *team) { died = p.mustEndInItsProject(options, last, carried) })
				})
			}
		}
	}
}

// mustEndInItsProject says whether the create died.
func (p *team) mustEndInItsProject(options manifest.Values, last int, carried bool) (died bool) {
	p.Helper()
	home, wish := p.projectID, withOptions(wishFor("web"), options)
	if options != nil {
		home = p.newProject("blog")
	}
	p.owner = "shop"
	living := p.base
	p.base = &transporttest.Mortal{Base: living, Last: last, Carried: carried}
	ctx, end := context.WithTimeout(p.Context(), 5*time.Minute)
	made, err := p.account().Create(ctx, wish)
	end()
	died = err != nil || made.Unfinished
	p.base = living
	if died {
		made = p.create(wish)
	}
	if members := p.membersOf(home); !slices.Equal(members, []string{made.Machine.ID}) || len(p.truth()) != 1 || slices.Contains(p.truth()[0].Tags, tagCreating) {
		p.Errorf("%v are in the project; droplets %+v", members, p.truth())
	}
	return died
}

func TestAProjectThatIsGoneKeepsTheMachineAndSaysWhatToDo(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		account := p.account()
		if _, err := p.client.Projects.Delete(p.Context(), p.projectID); err != nil {
			p.Fatal(err)
		}
		made, err := account.Create(p.Context(), wishFor("web"))
		known, ok := errors.AsType[*compute.Error](err)
		if !ok || known.Code != driver.InvalidInput || known.Field != "project_id" || !strings.Contains(err.Error(), p.projectID) {
			p.Errorf("the error is %v", err)
		}
		if !made.Unfinished || made.Machine.ID != p.truth()[0].ID || slices.Contains(p.truth()[0].Tags, tagCreating) {
			p.Errorf("%+v; droplets %+v", made, p.truth())
		}
	})
}

func TestAProjectThatIsNotThereIsToldWithTheNearest(t *testing.T) {
	inBubble(t, func(p *team) {
		shop := p.newProject("shop")
		p.projectID = strings.Repeat("0", 8) + shop[8:]
		account := p.account()
		for name, err := range map[string]error{
			"verify":            account.Verify(p.Context()),
			"plan of a machine": findingOf(account.Preflight(p.Context(), compute.Preflight{CheckOffer: true})),
			"plan of an address": findingOf(account.PreflightAddress(p.Context(), compute.AddressWish{
				Name: "web", Family: ipv4,
			})),
		} {
			known, ok := errors.AsType[*compute.Error](err)
			if !ok || known.Code != driver.InvalidInput || known.Field != "project_id" || !strings.Contains(err.Error(), shop+" (shop)") {
				p.Errorf("%s: %v", name, err)
			}
		}
		if lists := p.count(http.MethodGet, "/v2/projects"); lists != 1 {
			p.Errorf("the projects were listed %d times", lists)
		}
	})
}

func findingOf(findings []compute.Finding) error {
	if len(findings) != 1 || findings[0].Warning {
		return fmt.Errorf("findings %+v", findings)
	}
	return findings[0].Err
}

func TestATokenWithoutRightsOnProjects(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		p.variables["LIMITED"] = p.DigitalOcean.Tokens["no_projects"]
		err := p.accountWith("env://LIMITED").Verify(p.Context())
		known, ok := errors.AsType[*compute.Error](err)
		if !ok || known.Code != driver.AccessDenied || known.Field != "project_id" || !strings.Contains(err.Error(), "project:assign_resource") {
			p.Errorf("the error is %v", err)
		}
		p.projectID = ""
		if err := p.accountWith("env://LIMITED").Verify(p.Context()); err != nil {
			p.Errorf("without a project: %v", err)
		}
	})
}

func TestAnAddressGoesOnlyOnMachinesOfItsProject(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		inside := p.create(wishFor("inside")).Machine.ID
		own := p.account()
		p.projectID = ""
		outside := p.create(wishFor("outside")).Machine.ID
		other := p.account()
		p.variables["LIMITED"] = p.DigitalOcean.Tokens["no_projects"]
		for name, test := range map[string]struct {
			account *compute.Account
			machine string
			code    driver.Code
		}{
			"of the project":                    {own, inside, ""},
			"of no project":                     {own, outside, driver.InvalidInput},
			"both of no project":                {other, outside, ""},
			"account of no project":             {other, inside, driver.InvalidInput},
			"a token that cannot see the place": {p.accountWith("env://LIMITED"), inside, ""},
		} {
			if code := compute.CodeOf(test.account.CheckHolder(p.Context(), compute.Holder{MachineID: test.machine, OfOther: true})); code != test.code {
				p.Errorf("%s: %q, want %q", name, code, test.code)
			}
		}
	})
}

func TestAMachineThatWasJustMadeIsInItsProject(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		account := p.account()
		if err := account.CheckHolder(p.Context(), compute.Holder{MachineID: "1"}); compute.CodeOf(err) != driver.InvalidInput {
			p.Errorf("a machine of nobody: %v", err)
		}
		made, err := account.Create(p.Context(), wishFor("web"))
		if err != nil {
			p.Fatal(err)
		}
		before := p.count(http.MethodGet, "/v2/projects/")
		if err := account.CheckHolder(p.Context(), compute.Holder{MachineID: made.Machine.ID}); err != nil || p.count(http.MethodGet, "/v2/projects/") != before {
			p.Errorf("%v after %d lists, before %d", err, p.count(http.MethodGet, "/v2/projects/"), before)
		}
	})
}

func TestAnIPv4AddressIsReservedInTheProject(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		for family, wanted := range map[string]string{ipv4: p.projectID, ipv6: ""} {
			if _, err := p.Reserve(p.Context(), driver.AddressSpec{Family: family}); err != nil {
				p.Fatal(err)
			}
			if family == ipv6 {
				continue
			}
			all, _, err := p.client.ReservedIPs.List(p.Context(), &godo.ListOptions{})
			if err != nil || len(all) != 1 || all[0].ProjectID != wanted {
				p.Errorf("%+v, %v", all, err)
			}
		}
		if posts := p.count(http.MethodPost, "/v2/"); posts != 2 {
			p.Errorf("%d POSTs for two addresses", posts)
		}
	})
}

func TestADropletThatCannotBeReachedIsNoSuccess(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		began := time.Now()
		p.fault(emulator.Fault{
			Method: http.MethodPost, Path: "^/v2/projects/.*/resources$", Action: "status", Status: http.StatusOK, Times: new(0),
			Headers: map[string]string{"Content-Type": "application/json"}, Body: `{"resources":[{"urn":"do:droplet:1","status":"service_down"}]}`,
		})
		err := p.AssignProject(p.Context(), "1", p.projectID)
		if p.failure(err).Code != driver.ProviderError || !strings.Contains(err.Error(), "service_down") {
			p.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

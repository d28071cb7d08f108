// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport/transporttest"
)

// inProjectNamed are options with a project.
func inProjectNamed(named string) manifest.Values { return manifest.Values{projectField: named} }

// moveTo is a change of the project that a state has.
func moveTo(before, after string) compute.Change {
	return compute.Change{Options: compute.OptionChange{
		Written: inProjectNamed(after), Prior: inProjectNamed(before), All: inProjectNamed(after),
	}}
}

// mustShow looks at a machine as a refresh of a state does that has a project.
func (p *team) mustShow(account *compute.Account, machineID, written string, want manifest.Values) {
	p.Helper()
	shown, err := account.ShownOptions(p.Context(), driver.Machine{ID: machineID, Region: region}, inProjectNamed(written))
	if err != nil || !reflect.DeepEqual(shown, want) {
		p.Errorf("written %q, it shows %v, want %v: %v", written, shown, want, err)
	}
}

func TestADropletsOwnProjectGoesBeforeItsAccounts(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		shop, blog := p.projectID, p.newProject("blog")
		byName := p.create(withOptions(wishFor("by-name"), inProjectNamed("blog"))).Machine.ID
		unwritten := p.create(wishFor("unwritten")).Machine.ID
		p.projectID = ""
		byID := p.create(withOptions(wishFor("by-id"), inProjectNamed(blog))).Machine.ID
		if inBlog, inShop := p.membersOf(blog), p.membersOf(shop); !slices.Equal(inBlog, []string{byName, byID}) || !slices.Equal(inShop, []string{unwritten}) {
			p.Errorf("in blog are %v, in shop %v", inBlog, inShop)
		}
		if posts := p.count(http.MethodPost, "/v2/projects/"); posts != 3 {
			p.Errorf("%d assignments for three droplets", posts)
		}
	})
}

func TestDropletsOfOneProjectShareItsList(t *testing.T) {
	inBubble(t, func(p *team) {
		shop := p.newProject("shop")
		urns := make([]any, 250)
		var ids []string
		for i := range urns {
			planted, err := p.Plant("digitalocean", "droplets", emulator.Fields{"name": fmt.Sprintf("web-%d", i), "region": region})
			if err != nil {
				p.Fatal(err)
			}
			urns[i], ids = dropletURN+planted.ID, append(ids, planted.ID)
		}
		if _, _, err := p.client.Projects.AssignResources(p.Context(), shop, urns[1:]...); err != nil {
			p.Fatal(err)
		}
		p.ClearJournal()
		account := p.account()
		p.mustShow(account, ids[0], "shop", manifest.Values{})
		for i, written := range []string{"shop", shop, "shop"} {
			p.mustShow(account, ids[1+i], written, inProjectNamed(written))
		}
		p.mustShow(account, ids[249], shop, inProjectNamed(shop))
		p.mustShow(account, ids[7], "a project that is gone", manifest.Values{})
		if pages, all := p.count(http.MethodGet, "/v2/projects/"+shop+"/resources"), len(p.Journal()); pages != 2 || all != 3 {
			p.Errorf("%d pages of the project's 249 resources, %d requests, want 2 and 3", pages, all)
		}
	})
}

func TestAnotherProjectIsOneAssignment(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"as it should":   {},
		"dropped before": {Point: "before", Action: "drop"},
		"dropped after":  {Point: "after", Action: "drop"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				shop, blog := p.newProject("shop"), p.newProject("blog")
				wish := withOptions(wishFor("web"), inProjectNamed("shop"))
				made := p.create(wish)
				p.ClearJournal()
				wanted := 1
				if fault.Action != "" {
					fault.Method, fault.Path, wanted = http.MethodPost, "^/v2/projects/.*/resources$", 2
					p.fault(fault)
				}
				account := p.account()
				if _, err := account.Update(p.Context(), heldOf(made, wish), moveTo("shop", "blog")); err != nil {
					p.Error(err)
				}
				if writes := p.count(http.MethodPost, "/"); writes != wanted || len(p.membersOf(shop)) > 0 || !slices.Equal(p.membersOf(blog), []string{made.Machine.ID}) {
					p.Errorf("%d writes; in shop %v, in blog %v", writes, p.membersOf(shop), p.membersOf(blog))
				}
				// The project's list may lag: what this process has just done is no drift, and is not asked about.
				p.fault(emulator.Fault{Method: http.MethodGet, Path: "^/v2/projects/.*/resources$", Action: "status", Status: http.StatusBadGateway, Times: new(0)})
				p.mustShow(account, made.Machine.ID, "blog", inProjectNamed("blog"))
				p.mustShow(account, made.Machine.ID, "shop", manifest.Values{})
			})
		})
	}
}

// TestAChangeThatDiesAnywhereIsRepeated lets the process die at each request of a change, and another one change it again.
func TestAChangeThatDiesAnywhereIsRepeated(t *testing.T) {
	for _, carried := range []bool{false, true} {
		for last, died := 1, true; died; last++ {
			t.Run(fmt.Sprintf("request %d, carried out %t", last, carried), func(t *testing.T) {
				inBubble(t, func(p *team) {
					p.newProject("shop")
					blog := p.newProject("blog")
					wish := withOptions(wishFor("web"), inProjectNamed("shop"))
					made := p.create(wish)
					living := p.base
					p.base = &transporttest.Mortal{Base: living, Last: last, Carried: carried}
					ctx, end := context.WithTimeout(p.Context(), 5*time.Minute)
					_, err := p.account().Update(ctx, heldOf(made, wish), moveTo("shop", "blog"))
					end()
					died = err != nil
					p.base = living
					if _, err := p.account().Update(p.Context(), heldOf(made, wish), moveTo("shop", "blog")); err != nil {
						p.Error(err)
					}
					if inside := p.membersOf(blog); !slices.Equal(inside, []string{made.Machine.ID}) {
						p.Errorf("in the project are %v", inside)
					}
				})
			})
		}
	}
}

func TestADropletThatIsTakenBackGoesIntoItsProject(t *testing.T) {
	inBubble(t, func(p *team) {
		shop := p.newProject("shop")
		p.owner = "shop"
		wish := withOptions(wishFor("web"), inProjectNamed("shop"))
		made := p.create(wish)
		if _, _, err := p.client.Projects.AssignResources(p.Context(), "default", dropletURN+made.Machine.ID); err != nil {
			p.Fatal(err)
		}
		again := p.create(wish)
		if inside := p.membersOf(shop); !again.Adopted || !slices.Equal(inside, []string{made.Machine.ID}) {
			p.Errorf("taken back %t; in the project are %v", again.Adopted, inside)
		}
	})
}

func TestRefusedProjectsNameTheirArgument(t *testing.T) {
	inBubble(t, func(p *team) {
		shop := p.newProject("shop")
		p.variables["LIMITED"] = p.DigitalOcean.Tokens["no_projects"]
		for name, test := range map[string]struct {
			token, project string
			code           driver.Code
			words          []string
		}{
			"a name that is not there": {tokenVariable, "shpo", driver.InvalidInput, []string{"shpo", "The nearest: shop (id " + shop + ")"}},
			"an id that is not there":  {tokenVariable, strings.Repeat("0", 8) + shop[8:], driver.InvalidInput, []string{"make it first", shop}},
			"a token without rights":   {"LIMITED", "shop", driver.AccessDenied, []string{"project:read", "project:assign_resource", "leave project_id out"}},
		} {
			account := p.accountWith("env://" + test.token)
			_, created := account.Create(p.Context(), withOptions(wishFor("web"), inProjectNamed(test.project)))
			for when, err := range map[string]error{
				"plan":  findingOf(account.Preflight(p.Context(), compute.Preflight{CheckOffer: true, OfferID: offer, Options: inProjectNamed(test.project)})),
				"apply": created,
			} {
				known, ok := errors.AsType[*compute.Error](err)
				if !ok || known.Code != test.code || known.Field != projectField || slices.ContainsFunc(test.words, func(word string) bool { return !strings.Contains(err.Error(), word) }) {
					p.Errorf("%s, %s: %+v", name, when, err)
				}
			}
		}
		if len(p.truth()) > 0 {
			p.Errorf("droplets were made: %v", p.truth())
		}
	})
}

// TestAProjectThatOthersHaveJustMade is found by an account that has listed the projects before.
func TestAProjectThatOthersHaveJustMade(t *testing.T) {
	inBubble(t, func(p *team) {
		p.newProject("shop")
		account := p.account()
		for _, name := range []string{"shop", "blog"} {
			if name == "blog" {
				pass(3 * time.Second)
				p.newProject(name)
			}
			if _, err := account.Create(p.Context(), withOptions(wishFor(name), inProjectNamed(name))); err != nil {
				p.Errorf("%s: %v", name, err)
			}
		}
		if lists := p.listed("/v2/projects"); lists != 2 {
			p.Errorf("the projects were listed %d times", lists)
		}
	})
}

// listed is how often exactly this path was read.
func (p *team) listed(path string) int {
	count := 0
	for _, entry := range p.Journal() {
		if entry.Method == http.MethodGet && entry.Path == path {
			count++
		}
	}
	return count
}

// TestWhatIsWrittenForADropletDecidesAboutItsAddresses, also before it is there.
func TestWhatIsWrittenForADropletDecidesAboutItsAddresses(t *testing.T) {
	inProjectBubble(t, func(p *team) {
		blog := p.newProject("blog")
		inside := p.create(wishFor("inside")).Machine.ID
		shop, own := p.projectID, p.account()
		p.projectID = ""
		without := p.account()
		defaultID := p.defaultProject()
		for name, test := range map[string]struct {
			account *compute.Account
			holder  compute.Holder
			code    driver.Code
		}{
			"the account's, by name":             {own, compute.Holder{Project: "shop"}, ""},
			"the account's, by id":               {own, compute.Holder{Project: shop}, ""},
			"another one":                        {own, compute.Holder{Project: "blog"}, driver.InvalidInput},
			"it moves away":                      {own, compute.Holder{MachineID: inside, Project: blog}, driver.InvalidInput},
			"any, and the account has none":      {without, compute.Holder{Project: "shop"}, driver.InvalidInput},
			"the default one, account has none":  {without, compute.Holder{Project: defaultID}, ""},
			"none, and it is not there":          {own, compute.Holder{}, ""},
			"what its own plan says is not here": {own, compute.Holder{Project: "nowhere"}, ""},
		} {
			err := test.account.CheckHolder(p.Context(), test.holder)
			if compute.CodeOf(err) != test.code {
				p.Errorf("%s: %v, want %q", name, err, test.code)
			}
			if known, ok := errors.AsType[*compute.Error](err); ok && (known.Field != "instance" || !strings.Contains(known.Advice, "Leave the machine's project_id out")) {
				p.Errorf("%s: %+v", name, known)
			}
		}
	})
}

// defaultProject is the id of the team's default project.
func (p *team) defaultProject() string {
	p.Helper()
	found, _, err := p.client.Projects.GetDefault(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	return found.ID
}

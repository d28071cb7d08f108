// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// account opens the team as a process of its own does, with nothing in memory.
func (p *team) account() *compute.Account {
	return p.accountWith("env://" + tokenVariable)
}

func (p *team) accountWith(token string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: Kind(), Driver: p.open(token), Region: region, Owner: p.owner, Opened: time.Now(),
		Reference: compute.Reference{ID: compute.AccountID("root", kindName, "main", ""), TenantID: "root", Kind: kindName},
	})
}

func wishFor(name string) compute.Wish {
	identity := compute.InstanceIdentity{Tenant: "root", AccountID: compute.AccountID("root", kindName, "main", ""), Name: name, Image: "debian-13-x64"}
	return compute.Wish{Key: identity.ID(), Name: name, OfferID: offer, Image: "debian-13-x64", KeyCoversContent: true}
}

func heldOf(made compute.Made, wish compute.Wish) compute.Held {
	return compute.Held{MachineID: made.Machine.ID, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof}
}

func (p *team) create(wish compute.Wish) compute.Made {
	p.Helper()
	made, err := p.account().Create(p.Context(), wish)
	if err != nil {
		p.Fatal(err)
	}
	return made
}

// count answers the number of requests of a method whose path begins so.
func (p *team) count(method, path string) int {
	count := 0
	for _, entry := range p.Journal() {
		if entry.Method == method && strings.HasPrefix(entry.Path, path) {
			count++
		}
	}
	return count
}

func (p *team) truth() []emulator.Object { return p.Emulator.Objects("digitalocean", "droplets") }

// each does something for many machines at the same time and answers the errors.
func each(number int, do func(i int) error) []error {
	answers := make(chan error, number)
	for i := range number {
		go func() { answers <- do(i) }()
	}
	var errs []error
	for range number {
		if err := <-answers; err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func TestALostAnswerOfACreateMakesOneDroplet(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"dropped": {Point: "after", Action: "drop"},
		"502":     {Point: "after", Action: "status", Status: http.StatusBadGateway},
		"a proxy": {Point: "after", Action: "status", Status: http.StatusServiceUnavailable, Body: "<html>"},
		"cut":     {Point: "after", Action: "truncate"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				if err := p.ChangeSettings(func(s *emulator.Settings) { s.Lag.Tag = emulator.Duration(20 * time.Second) }); err != nil {
					p.Fatal(err)
				}
				fault.Method, fault.Path = http.MethodPost, "^/v2/droplets$"
				p.fault(fault)
				made := p.create(wishFor("web"))
				if posts := p.count(http.MethodPost, "/v2/droplets"); posts != 1 || len(p.truth()) != 1 || p.truth()[0].ID != made.Machine.ID {
					p.Errorf("%d POSTs, droplets %+v, made %+v", posts, p.truth(), made.Machine)
				}
			})
		})
	}
}

func TestACreateThatIsNotFoundAgainNamesItsKeyAndTheNextOneAdopts(t *testing.T) {
	inBubble(t, func(p *team) {
		lists := emulator.Fault{Method: http.MethodGet, Path: "^/v2/droplets$", Action: "status", Status: http.StatusInternalServerError, Skip: 1, Times: new(0)}
		p.fault(emulator.Fault{Method: http.MethodPost, Path: "^/v2/droplets$", Point: "after", Action: "drop"})
		p.fault(lists)
		wish := wishFor("web")
		_, err := p.account().Create(p.Context(), wish)
		if err == nil || !strings.Contains(err.Error(), wish.Key) {
			p.Fatalf("the error does not name the key: %v", err)
		}
		p.RemoveFault("")
		made := p.create(wish)
		if !made.Adopted || len(p.truth()) != 1 || p.count(http.MethodPost, "/v2/droplets") != 1 {
			p.Errorf("%+v; droplets %+v", made, p.truth())
		}
	})
}

func TestACreateThatComesToNothingEndsWithinTwoPolls(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(p *team)
		during  func(p *team)
	}{
		"the action is errored": {prepare: func(p *team) {
			if err := p.ChangeSettings(func(s *emulator.Settings) {
				s.ActionResults = map[string]emulator.Result{"create": {Status: "error"}}
			}); err != nil {
				p.Fatal(err)
			}
		}},
		"the droplet disappears": {
			prepare: func(p *team) {
				if err := p.ChangeSettings(func(s *emulator.Settings) { s.ActionTime = emulator.Duration(time.Hour) }); err != nil {
					p.Fatal(err)
				}
			},
			during: func(p *team) {
				pass(10 * time.Second)
				if err := p.Vanish("digitalocean", "droplets", p.truth()[0].ID); err != nil {
					p.Error(err)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				test.prepare(p)
				if test.during != nil {
					go test.during(p)
				}
				began := time.Now()
				made, err := p.account().Create(p.Context(), wishFor("web"))
				if code := compute.CodeOf(err); code != driver.CapacityUnavailable && code != driver.ProviderError {
					p.Errorf("the error is %v", err)
				}
				if took := time.Since(began); made.Machine.ID != "" || took > 25*time.Second {
					p.Errorf("%+v after %s", made, took)
				}
			})
		})
	}
}

func TestADropletMayTakeAMomentToAppear(t *testing.T) {
	inBubble(t, func(p *team) {
		if err := p.ChangeSettings(func(s *emulator.Settings) {
			s.Lag.Get, s.Lag.List, s.Lag.Tag = emulator.Duration(60*time.Second), emulator.Duration(60*time.Second), emulator.Duration(25*time.Second)
		}); err != nil {
			p.Fatal(err)
		}
		if made := p.create(wishFor("web")); made.Machine.State != driver.StateRunning || made.Machine.Marks.Creating {
			p.Errorf("%+v", made)
		}
	})
}

func TestTwoDropletsWithOurKeyAreBothNamed(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := wishFor("web")
		made := p.create(wish)
		twin, err := p.Plant("digitalocean", "droplets", emulator.Fields{"name": "web", "tags": tagsOf(made.Machine.Marks, nil)})
		if err != nil {
			p.Fatal(err)
		}
		before := fmt.Sprintf("%+v", p.truth())
		_, err = p.account().Create(p.Context(), wish)
		if compute.CodeOf(err) != driver.Conflict || !strings.Contains(err.Error(), "(id "+made.Machine.ID+")") || !strings.Contains(err.Error(), "(id "+twin.ID+")") {
			p.Errorf("the error is %v", err)
		}
		if after := fmt.Sprintf("%+v", p.truth()); after != before {
			p.Errorf("the droplets were %s and are %s", before, after)
		}
	})
}

func TestATokenOfAnotherTeamDropsNothing(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := wishFor("web")
		held := heldOf(p.create(wish), wish)
		p.variables["FOREIGN"] = p.DigitalOcean.Tokens["foreign"]
		foreign := p.accountWith("env://FOREIGN")
		seen, err := foreign.Read(p.Context(), held)
		if compute.CodeOf(err) != driver.AccessDenied || seen.Gone {
			p.Errorf("%+v, %v", seen, err)
		}
		if _, err := foreign.Delete(p.Context(), held, 0); compute.CodeOf(err) != driver.AccessDenied {
			p.Errorf("delete: %v", err)
		}
		if len(p.truth()) != 1 {
			p.Errorf("droplets %+v", p.truth())
		}
		if err := p.Vanish("digitalocean", "droplets", held.MachineID); err != nil {
			p.Fatal(err)
		}
		if seen, err := p.account().Read(p.Context(), held); err != nil || !seen.Gone {
			p.Errorf("with the right token: %+v, %v", seen, err)
		}
	})
}

func TestNoTagOfOursIsLeft(t *testing.T) {
	inBubble(t, func(p *team) {
		account := p.account()
		wishes := []compute.Wish{wishFor("web-0"), wishFor("web-1"), wishFor("web-2")}
		var held [3]compute.Held
		for i, wish := range wishes {
			wish.Labels = map[string]string{"team": "shop"}
			held[i] = heldOf(p.create(wish), wish)
		}
		if _, err := account.Delete(p.Context(), held[0], 0); err != nil {
			p.Fatal(err)
		}
		for _, machine := range p.truth() {
			if len(machine.Tags) != 5 {
				p.Errorf("%s bears %v", machine.Name, machine.Tags)
			}
		}
		if errs := each(2, func(i int) error { _, err := account.Delete(p.Context(), held[i+1], 0); return err }); len(errs) > 0 {
			p.Fatal(errs)
		}
		for _, tag := range p.Emulator.Objects("digitalocean", "tags") {
			if tag.Name != "team:shop" {
				p.Errorf("tag %s is left", tag.Name)
			}
		}
	})
}

func TestManyMachinesTakeFewCalls(t *testing.T) {
	inBubble(t, func(p *team) {
		account := p.account()
		errs := each(20, func(i int) error {
			_, err := account.Create(p.Context(), wishFor(fmt.Sprintf("web-%d", i)))
			return err
		})
		calls := len(p.Journal())
		t.Logf("20 creates: %d calls", calls)
		if len(errs) > 0 || len(p.truth()) != 20 || calls > 70 {
			p.Errorf("%d calls, errors %v", calls, errs)
		}
		if untagged := p.count(http.MethodDelete, "/v2/tags/"); untagged > 3 {
			p.Errorf("%d calls took the mark creating off", untagged)
		}
	})
}

// What was imported has no proof of its place yet: that is one call more, once.
func TestAReadOf300DropletsIsTwoCalls(t *testing.T) {
	inBubble(t, func(p *team) {
		var held []compute.Held
		for i := range 300 {
			marks := driver.Marks{Managed: true, Key: wishFor(fmt.Sprintf("web-%d", i)).Key, Claim: exampleClaim}
			planted, err := p.Plant("digitalocean", "droplets", emulator.Fields{"name": fmt.Sprintf("web-%d", i), "tags": tagsOf(marks, nil)})
			if err != nil {
				p.Fatal(err)
			}
			held = append(held, compute.Held{MachineID: planted.ID, Key: marks.Key, Claim: exampleClaim})
		}
		for proof, wanted := range map[string]int{"the team": 2, "": 3} {
			p.ClearJournal()
			account := p.account()
			errs := each(len(held), func(i int) error {
				held[i].Proof = proof
				seen, err := account.Read(p.Context(), held[i])
				if err == nil && (seen.Gone || seen.Proof == "") {
					err = fmt.Errorf("machine %s: %+v", held[i].MachineID, seen)
				}
				return err
			})
			if calls := p.requests(0); len(errs) > 0 || len(calls) != wanted {
				p.Errorf("with proof %q: %v, errors %v", proof, calls, errs)
			}
		}
	})
}

func TestTheMinuteLimitIsObeyed(t *testing.T) {
	inBubble(t, func(p *team) {
		account := p.account()
		held := make([]compute.Held, 100)
		errs := each(len(held), func(i int) error {
			wish := wishFor(fmt.Sprintf("web-%d", i))
			made, err := account.Create(p.Context(), wish)
			held[i] = heldOf(made, wish)
			return err
		})
		if len(errs) > 0 || len(p.truth()) != len(held) {
			p.Fatalf("%d droplets, errors %v", len(p.truth()), errs)
		}
		errs = each(len(held), func(i int) error { _, err := account.Delete(p.Context(), held[i], 0); return err })
		if len(errs) > 0 || len(p.truth()) != 0 {
			p.Errorf("%d droplets are left, errors %v", len(p.truth()), errs)
		}
		limited := 0
		for _, entry := range p.Journal() {
			if entry.Status == http.StatusTooManyRequests {
				limited++
			}
		}
		if requests := len(p.Journal()); limited > 0 || requests <= 250 {
			p.Errorf("%d of %d requests were refused: the account is to hold itself inside the 250 of a minute", limited, requests)
		}
	})
}

func TestARefusedOrderLeavesNoTag(t *testing.T) {
	inBubble(t, func(p *team) {
		quota := func(most int) {
			if err := p.ChangeSettings(func(s *emulator.Settings) { s.Quotas = map[string]int{"droplets": most} }); err != nil {
				p.Fatal(err)
			}
		}
		quota(0)
		if _, err := p.account().Create(p.Context(), wishFor("web")); compute.CodeOf(err) != driver.QuotaExceeded {
			p.Fatalf("the create ends with %v", err)
		}
		if tags := p.Emulator.Objects("digitalocean", "tags"); len(tags) > 0 {
			p.Errorf("tags are left: %+v", tags)
		}
		quota(1)
		began := time.Now()
		if p.create(wishFor("web")); time.Since(began) >= indexLag {
			p.Errorf("the next create took %s", time.Since(began))
		}
	})
}

// TestOfTwoCreatesTheRefusedOneTakesNothingFromTheOther: both find no tag, one is refused while the other's droplet is made.
func TestOfTwoCreatesTheRefusedOneTakesNothingFromTheOther(t *testing.T) {
	inBubble(t, func(p *team) {
		p.owner = "shop"
		p.fault(emulator.Fault{Method: http.MethodPost, Path: "^/v2/droplets$", Action: "status", Status: http.StatusUnprocessableEntity})
		wish := wishFor("web")
		made := make([]compute.Made, 2)
		errs := each(2, func(i int) (err error) { made[i], err = p.account().Create(p.Context(), wish); return err })
		truth := p.truth()
		if len(errs) != 1 || compute.CodeOf(errs[0]) != driver.InvalidInput || len(truth) != 1 || !slices.Contains(truth[0].Tags, tagKey+wish.Key) {
			p.Fatalf("%v; there is %+v", errs, truth)
		}
		again, err := p.account().Create(p.Context(), wish)
		if err != nil || again.Machine.ID != truth[0].ID || len(p.truth()) != 1 {
			p.Errorf("%+v, %v; there is %+v", again, err, p.truth())
		}
	})
}

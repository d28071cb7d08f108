// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

// choosing is a wish with lists in the place of its offer and its region.
func choosing(offers, regions []string) compute.Wish {
	wish := wishFor("web")
	wish.OfferID, wish.OfferIDs, wish.Regions = "", offers, regions
	return wish
}

// orders are the offers and regions that creates have asked for.
func orders(memory *drivertest.Memory) []string {
	var made []string
	for _, machine := range memory.Machines() {
		made = append(made, machine.OfferID+" in "+machine.Region)
	}
	return made
}

func TestTheFirstChoiceWithRoomIsMade(t *testing.T) {
	for name, one := range map[string]struct {
		offers, regions []string
		soldOut         []string
		want            string
		sent            int
	}{
		"all have room":                    {[]string{"small", "large"}, []string{"here", "there"}, nil, "small in here", 1},
		"the region is out of it":          {[]string{"small", "large"}, []string{"here", "there"}, []string{"small in here"}, "small in there", 2},
		"the offer is out of it":           {[]string{"small", "large"}, []string{"here", "there"}, []string{"small in here", "small in there"}, "large in here", 3},
		"an offer that one region has not": {[]string{"huge", "small"}, []string{"here", "there"}, nil, "huge in there", 1},
		"offers alone":                     {[]string{"small", "large"}, nil, []string{"small in here"}, "large in here", 2},
		"a list of one":                    {[]string{"large"}, []string{"there"}, nil, "large in there", 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				account := accountOn(memory)
				if _, err := account.Offers(t.Context(), driver.OfferQuery{Region: "here"}); err != nil {
					t.Fatal(err)
				}
				if _, err := account.Offers(t.Context(), driver.OfferQuery{Region: "there"}); err != nil {
					t.Fatal(err)
				}
				sellOut(memory, one.soldOut...) // after the catalogue was read: the create is refused
				made := mustCreate(t, account, choosing(one.offers, one.regions))
				if got := orders(memory); len(got) != 1 || got[0] != one.want || memory.Count("Create") != one.sent {
					t.Errorf("made %v by %d requests, want %s by %d", got, memory.Count("Create"), one.want, one.sent)
				}
				if made.Offer.ID != made.Machine.OfferID || made.Unfinished {
					t.Errorf("made %+v", made)
				}
				noticed := slices.ContainsFunc(made.Notices, func(notice compute.Notice) bool {
					return strings.Contains(notice.Detail, "There was no room for offer small in region here")
				})
				if noticed != (len(one.soldOut) > 0) {
					t.Errorf("notices are %+v", made.Notices)
				}
			})
		})
	}
}

func sellOut(memory *drivertest.Memory, choices ...string) {
	for _, choice := range choices {
		offer, region, _ := strings.Cut(choice, " in ")
		memory.SellOut(offer, region)
	}
}

func TestAChoiceThatTheCatalogueHasNotInStockIsNotAskedFor(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		sellOut(memory, "small in here")
		mustCreate(t, accountOn(memory), choosing([]string{"small", "large"}, nil))
		if got := orders(memory); got[0] != "large in here" || memory.Count("Create") != 1 {
			t.Errorf("made %v by %d requests", got, memory.Count("Create"))
		}
	})
}

func TestNoChoiceHasRoom(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		sellOut(memory, "small in here", "large in here")
		_, err := accountOn(memory).Create(t.Context(), choosing([]string{"small", "large"}, nil))
		wantCode(t, err, driver.CapacityUnavailable)
		if !strings.Contains(err.Error(), "offer small in region here, offer large in region here") || memory.Count("Create") != 2 {
			t.Errorf("%v after %d requests", err, memory.Count("Create"))
		}
	})
}

// Only the vendor's word that it has no room leads on to the next choice.
func TestOtherRefusalsEndTheChoice(t *testing.T) {
	for name, fail := range map[string]func() error{
		"quota":     refused(driver.Failure{Code: driver.QuotaExceeded, Message: "quota"}),
		"no rights": refused(driver.Failure{Code: driver.AccessDenied, Message: "no"}),
		"no room, and something may have been made": refused(driver.Failure{Code: driver.CapacityUnavailable, Outcome: driver.Done, Message: "no room"}),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				memory.Hook = on("Create", false, fail)
				_, err := accountOn(memory).Create(t.Context(), choosing([]string{"small", "large"}, []string{"here", "there"}))
				if err == nil || memory.Count("Create") != 1 {
					t.Errorf("%v after %d requests", err, memory.Count("Create"))
				}
			})
		})
	}
}

// A lost answer is looked for under the one key that all choices have: the next choice is not tried, and the next apply goes
// on with what was made.
func TestALostAnswerOfAChoiceIsNoReasonToTryTheNext(t *testing.T) {
	for _, done := range []bool{true, false} {
		bubble(t, func(t *testing.T, memory *drivertest.Memory) {
			account, wish := accountOn(memory), choosing([]string{"small", "large"}, []string{"here", "there"})
			for _, region := range wish.Regions {
				if _, err := account.Offers(t.Context(), driver.OfferQuery{Region: region}); err != nil {
					t.Fatal(err)
				}
			}
			sellOut(memory, "small in here")
			calls := 0
			memory.Hook = func(call drivertest.Call) error {
				if call.Method == "Create" && !call.After {
					calls++
				}
				if call.Method == "Create" && calls == 2 && call.After == done {
					return drivertest.Lost()
				}
				return nil
			}
			_, err := account.Create(t.Context(), wish)
			if (err == nil) != done || memory.Count("Create") != 2 {
				t.Errorf("done %t: %v after %d requests", done, err, memory.Count("Create"))
			}
			if !done {
				mustCreate(t, accountOn(memory), wish)
			}
			if got := orders(memory); !slices.Equal(got, []string{"small in there"}) {
				t.Errorf("there is %v", got)
			}
		})
	}
}

// What an interrupted create has made by one of the choices is taken over, also when the first one has room again.
func TestAnInterruptedChoiceIsTakenOver(t *testing.T) {
	for name, one := range map[string]struct {
		offers, regions []string
		conflict        bool
	}{
		"it is one of the choices": {[]string{"small", "large"}, []string{"here", "there"}, false},
		"it is none of them":       {[]string{"small"}, []string{"here", "there"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				wish := choosing(one.offers, one.regions)
				marks := driver.Marks{Managed: true, Key: wish.Key, Account: accountOn(memory).Reference().ID, Claim: compute.NewClaim(""), Creating: true}
				_, err := memory.Create(t.Context(), driver.Spec{Name: "web", OfferID: "large", ImageID: "image-1", Region: "there", Marks: marks})
				if err != nil {
					t.Fatal(err)
				}
				made, err := accountOn(memory).Create(t.Context(), wish)
				if one.conflict {
					wantCode(t, err, driver.Conflict)
					if !strings.Contains(err.Error(), "it was made by offer large in region there, planned is one of offer small in region here") {
						t.Errorf("the error is %v", err)
					}
				} else if err != nil || !made.Adopted || made.Offer.ID != "large" {
					t.Errorf("%+v, %v", made, err)
				}
				if memory.Count("Create") != 1 {
					t.Errorf("there is %v", orders(memory))
				}
			})
		})
	}
}

func TestPreflightOfChoices(t *testing.T) {
	for name, one := range map[string]struct {
		offers, regions, soldOut []string
		price, image             string
		want                     []string
	}{
		"all is well":             {offers: []string{"small", "large"}, regions: []string{"here", "there"}},
		"sold in one region only": {offers: []string{"huge", "small"}, regions: []string{"here", "there"}},
		"sold nowhere":            {offers: []string{"small", "hug"}, regions: []string{"here"}, want: []string{`error at offer_id: Memory sells no offer "hug" in region here`}},
		"one is sold elsewhere":   {offers: []string{"huge", "small"}, regions: []string{"here"}, want: []string{`warning at offer_id: Memory sells no offer "huge" in region here. It is passed over for as long as that is so. Offer huge is sold in: there.`}},
		"all are sold elsewhere":  {offers: []string{"huge"}, regions: []string{"here"}, want: []string{`error at offer_id: Memory sells no offer "huge" in region here`}},
		"no such region":          {offers: []string{"small"}, regions: []string{"here", "nowhere"}, want: []string{`error at region: Memory has no region "nowhere"`}},
		"one is out of stock": {
			offers: []string{"small", "large"}, soldOut: []string{"small in here"}, want: []string{"warning at offer_id: Offer small is out of stock in region here now. It is passed over"},
		},
		"all are out of stock": {
			offers: []string{"small", "large"}, soldOut: []string{"small in here", "large in here"},
			want: []string{"error at offer_id: Offer small is out of stock", "error at offer_id: Offer large is out of stock"},
		},
		"one is too dear": {offers: []string{"small", "large"}, price: "0.02", want: []string{"error at offer_id: Offer large costs 0.04 EUR"}},
		"no such image":   {offers: []string{"small", "large"}, image: "debain", want: []string{`error at image: Memory has no image "debain"`}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				sellOut(memory, one.soldOut...)
				findings := accountOn(memory).PreflightChoices(t.Context(), choosing(one.offers, one.regions), compute.Preflight{
					CheckImage: true, Image: cmp.Or(one.image, "debian"), MaxPricePerHour: one.price,
				})
				if len(findings) != len(one.want) {
					t.Fatalf("%d findings, want %d: %v", len(findings), len(one.want), findings)
				}
				for i, finding := range findings {
					kind := "error"
					if finding.Warning {
						kind = "warning"
					}
					if said := kind + " at " + finding.Field + ": " + strings.ReplaceAll(finding.Err.Detail(), "\n\n", " "); !strings.HasPrefix(said, one.want[i]) {
						t.Errorf("it says %q, want %q", said, one.want[i])
					}
				}
			})
		})
	}
}

func TestTheListOfRegionsIsPartOfTheKey(t *testing.T) {
	identity := compute.InstanceIdentity{Tenant: "root", AccountID: "pacct_a", Name: "web", Image: "debian", Region: "fsn1"}
	seen := map[string]bool{identity.ID(): true}
	for _, regions := range [][]string{{"fsn1"}, {"fsn1", "nbg1"}, {"nbg1", "fsn1"}} {
		listed := identity
		listed.Region, listed.Regions = "", regions
		if seen[listed.ID()] {
			t.Errorf("regions %v give an id that other arguments give too", regions)
		}
		seen[listed.ID()] = true
	}
}

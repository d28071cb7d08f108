// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestAbsenceIsBelievedOnlyOfTheRightAccount(t *testing.T) {
	for name, one := range map[string]struct {
		proof    string
		prepare  func(t *testing.T, memory *drivertest.Memory)
		believed bool
	}{
		"the create is still known":                     {proof: "made here", believed: true},
		"the create is not known":                       {proof: "made elsewhere"},
		"no proof, nothing else there":                  {},
		"no proof, something else of the account":       {prepare: makeOther, believed: true},
		"another place with something of the same name": {proof: "made elsewhere", prepare: makeOther},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				if one.prepare != nil {
					one.prepare(t, memory)
				}
				held := compute.Held{MachineID: "77", Key: wishFor("gone").Key, Name: "gone", Claim: compute.NewClaim(""), Proof: one.proof}
				seen, err := accountOn(memory).Read(t.Context(), held)
				if one.believed && (err != nil || !seen.Gone || len(seen.Notices) != 1) {
					t.Errorf("%+v, %v", seen, err)
				}
				if !one.believed {
					wantCode(t, err, driver.AccessDenied)
				}
				notices, err := accountOn(memory).Delete(t.Context(), held, 0)
				if (err == nil) != one.believed {
					t.Errorf("delete: %v, %v", notices, err)
				}
			})
		})
	}
}

func makeOther(t *testing.T, memory *drivertest.Memory) {
	t.Helper()
	mustCreate(t, accountOn(memory), wishFor("other"))
}

func TestAClaimOfThisStateProvesTheAccount(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		held := heldOf(mustCreate(t, accountOn(memory), wish), wish)
		account := accountOn(memory)
		if _, err := account.Read(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		seen, err := account.Read(t.Context(), compute.Held{MachineID: "77", Key: "inst_x", Proof: "forgotten by the vendor"})
		if err != nil || !seen.Gone {
			t.Errorf("%+v, %v", seen, err)
		}
	})
}

func TestFailuresNeverRemoveAnythingFromState(t *testing.T) {
	for _, failure := range []driver.Failure{
		{Code: driver.AccessDenied, Status: 401}, {Code: driver.AccessDenied, Status: 403},
		{Code: driver.ProviderError, Status: 404, Message: "an HTML page"}, {Code: driver.ProviderError, Outcome: driver.Unknown},
		{Code: driver.RateLimited, Status: 429},
	} {
		t.Run(fmt.Sprint(failure.Code, failure.Status), func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				wish := wishFor("web")
				held := heldOf(mustCreate(t, accountOn(memory), wish), wish)
				memory.Hook = on("List", false, refused(failure))
				seen, err := accountOn(memory).Read(t.Context(), held)
				wantCode(t, err, failure.Code)
				if seen.Gone {
					t.Error("the machine is dropped")
				}
			})
		})
	}
}

func TestARefreshOfManyMachinesIsOneList(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		var held []compute.Held
		for i := range 20 {
			wish := wishFor(fmt.Sprint("web-", i))
			held = append(held, heldOf(mustCreate(t, accountOn(memory), wish), wish))
		}
		before := len(memory.Calls())
		account := accountOn(memory)
		results := make(chan error, len(held))
		for _, one := range held {
			go func() {
				_, err := account.Read(t.Context(), one)
				results <- err
			}()
		}
		for range held {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if calls := len(memory.Calls()) - before; calls != 1 {
			t.Errorf("20 reads took %d calls", calls)
		}
	})
}

func TestManyCreatesShareListsAndPolls(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account := accountOn(memory)
		results := make(chan error, 30)
		for i := range 30 {
			go func() {
				_, err := account.Create(t.Context(), wishFor(fmt.Sprint("web-", i)))
				results <- err
			}()
		}
		for range 30 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		for method, most := range map[string]int{"Create": 30, "Mark": 30, "List": 6, "Get": 0, "Find": 0, "Offers": 1, "Images": 1} {
			if count := memory.Count(method); count > most {
				t.Errorf("%s was called %d times, at most %d are needed", method, count, most)
			}
		}
		if looks := memory.Count("Poll") / 15; looks > 4 {
			t.Errorf("each operation was asked for %d times", looks)
		}
	})
}

func TestAFailedListIsAskedForAgain(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		held := heldOf(mustCreate(t, accountOn(memory), wish), wish)
		account := accountOn(memory)
		memory.Hook = on("List", false, func() error { return errors.New("reset") })
		if _, err := account.Read(t.Context(), held); err == nil {
			t.Error("the first read succeeds")
		}
		if _, err := account.Read(t.Context(), held); err != nil {
			t.Error(err)
		}
	})
}

// halved answers machines without their offer, as a vendor does that answers half of what it knows.
type halved struct{ *drivertest.Memory }

// List is that of driver.List.
func (h halved) List(ctx context.Context) ([]driver.Machine, error) {
	machines, err := h.Memory.List(ctx)
	for i := range machines {
		machines[i].OfferID = ""
	}
	return machines, err
}

// TestAMachineWithoutAnOfferIsNotRead: a state that took it over would have lost what an update compares with.
func TestAMachineWithoutAnOfferIsNotRead(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		held := heldOf(mustCreate(t, optionAccountOn(memory), wish), wish)
		seen, err := optionAccountOn(halved{memory}).Read(t.Context(), held)
		wantCode(t, err, driver.ProviderError)
		if !strings.Contains(err.Error(), "without the offer") || seen.Machine.ID != "" {
			t.Errorf("%+v, %v", seen, err)
		}
		if _, err := optionAccountOn(memory).Read(t.Context(), held); err != nil {
			t.Errorf("the whole answer: %v", err)
		}
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

const lag = 30 * time.Second

// lagging runs a test on a vendor in memory whose index lags and whose names are not unique.
func lagging(t *testing.T, lag time.Duration, run func(t *testing.T, memory *drivertest.LaggingMemory)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { run(t, drivertest.NewLaggingMemory(lag)) })
}

func accountAt(place driver.Driver, owner string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: driver.Kind{Manifest: drivertest.MemoryManifest}, Driver: place, Region: "here", Owner: owner, Opened: time.Now(),
		Reference: compute.Reference{ID: compute.AccountID("root", "memory", "main", ""), TenantID: "root", Kind: "memory"},
	})
}

func TestNoEarlierTryMeansNoWait(t *testing.T) {
	lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
		began := time.Now()
		var ordered time.Duration
		memory.Hook = on("Create", false, func() error {
			ordered = time.Since(began)
			return nil
		})
		mustCreate(t, accountAt(memory, ""), wishFor("web"))
		if ordered > time.Second {
			t.Errorf("the order was sent after %s", ordered)
		}
	})
}

func TestAnEarlierTryIsGivenTheTimeToShow(t *testing.T) {
	lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
		wish := wishFor("web")
		if _, err := memory.Intend(t.Context(), wish.Key); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		var ordered time.Duration
		memory.Hook = on("Create", false, func() error {
			ordered = time.Since(began)
			return nil
		})
		mustCreate(t, accountAt(memory, ""), wish)
		if ordered < lag {
			t.Errorf("the order was sent after %s", ordered)
		}
	})
}

func TestAKilledCreateThatDoesNotShowYetIsCarriedOn(t *testing.T) {
	lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
		wish := wishFor("web")
		killed := driver.Marks{Managed: true, Key: wish.Key, Claim: compute.NewClaim(""), Creating: true}
		if _, err := memory.Create(t.Context(), driver.Spec{Name: "web", OfferID: "small", ImageID: "image-1", Region: "here", Marks: killed}); err != nil {
			t.Fatal(err)
		}
		made := mustCreate(t, accountAt(memory, ""), wish)
		if !made.Adopted || memory.Count("Create") != 1 || made.Machine.Marks.Creating {
			t.Errorf("%+v after %d creates", made, memory.Count("Create"))
		}
	})
}

func TestALostAnswerIsWaitedForAsLongAsTheIndexLags(t *testing.T) {
	for name, after := range map[string]bool{"the machine was made": true, "the machine was not made": false} {
		t.Run(name, func(t *testing.T) {
			lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
				memory.Hook = on("Create", after, drivertest.Lost)
				wish := wishFor("web")
				made, err := accountAt(memory, "").Create(t.Context(), wish)
				if after && (err != nil || made.Machine.ID == "" || made.Machine.Marks.Creating) {
					t.Errorf("%+v, %v", made, err)
				}
				if !after {
					wantCode(t, err, driver.ProviderError)
					mustCreate(t, accountAt(memory, ""), wish)
				}
				if len(memory.Machines()) != 1 {
					t.Errorf("there are %+v", memory.Machines())
				}
			})
		})
	}
}

func TestALostAnswerOfTheIntentIsAskedForAgain(t *testing.T) {
	lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.Hook = on("Intend", true, drivertest.Lost)
		mustCreate(t, accountAt(memory, ""), wishFor("web"))
		if memory.Count("Create") != 1 || len(memory.Machines()) != 1 {
			t.Errorf("%d creates, there are %+v", memory.Count("Create"), memory.Machines())
		}
	})
}

func TestARefusedOrderMakesTheNextCreateWaitForNothing(t *testing.T) {
	for name, test := range map[string]struct {
		earlier bool
		failure driver.Failure
		keeps   bool
	}{
		"refused":                    {failure: driver.Failure{Code: driver.QuotaExceeded, Status: 422}},
		"refused after an older try": {earlier: true, failure: driver.Failure{Code: driver.QuotaExceeded, Status: 422}, keeps: true},
		"an outcome nobody knows":    {failure: driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown}, keeps: true},
	} {
		t.Run(name, func(t *testing.T) {
			lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
				wish := wishFor("web")
				if test.earlier {
					if _, err := memory.Intend(t.Context(), wish.Key); err != nil {
						t.Fatal(err)
					}
				}
				memory.Hook = on("Create", false, func() error { return &drivertest.MemoryError{Failure: test.failure} })
				if _, err := accountAt(memory, "").Create(t.Context(), wish); compute.CodeOf(err) != test.failure.Code {
					t.Fatalf("the create ends with %v", err)
				}
				began, ordered := time.Now(), time.Duration(0)
				memory.Hook = on("Create", false, func() error { ordered = time.Since(began); return nil })
				mustCreate(t, accountAt(memory, ""), wish)
				if waited := ordered >= lag; waited != test.keeps {
					t.Errorf("the next create sent its order after %s", ordered)
				}
			})
		})
	}
}

// order makes a machine with the wish's key as another process does.
func order(t *testing.T, memory *drivertest.LaggingMemory, wish compute.Wish) driver.Machine {
	t.Helper()
	marks := driver.Marks{Managed: true, Key: wish.Key, Claim: compute.NewClaim("other"), Creating: true}
	created, err := memory.Memory.Create(context.Background(), driver.Spec{Name: wish.Name, OfferID: "small", ImageID: "image-1", Region: "here", Marks: marks})
	if err != nil {
		t.Error(err)
	}
	return created.Machine
}

func TestOfTwinsTheLaterOneRemovesWhatItHasMadeItself(t *testing.T) {
	for name, earlier := range map[string]bool{"the other one was first": true, "ours was first": false} {
		t.Run(name, func(t *testing.T) {
			lagging(t, 10*time.Second, func(t *testing.T, memory *drivertest.LaggingMemory) {
				wish := wishFor("web")
				var twin driver.Machine
				calls := 0
				memory.Hook = func(call drivertest.Call) error {
					if call.Method == "Create" && call.After != earlier {
						if calls++; calls == 1 {
							twin = order(t, memory, wish)
						}
					}
					return nil
				}
				made, err := accountAt(memory, "").Create(t.Context(), wish)
				if !earlier {
					if err != nil || len(memory.Machines()) != 2 {
						t.Errorf("%v; there are %+v", err, memory.Machines())
					}
					return
				}
				wantCode(t, err, driver.Conflict)
				left := memory.Machines()
				if made.Machine.ID != "" || len(left) != 1 || left[0].ID != twin.ID || left[0].Marks != twin.Marks {
					t.Errorf("%+v; there are %+v", made, left)
				}
				if !strings.Contains(err.Error(), "(id "+twin.ID+")") || !strings.Contains(err.Error(), "(id 3)") {
					t.Errorf("the error does not name both: %v", err)
				}
				if !slices.Contains(memory.Entries(), wish.Key) {
					t.Error("the key's entry is gone, which the other machine bears")
				}
			})
		})
	}
}

func TestOfTwoClaimsTheSmallerOneHolds(t *testing.T) {
	for name, other := range map[string]string{"the other one is smaller": "0-0000000000000000", "ours is smaller": "zzzzzzzzzz-zzzzzzzzzzzzzzzz"} {
		t.Run(name, func(t *testing.T) {
			lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
				wish := wishFor("web")
				first := mustCreate(t, accountAt(memory, "shop"), wish)
				memory.Hook = on("Mark", true, func() error {
					time.AfterFunc(time.Second, func() {
						if err := memory.PutClaim(first.Machine.ID, other); err != nil {
							t.Error(err)
						}
					})
					return nil
				})
				made, err := accountAt(memory, "shop").Create(t.Context(), wish)
				shown := memory.Machines()[0]
				if other == "0-0000000000000000" {
					wantCode(t, err, driver.Conflict)
					if made.Machine.ID != "" || shown.Marks.Claim != other || len(shown.OtherClaims) != 0 {
						t.Errorf("%+v; the machine shows %s and %v", made, shown.Marks.Claim, shown.OtherClaims)
					}
					return
				}
				if err != nil || shown.Marks.Claim != made.Claim || shown.Marks.Claim == first.Claim {
					t.Errorf("%v; made %s, the machine shows %s", err, made.Claim, shown.Marks.Claim)
				}
			})
		})
	}
}

func TestAMachineMayTakeAMomentToAppear(t *testing.T) {
	lagging(t, lag, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.Appears = 25 * time.Second
		if made := mustCreate(t, accountAt(memory, ""), wishFor("web")); made.Machine.State != driver.StateRunning {
			t.Errorf("%+v", made)
		}
	})
}

func TestAMachineThatNeverAppearsIsNotKept(t *testing.T) {
	lagging(t, time.Hour, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.Appears = time.Hour
		began := time.Now()
		made, err := accountAt(memory, "").Create(t.Context(), wishFor("web"))
		wantCode(t, err, driver.ProviderError)
		if took := time.Since(began); made.Machine.ID != "" || took < 2*time.Minute || took > 3*time.Minute {
			t.Errorf("%+v after %s", made, took)
		}
	})
}

func TestATimeoutKeepsAMachineThatMayStillAppear(t *testing.T) {
	lagging(t, time.Hour, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.Appears = time.Hour
		ctx, done := context.WithTimeout(t.Context(), time.Minute)
		defer done()
		made, err := accountAt(memory, "").Create(ctx, wishFor("web"))
		wantCode(t, err, driver.Timeout)
		if made.Machine.ID == "" || !made.Unfinished {
			t.Errorf("%+v", made)
		}
	})
}

func TestAMachineThatWasSeenAndDisappearsIsNotWaitedFor(t *testing.T) {
	lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.Hook = on("Mark", false, func() error {
			memory.Vanish("1")
			return nil
		})
		began := time.Now()
		made, err := accountAt(memory, "").Create(t.Context(), wishFor("web"))
		wantCode(t, err, driver.ProviderError)
		if took := time.Since(began); made.Machine.ID != "" || took > 20*time.Second {
			t.Errorf("%+v after %s", made, took)
		}
	})
}

func TestTheEntryGoesWithItsMachine(t *testing.T) {
	lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
		account, wish := accountAt(memory, ""), wishFor("web")
		held := heldOf(mustCreate(t, account, wish), wish)
		if len(memory.Entries()) != 1 {
			t.Fatalf("entries %v", memory.Entries())
		}
		if _, err := account.Delete(t.Context(), held, 0); err != nil || len(memory.Entries()) != 0 {
			t.Errorf("%v; entries %v", err, memory.Entries())
		}
	})
}

func TestAChosenKeyVouchesForNoUserDataThatCannotBeChanged(t *testing.T) {
	lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
		wish := wishFor("web")
		wish.KeyCoversContent = false
		order(t, memory, wish)
		made := mustCreate(t, accountAt(memory, ""), wish)
		if memory.Count("Reinstall") != 0 || len(made.Notices) != 2 || !strings.Contains(made.Notices[1].Detail, "user_data") {
			t.Errorf("%d reinstalls, notices %+v", memory.Count("Reinstall"), made.Notices)
		}
	})
}

func TestAnOfferThatIsNotSoldHereNamesTheRegionsThatHaveIt(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		findings := accountOn(memory).Preflight(t.Context(), compute.Preflight{OfferID: "huge", CheckOffer: true})
		if len(findings) != 1 || findings[0].Field != "offer_id" || !strings.Contains(findings[0].Err.Advice, "sold in: there") {
			t.Errorf("%+v", findings)
		}
	})
}

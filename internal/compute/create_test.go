// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestALostAnswerIsLookedForAndNeverSentAgain(t *testing.T) {
	for name, after := range map[string]bool{"the machine was made": true, "the machine was not made": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				memory.Hook = on("Create", after, drivertest.Lost)
				wish := wishFor("web")
				made, err := accountOn(memory).Create(t.Context(), wish)
				if after && (err != nil || made.Machine.ID == "" || made.Machine.Marks.Creating) {
					t.Errorf("%+v, %v", made, err)
				}
				if !after {
					wantCode(t, err, driver.ProviderError)
					if !strings.Contains(err.Error(), wish.Key) || made.Machine.ID != "" {
						t.Errorf("%+v, %v", made, err)
					}
				}
				if memory.Count("Create") != 1 {
					t.Errorf("%d creates were sent", memory.Count("Create"))
				}
			})
		})
	}
}

func TestTheNextApplyMakesWhatALostAnswerDidNotMake(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.Hook = on("Create", false, drivertest.Lost)
		if _, err := accountOn(memory).Create(t.Context(), wishFor("web")); err == nil {
			t.Fatal("the first create succeeds")
		}
		mustCreate(t, accountOn(memory), wishFor("web"))
		if len(memory.Machines()) != 1 {
			t.Errorf("there are %+v", memory.Machines())
		}
	})
}

func TestABusyAnswerIsWaitedOut(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.Hook = on("Create", false, refused(driver.Failure{Code: driver.Conflict, Reason: driver.ReasonBusy, Message: "locked"}))
		mustCreate(t, accountOn(memory), wishFor("web"))
		if memory.Count("Create") != 2 {
			t.Errorf("%d creates were sent", memory.Count("Create"))
		}
	})
}

func TestARefusalIsSentOnce(t *testing.T) {
	for _, failure := range []driver.Failure{
		{Code: driver.CapacityUnavailable, Message: "no room"},
		{Code: driver.QuotaExceeded, Message: "limit"},
		{Code: driver.AccessDenied, Message: "read only"},
		{Code: driver.InvalidInput, Message: "bad"},
		{Code: driver.Conflict, Reason: driver.ReasonProtected, Message: "protected"},
	} {
		t.Run(string(failure.Code), func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				memory.Hook = on("Create", false, refused(failure))
				made, err := accountOn(memory).Create(t.Context(), wishFor("web"))
				wantCode(t, err, failure.Code)
				if made.Machine.ID != "" || memory.Count("Create") != 1 {
					t.Errorf("%+v after %d creates", made, memory.Count("Create"))
				}
				if !strings.Contains(err.Error(), failure.Message) {
					t.Errorf("the vendor's words are missing: %v", err)
				}
			})
		})
	}
}

func TestNoRoomNamesOtherRegions(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.Hook = on("Create", false, refused(driver.Failure{Code: driver.CapacityUnavailable, Message: "no room"}))
		_, err := accountOn(memory).Create(t.Context(), wishFor("web"))
		if known, ok := errors.AsType[*compute.Error](err); !ok || known.Field != "offer_id" || !strings.Contains(known.Advice, "there") {
			t.Errorf("%v", err)
		}
	})
}

func TestTwoMachinesWithOneKeyAreBothNamed(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account := accountOn(memory)
		wish := wishFor("web")
		first := mustCreate(t, account, wish)
		twin := mustCreate(t, account, wishFor("twin"))
		if _, err := memory.Mark(t.Context(), twin.Machine, first.Machine.Marks, nil); err != nil {
			t.Fatal(err)
		}
		_, err := accountOn(memory).Create(t.Context(), wish)
		wantCode(t, err, driver.Conflict)
		for _, id := range []string{first.Machine.ID, twin.Machine.ID} {
			if !strings.Contains(err.Error(), "(id "+id+")") {
				t.Errorf("machine %s is not named: %v", id, err)
			}
		}
	})
}

func TestAnInterruptEndsTheWaitAtOnceAndLetsGoOfCreating(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.OperationTime = 10 * time.Minute
		ctx, cancel := cancelled(30 * time.Second)
		defer cancel()
		began := time.Now()
		made, err := accountOn(memory).Create(ctx, wishFor("web"))
		if !errors.Is(err, compute.ErrInterrupted) || !made.Unfinished || made.Claim == "" {
			t.Fatalf("%+v, %v", made, err)
		}
		if took := time.Since(began) - 30*time.Second; took > time.Second {
			t.Errorf("it took %s to end", took)
		}
		if marks := memory.Machines()[0].Marks; marks.Creating || marks.Claim != made.Claim {
			t.Errorf("the marks are %+v", marks)
		}
	})
}

func TestAnInterruptBeforeTheRequestMakesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		made, err := accountOn(memory).Create(ctx, wishFor("web"))
		if !errors.Is(err, compute.ErrInterrupted) || made.Machine.ID != "" || len(memory.Machines()) != 0 {
			t.Errorf("%+v, %v", made, err)
		}
	})
}

func TestAnInterruptDoesNotCutTheRequest(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		ctx, cancel := context.WithCancel(t.Context())
		memory.Hook = on("Create", false, func() error {
			cancel()
			return nil
		})
		made, err := accountOn(memory).Create(ctx, wishFor("web"))
		if !errors.Is(err, compute.ErrInterrupted) || made.Machine.ID == "" || len(memory.Machines()) != 1 {
			t.Errorf("%+v, %v", made, err)
		}
	})
}

func TestATimeoutKeepsTheMachineAndSaysHowToGoOn(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.OperationTime = time.Hour
		ctx, done := context.WithTimeout(t.Context(), time.Minute)
		defer done()
		made, err := accountOn(memory).Create(ctx, wishFor("web"))
		wantCode(t, err, driver.Timeout)
		if made.Machine.ID == "" || !made.Unfinished || !strings.Contains(err.Error(), "timeouts") {
			t.Errorf("%+v, %v", made, err)
		}
	})
}

func TestAFailedOperationKeepsTheMachineAndSaysWhy(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		time.AfterFunc(time.Second, func() {
			memory.Fail("create", driver.Failure{Code: driver.ProviderError, VendorCode: "unknown_error", Message: "server is locked"})
		})
		made, err := accountOn(memory).Create(t.Context(), wishFor("web"))
		wantCode(t, err, driver.ProviderError)
		if made.Machine.ID == "" || !strings.Contains(err.Error(), "server is locked") || !strings.Contains(err.Error(), "unknown_error") {
			t.Errorf("%+v, %v", made, err)
		}
	})
}

func TestAMachineThatTheVendorThrowsAwayIsNotKept(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		time.AfterFunc(time.Second, func() {
			memory.Fail("create", driver.Failure{Code: driver.CapacityUnavailable, Message: "no room"})
			memory.Vanish("1")
		})
		made, err := accountOn(memory).Create(t.Context(), wishFor("web"))
		wantCode(t, err, driver.CapacityUnavailable)
		if made.Machine.ID != "" {
			t.Errorf("%+v is kept", made)
		}
	})
}

func TestATakeOverGivesUpWhenItsClaimDoesNotStay(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		first := mustCreate(t, accountOn(memory), wish)
		marks := first.Machine.Marks
		marks.Creating = true
		seen, err := memory.Mark(t.Context(), first.Machine, marks, nil)
		if err != nil {
			t.Fatal(err)
		}
		memory.Hook = on("Mark", true, func() error {
			time.AfterFunc(time.Second, func() {
				marks.Claim = compute.NewClaim("")
				_, _ = memory.Mark(context.Background(), seen, marks, nil)
			})
			return nil
		})
		made, err := accountOn(memory).Create(t.Context(), wish)
		wantCode(t, err, driver.Conflict)
		if made.Machine.ID != "" || memory.Machines()[0].Marks != marks {
			t.Errorf("%+v; the machine shows %+v", made, memory.Machines()[0].Marks)
		}
		synctest.Wait()
	})
}

func TestAUserChosenKeyDoesNotVouchForTheDisk(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		wish.KeyCoversContent = false
		first := mustCreate(t, accountOn(memory), wish)
		marks := first.Machine.Marks
		marks.Creating = true
		if _, err := memory.Mark(t.Context(), first.Machine, marks, nil); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, accountOn(memory), wish)
		if memory.Count("Reinstall") != 1 {
			t.Errorf("the disk was written %d times", memory.Count("Reinstall"))
		}
	})
}

// A create that fails while another one has taken its machine over leaves it to that one.
func TestALoserOfARaceSavesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		taken := false
		memory.Hook = func(call drivertest.Call) error {
			if call.Method != "Mark" || call.After || taken {
				return nil
			}
			taken = true
			machine := memory.Machines()[0]
			marks := machine.Marks
			marks.Claim = compute.NewClaim("")
			if _, err := memory.Mark(t.Context(), machine, marks, nil); err != nil {
				t.Error(err)
			}
			return &drivertest.MemoryError{Failure: driver.Failure{Code: driver.Conflict, Message: "it was changed meanwhile"}}
		}
		made, err := accountOn(memory).Create(t.Context(), wishFor("web"))
		wantCode(t, err, driver.Conflict)
		if made.Machine.ID != "" || !taken {
			t.Errorf("machine %q is kept", made.Machine.ID)
		}
	})
}

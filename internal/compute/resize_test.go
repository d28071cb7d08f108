// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

// larger is the change of a machine to the larger offer.
var larger = compute.Change{OfferID: "large", AllowStopping: true, ShutdownTimeout: time.Minute}

// becameLarge fails the test unless the only machine has the larger offer, the power state and no mark of an update.
func becameLarge(t *testing.T, memory *drivertest.Memory, state driver.State) {
	t.Helper()
	machine := memory.Machines()[0]
	if machine.OfferID != "large" || machine.DiskGiB != 40 || machine.State != state || machine.Marks.Stopped || !machine.Marks.Managed {
		t.Errorf("the machine is %+v", machine)
	}
}

func TestAResizeGivesTheEarlierPowerStateBack(t *testing.T) {
	for power, state := range map[string]driver.State{"on": driver.StateRunning, "off": driver.StateStopped} {
		bubble(t, func(t *testing.T, memory *drivertest.Memory) {
			account, wish := accountOn(memory), wishFor("web")
			wish.Power = power
			held := heldOf(mustCreate(t, account, wish), wish)
			made, err := account.Update(t.Context(), held, larger)
			if err != nil || made.Offer.ID != "large" || made.Machine.OfferID != "large" {
				t.Errorf("%+v, %v", made, err)
			}
			becameLarge(t, memory, state)
		})
	}
}

func TestAResizeWithAnotherPowerState(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account, wish := accountOn(memory), wishFor("web")
		held := heldOf(mustCreate(t, account, wish), wish)
		change := larger
		change.Power, change.AllowStopping = "off", false // a machine that is to be off may be stopped
		if _, err := account.Update(t.Context(), held, change); err != nil {
			t.Error(err)
		}
		becameLarge(t, memory, driver.StateStopped)
	})
}

func TestAResizeThatIsRefusedBeforeTheMachineIsStopped(t *testing.T) {
	for name, one := range map[string]struct {
		change compute.Change
		code   driver.Code
		says   string
	}{
		"it may not be stopped": {compute.Change{OfferID: "large"}, driver.InvalidState, "allow_stopping_for_update = true"},
		"no such offer":         {compute.Change{OfferID: "larg", AllowStopping: true}, driver.InvalidInput, "large (4 vCPU"},
		"sold elsewhere":        {compute.Change{OfferID: "huge", AllowStopping: true}, driver.InvalidInput, "sold in: there"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				account, wish := accountOn(memory), wishFor("web")
				held := heldOf(mustCreate(t, account, wish), wish)
				marks := memory.Count("Mark")
				_, err := account.Update(t.Context(), held, one.change)
				wantCode(t, err, one.code)
				if !strings.Contains(err.Error(), one.says) {
					t.Errorf("the error is %v", err)
				}
				if memory.Count("Power")+memory.Count("Resize")+memory.Count("Mark") != marks || memory.Machines()[0].State != driver.StateRunning {
					t.Errorf("calls are %v", memory.Calls())
				}
			})
		})
	}
}

func TestASmallerDiskIsRefusedWithWhatTheMachineCanHave(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account, wish := accountOn(memory), wishFor("web")
		wish.OfferID, wish.Region = "large", "there"
		held := heldOf(mustCreate(t, account, wish), wish)
		_, err := account.Update(t.Context(), held, compute.Change{OfferID: "small", AllowStopping: true})
		wantCode(t, err, driver.InvalidInput)
		if !strings.Contains(err.Error(), "It can have: huge (16 vCPU, 32 GiB, 0.16 EUR an hour).") || memory.Count("Power") > 0 {
			t.Errorf("%v after %v", err, memory.Calls())
		}
	})
}

// A vendor that has no room for the new offer leaves the machine with its old one, and running.
func TestAMachineRunsAgainWhenItsResizeIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account, wish := accountOn(memory), wishFor("web")
		held := heldOf(mustCreate(t, account, wish), wish)
		memory.SellOut("large", "here")
		_, err := account.Update(t.Context(), held, larger)
		wantCode(t, err, driver.CapacityUnavailable)
		if machine := memory.Machines()[0]; machine.State != driver.StateRunning || machine.OfferID != "small" || machine.Marks.Stopped {
			t.Errorf("the machine is %+v", machine)
		}
	})
}

func TestALostAnswerOfAResizeIsLookedAfter(t *testing.T) {
	for name, one := range map[string]struct {
		done, fails bool
		sent        int
	}{"carried out": {true, false, 1}, "not carried out": {false, true, 1}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				account, wish := accountOn(memory), wishFor("web")
				held := heldOf(mustCreate(t, account, wish), wish)
				memory.Hook = on("Resize", one.done, drivertest.Lost)
				_, err := account.Update(t.Context(), held, larger)
				if (err != nil) != one.fails || err != nil && !strings.Contains(err.Error(), "may have happened") {
					t.Errorf("the update ends in %v", err)
				}
				if memory.Count("Resize") != one.sent || memory.Machines()[0].State != driver.StateRunning {
					t.Errorf("%d requests, the machine is %+v", memory.Count("Resize"), memory.Machines()[0])
				}
			})
		})
	}
}

// interruptedAt runs the resize in a process that dies before or after the effect of its call number n, and answers whether
// it had so many.
func interruptedAt(t *testing.T, memory *drivertest.Memory, held compute.Held, n int, after bool) bool {
	t.Helper()
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	calls := 0
	memory.Hook = func(call drivertest.Call) error {
		if !call.After {
			calls++
		}
		if calls > n || calls == n && (after == call.After || !after) {
			kill()
			return &drivertest.MemoryError{Failure: driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown, Message: "the process was killed"}}
		}
		return nil
	}
	_, err := accountOn(memory).Update(ctx, held, larger)
	<-time.After(time.Minute)
	synctest.Wait()
	memory.Hook = nil
	return err != nil
}

// Whatever call of a resize is the last one of its process, the next update finishes it: the machine has the offer and runs.
func TestAResizeThatIsInterruptedAnywhereIsFinishedByTheNext(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n, more := 1, true; more; n++ {
			t.Run(fmt.Sprintf("call %d, carried out %t", n, after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					memory := drivertest.NewMemory()
					wish := wishFor("web")
					held := heldOf(mustCreate(t, accountOn(memory), wish), wish)
					if more = interruptedAt(t, memory, held, n, after); more {
						if _, err := accountOn(memory).Update(t.Context(), held, larger); err != nil {
							t.Errorf("the next update: %v", err)
						}
					}
					becameLarge(t, memory, driver.StateRunning)
					if sent := memory.Count("Resize"); sent > 2 {
						t.Errorf("%d requests to resize", sent)
					}
				})
			})
		}
	}
}

// An update that finds the mark of an earlier one switches the machine on again, whatever it is for.
func TestAMachineThatAnUpdateHasStoppedRunsAgainAfterTheNext(t *testing.T) {
	for power, state := range map[string]driver.State{"": driver.StateRunning, "off": driver.StateStopped} {
		bubble(t, func(t *testing.T, memory *drivertest.Memory) {
			account, wish := accountOn(memory), wishFor("web")
			held := heldOf(mustCreate(t, account, wish), wish)
			ctx, cancel := context.WithCancel(t.Context())
			memory.Hook = func(call drivertest.Call) error {
				if call.Method == "Resize" {
					cancel()
				}
				return nil
			}
			if _, err := account.Update(ctx, held, larger); err == nil || !strings.Contains(err.Error(), "switches it on again") {
				t.Errorf("the interrupted update: %v", err)
			}
			<-time.After(time.Minute)
			synctest.Wait()
			memory.Hook = nil
			if seen, err := accountOn(memory).Read(t.Context(), held); err != nil || !seen.Machine.Marks.Stopped {
				t.Errorf("read: %+v, %v", seen, err)
			}
			if _, err := accountOn(memory).Update(t.Context(), held, compute.Change{Name: "api", Power: power}); err != nil {
				t.Error(err)
			}
			becameLarge(t, memory, state)
		})
	}
}

func TestPreflightOfAResize(t *testing.T) {
	for name, one := range map[string]struct {
		offer, price string
		code         driver.Code
		says         string
	}{
		"fits":          {"large", "1", "", ""},
		"the same":      {"small", "0.001", "", ""},
		"no such offer": {"larg", "", driver.InvalidInput, "The nearest: large"},
		"too dear":      {"large", "0.02", driver.InvalidInput, "max_price_per_hour"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				account, wish := accountOn(memory), wishFor("web")
				held := heldOf(mustCreate(t, account, wish), wish)
				findings := account.PreflightResize(t.Context(), compute.ResizeCheck{Held: held, OfferID: one.offer, MaxPricePerHour: one.price})
				if one.code == "" {
					if len(findings) > 0 {
						t.Errorf("findings are %+v", findings)
					}
					return
				}
				if len(findings) != 1 || findings[0].Field != "offer_id" || findings[0].Warning {
					t.Fatalf("findings are %+v", findings)
				}
				wantCode(t, findings[0].Err, one.code)
				if !strings.Contains(findings[0].Err.Error(), one.says) {
					t.Errorf("it says %v", findings[0].Err)
				}
			})
		})
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestALostAnswerOfAChangeIsNeverRepeatedBlindly(t *testing.T) {
	for name, one := range map[string]struct {
		change compute.Change
		method string
		done   bool
		sent   int
		fails  bool
	}{
		"off, carried out":           {compute.Change{Power: "off"}, "Power", true, 1, false},
		"off, not carried out":       {compute.Change{Power: "off"}, "Power", false, 2, false},
		"labels, carried out":        {compute.Change{ChangeLabels: true, Labels: map[string]string{"a": "b"}}, "Mark", true, 2, false},
		"labels, not carried out":    {compute.Change{ChangeLabels: true, Labels: map[string]string{"a": "b"}}, "Mark", false, 2, false},
		"name, carried out":          {compute.Change{Name: "api"}, "Rename", true, 2, false},
		"name, not carried out":      {compute.Change{Name: "api"}, "Rename", false, 2, false},
		"reinstall, carried out":     {compute.Change{Reinstall: &compute.Wish{Image: "ubuntu"}}, "Reinstall", true, 1, true},
		"reinstall, not carried out": {compute.Change{Reinstall: &compute.Wish{Image: "ubuntu"}}, "Reinstall", false, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				wish := wishFor("web")
				account := accountOn(memory)
				held := heldOf(mustCreate(t, account, wish), wish)
				before := memory.Count(one.method)
				memory.Hook = on(one.method, one.done, drivertest.Lost)
				_, err := account.Update(t.Context(), held, one.change)
				if (err != nil) != one.fails || err != nil && !strings.Contains(err.Error(), "may have happened") {
					t.Errorf("the update ends in %v", err)
				}
				if sent := memory.Count(one.method) - before; sent != one.sent {
					t.Errorf("%s was sent %d times, want %d", one.method, sent, one.sent)
				}
			})
		})
	}
}

func TestResetIsNotRepeatedWhenItsAnswerIsLost(t *testing.T) {
	for _, action := range []driver.PowerAction{driver.Reset, driver.GracefulRestart, driver.Cycle} {
		bubble(t, func(t *testing.T, memory *drivertest.Memory) {
			wish := wishFor("web")
			account := accountOn(memory)
			held := heldOf(mustCreate(t, account, wish), wish)
			memory.Hook = on("Power", false, drivertest.Lost)
			_, err := account.Power(t.Context(), held, action)
			if err == nil || memory.Count("Power") != 1 {
				t.Errorf("%s: %v after %d requests", action, err, memory.Count("Power"))
			}
		})
	}
}

func TestChangesOfOneMachineQueueUp(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		account := accountOn(memory)
		held := heldOf(mustCreate(t, account, wish), wish)
		results := make(chan error, 4)
		for _, action := range []driver.PowerAction{driver.Reset, driver.GracefulRestart, driver.PowerOff, driver.PowerOn} {
			go func() {
				_, err := account.Power(t.Context(), held, action)
				results <- err
			}()
		}
		for range 4 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if memory.Count("Power") != 4 {
			t.Errorf("%d requests for 4 changes: some met a busy machine", memory.Count("Power"))
		}
	})
}

func TestAnotherProcessesChangeIsWaitedOut(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		account := accountOn(memory)
		held := heldOf(mustCreate(t, account, wish), wish)
		if _, err := memory.Power(t.Context(), held.MachineID, driver.Reset); err != nil {
			t.Fatal(err)
		}
		if _, err := account.Delete(t.Context(), held, 0); err != nil {
			t.Error(err)
		}
		if len(memory.Machines()) != 0 {
			t.Errorf("there is %+v", memory.Machines())
		}
	})
}

func TestPowerIsCutWhenTheGuestDoesNotStop(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		account := accountOn(memory)
		held := heldOf(mustCreate(t, account, wish), wish)
		memory.OperationTime = time.Hour
		_, err := account.Update(t.Context(), held, compute.Change{Power: "off", ShutdownTimeout: 30 * time.Second})
		if err != nil {
			t.Error(err)
		}
		if memory.Machines()[0].State != driver.StateStopped {
			t.Errorf("the machine is %s", memory.Machines()[0].State)
		}
	})
}

func TestAProtectedMachineIsRefusedAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := wishFor("web")
		account := accountOn(memory)
		held := heldOf(mustCreate(t, account, wish), wish)
		memory.Hook = on("Delete", false, refused(driver.Failure{Code: driver.Conflict, Reason: driver.ReasonProtected, Message: "protected"}))
		_, err := account.Delete(t.Context(), held, 0)
		wantCode(t, err, driver.Conflict)
		if memory.Count("Delete") != 1 || !strings.Contains(err.Error(), "lift it there") {
			t.Errorf("%d requests: %v", memory.Count("Delete"), err)
		}
	})
}

func TestARenameToATakenNameChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account, wish := accountOn(memory), wishFor("web")
		held := heldOf(mustCreate(t, account, wish), wish)
		memory.Hook = on("Rename", false, refused(driver.Failure{Code: driver.Conflict, Reason: driver.ReasonNameTaken, Field: "name", Message: "taken"}))
		_, err := account.Update(t.Context(), held, compute.Change{Name: "db"})
		wantCode(t, err, driver.Conflict)
		if memory.Machines()[0].Name != "web" {
			t.Errorf("the machine is %+v", memory.Machines()[0])
		}
	})
}

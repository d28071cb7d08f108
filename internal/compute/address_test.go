// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func addressWish(name string) compute.AddressWish {
	identity := compute.AddressIdentity{Tenant: "root", AccountID: "pacct_a", Name: name, Family: "ipv4"}
	return compute.AddressWish{Key: identity.ID(), Name: name, Tenant: "root", Family: "ipv4"}
}

func heldAddress(made compute.AddressMade, wish compute.AddressWish) compute.AddressHeld {
	return compute.AddressHeld{
		AddressID: made.Address.ID, Address: made.Address.Address, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof,
		Fingerprint: made.Address.Fingerprint, Placed: made.Placed,
	}
}

func mustReserve(t *testing.T, account *compute.Account, wish compute.AddressWish) compute.AddressHeld {
	t.Helper()
	made, err := account.CreateAddress(t.Context(), wish)
	if err != nil {
		t.Fatal(err)
	}
	return heldAddress(made, wish)
}

func TestALostReserveIsFoundByItsMarks(t *testing.T) {
	for name, after := range map[string]bool{"it was carried out": true, "it was not": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				memory.Hook = on("Reserve", after, drivertest.Lost)
				made, err := accountOn(memory).CreateAddress(t.Context(), addressWish("web"))
				if memory.Count("Reserve") != 1 {
					t.Errorf("%d reserves, want 1", memory.Count("Reserve"))
				}
				if !after {
					wantCode(t, err, driver.ProviderError)
					return
				}
				if err != nil || made.Unfinished || made.Address.ID == "" {
					t.Errorf("%+v, %v", made, err)
				}
			})
		})
	}
}

func TestALostReserveWithoutMarksNamesItsCandidates(t *testing.T) {
	lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.PlantAddress(driver.ReservedAddress{ID: "900", Address: "192.0.2.1", Family: "ipv4", Region: "here"})
		memory.Hook = on("Reserve", true, drivertest.Lost)
		_, err := accountAt(memory, "").CreateAddress(t.Context(), addressWish("web"))
		wantCode(t, err, driver.ProviderError)
		if text := err.Error(); strings.Contains(text, "192.0.2.1") || !strings.Contains(text, "198.51.100.") {
			t.Errorf("the first error names what was there before, or not what has appeared: %v", err)
		}
		_, err = accountAt(memory, "").CreateAddress(t.Context(), addressWish("web"))
		wantCode(t, err, driver.Conflict)
		if text := err.Error(); !strings.Contains(text, "192.0.2.1") || !strings.Contains(text, "198.51.100.") {
			t.Errorf("the second error does not name all that has no record: %v", err)
		}
		if memory.Count("Reserve") != 1 {
			t.Errorf("%d reserves, want 1", memory.Count("Reserve"))
		}
		for _, address := range memory.Reserved() {
			memory.VanishAddress(address.ID)
		}
		mustReserve(t, accountAt(memory, ""), addressWish("web"))
	})
}

func TestARefusedReserveLeavesNoIntent(t *testing.T) {
	lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
		memory.Hook = on("Reserve", false, refused(driver.Failure{Code: driver.QuotaExceeded, Message: "no more"}))
		_, err := accountAt(memory, "").CreateAddress(t.Context(), addressWish("web"))
		wantCode(t, err, driver.QuotaExceeded)
		if rows := memory.Rows(); len(rows) > 0 {
			t.Errorf("rows are left: %+v", rows)
		}
	})
}

func TestOfTwoReservesOfOneKeyTheOneThatSeesTheOtherGivesWay(t *testing.T) {
	lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
		wish := addressWish("web")
		memory.Hook = on("RecordRow", true, func() error {
			// Another process has reserved and recorded one under the same key.
			memory.PlantAddress(driver.ReservedAddress{ID: "900", Address: "192.0.2.1", Family: "ipv4", Region: "here"})
			return memory.RecordRow(context.Background(), wish.Key, driver.Record{Object: "900"})
		})
		_, err := accountAt(memory, "").CreateAddress(t.Context(), wish)
		wantCode(t, err, driver.Conflict)
		if left := memory.Reserved(); len(left) != 1 || left[0].ID != "900" {
			t.Errorf("left: %+v", left)
		}
		if rows := memory.Rows(); len(rows) != 1 || len(rows[0].Records) != 1 || rows[0].Records[0].Object != "900" {
			t.Errorf("rows: %+v", rows)
		}
	})
}

func TestAnAddressWhoseOperationIsNeverShownIsJudgedByItsHolder(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account := accountOn(memory)
		machine := mustCreate(t, account, wishFor("web"))
		held := mustReserve(t, account, addressWish("web"))
		memory.Hook = func(call drivertest.Call) error {
			if call.Method == "Poll" && !call.After {
				return refused(driver.Failure{Code: driver.ProviderError, Message: "no such action"})()
			}
			return nil
		}
		made, err := account.UpdateAddress(t.Context(), held, compute.AddressChange{Move: true, MachineID: machine.Machine.ID})
		if err != nil || made.Address.Holder != machine.Machine.ID || made.Placed != machine.Machine.ID {
			t.Errorf("%+v, %v", made, err)
		}
		if memory.Count("Assign") != 1 {
			t.Errorf("%d assigns, want 1", memory.Count("Assign"))
		}
	})
}

func TestALostAssignIsLookedAtBeforeItIsSentAgain(t *testing.T) {
	for name, after := range map[string]bool{"it was carried out": true, "it was not": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				account := accountOn(memory)
				machine := mustCreate(t, account, wishFor("web"))
				held := mustReserve(t, account, addressWish("web"))
				memory.OperationTime = 0
				memory.Hook = on("Assign", after, drivertest.Lost)
				made, err := account.UpdateAddress(t.Context(), held, compute.AddressChange{Move: true, MachineID: machine.Machine.ID})
				want := 2
				if after {
					want = 1
				}
				if err != nil || made.Placed != machine.Machine.ID || memory.Count("Assign") != want {
					t.Errorf("%d assigns, want %d: %+v, %v", memory.Count("Assign"), want, made, err)
				}
			})
		})
	}
}

func TestAnInterruptKeepsAnAddressUnfinished(t *testing.T) {
	for name, laggingRows := range map[string]bool{"marks": false, "rows": true} {
		t.Run(name, func(t *testing.T) {
			lagging(t, 0, func(t *testing.T, memory *drivertest.LaggingMemory) {
				var vendor driver.Driver = memory
				if !laggingRows {
					vendor = drivertest.NewMemory()
				}
				account := compute.NewAccount(compute.Settings{
					Kind: driver.Kind{Manifest: drivertest.MemoryManifest}, Driver: vendor, Region: "here", Opened: time.Now(),
					Reference: compute.Reference{ID: "pacct_a", TenantID: "root", Kind: "memory"},
				})
				machine := mustCreate(t, account, wishFor("web"))
				wish := addressWish("web")
				wish.MachineID = machine.Machine.ID
				ctx, done := cancelled(2 * time.Second)
				defer done()
				made, err := account.CreateAddress(ctx, wish)
				if err == nil || made.Address.ID == "" || !made.Unfinished {
					t.Fatalf("%+v, %v", made, err)
				}
				held := heldAddress(made, wish)
				finished, err := account.FinishAddress(t.Context(), held, wish)
				if err != nil || finished.Unfinished || finished.Placed != machine.Machine.ID {
					t.Errorf("finished: %+v, %v", finished, err)
				}
			})
		})
	}
}

func TestAMoveThatWasCutShortIsOurs(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account := accountOn(memory)
		first, second := mustCreate(t, account, wishFor("a")), mustCreate(t, account, wishFor("b"))
		wish := addressWish("web")
		wish.MachineID = first.Machine.ID
		held := mustReserve(t, account, wish)
		ctx, done := cancelled(2 * time.Second)
		defer done()
		made, err := account.UpdateAddress(ctx, held, compute.AddressChange{Move: true, MachineID: second.Machine.ID})
		if err == nil {
			t.Fatal("the move was not cut short")
		}
		held.Placed = made.Placed
		if _, err := account.DeleteAddress(t.Context(), held); err != nil || len(memory.Reserved()) != 0 {
			t.Errorf("it cannot be taken off the machine that it was on its way to: %v", err)
		}
	})
}

func TestReadsOfManyAddressesShareAList(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account := accountOn(memory)
		var all []compute.AddressHeld
		for _, name := range []string{"a", "b", "c"} {
			all = append(all, mustReserve(t, account, addressWish(name)))
		}
		fresh, before := accountOn(memory), memory.Count("ListAddresses")
		for _, held := range all {
			if _, err := fresh.ReadAddress(t.Context(), held); err != nil {
				t.Error(err)
			}
		}
		if lists := memory.Count("ListAddresses") - before; lists != 1 || memory.Count("GetAddress") != 0 {
			t.Errorf("%d lists and %d gets for three reads", lists, memory.Count("GetAddress"))
		}
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"fmt"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

// TestFewAmongManyAreAskedForOneByOne: of 20 machines on 10 pages some are deleted. What the vendor is asked for depends on
// how many are deleted at the same time, and not on how many there are.
func TestFewAmongManyAreAskedForOneByOne(t *testing.T) {
	tests := map[string]struct {
		atOnce, times         int
		mostLists, leastLists int
		mostGets              int
	}{
		"one after the other": {1, 6, 1, 1, 6 * 3},
		"a few at once":       {4, 2, 2, 1, 4 * 2 * 3},
		"more than pages":     {15, 1, 4, 2, 5},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				var held []compute.Held
				for i := range 20 {
					wish := wishFor(fmt.Sprint("web-", i))
					held = append(held, heldOf(mustCreate(t, accountOn(memory), wish), wish))
				}
				memory.ListPage = 2
				lists, gets := memory.Count("List"), memory.Count("Get")
				account := accountOn(memory)
				for time := range test.times {
					deleteAll(t, account, held[time*test.atOnce:(time+1)*test.atOnce])
				}
				if left := len(memory.Machines()); left != len(held)-test.times*test.atOnce {
					t.Errorf("%d machines are left", left)
				}
				lists, gets = memory.Count("List")-lists, memory.Count("Get")-gets
				if lists > test.mostLists || lists < test.leastLists || gets > test.mostGets {
					t.Errorf("%d lists, want %d to %d, and %d machines by themselves, want at most %d", lists, test.leastLists, test.mostLists, gets, test.mostGets)
				}
			})
		})
	}
}

// deleteAll deletes machines at the same time.
func deleteAll(t *testing.T, account *compute.Account, all []compute.Held) {
	t.Helper()
	results := make(chan error, len(all))
	for _, one := range all {
		go func() {
			_, err := account.Delete(t.Context(), one, 0)
			results <- err
		}()
	}
	for range all {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

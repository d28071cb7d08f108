// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"testing"
	"testing/synctest"
)

func TestRequestsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns()
		var back []func()
		for range mostTurns {
			back = append(back, turns.take(t.Context()))
		}
		got := false
		go func() {
			defer turns.take(t.Context())()
			got = true
		}()
		synctest.Wait()
		if got {
			t.Error("there were more turns than are given")
		}
		back[0]()
		synctest.Wait()
		if !got {
			t.Error("a turn that was given back is not given anew")
		}
	})
}

func TestWhoWaitsNoMoreIsNotKept(t *testing.T) {
	turns := newTurns()
	for range mostTurns {
		turns.take(t.Context())
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	turns.take(stopped)()
	if len(turns) != mostTurns {
		t.Errorf("%d turns are taken after somebody went without one, want %d", len(turns), mostTurns)
	}
}

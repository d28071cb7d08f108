// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider

import "context"

// mostTurns is how many reads, plans and validations are worked on at the same time. They take the processor more than they
// wait: a CLI that asks for hundreds at once gets them no later when they take turns, and each one under way needs memory.
const mostTurns = 32

// turns are given to requests one for one; nil lets everybody work at once.
type turns chan struct{}

func newTurns() turns { return make(turns, mostTurns) }

// take waits for a turn, and answers how to give it back. Who does not want to wait any more goes on without one, and comes
// to its end by that.
func (t turns) take(ctx context.Context) (giveBack func()) {
	if t == nil {
		return func() {}
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }
	case <-ctx.Done():
		return func() {}
	}
}

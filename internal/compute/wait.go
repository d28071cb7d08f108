// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// writeDeadline is how long a write in flight, and the read that recovers its answer, go on when their operation has ended:
// a request cut in the middle leaves an object that nobody knows of.
const writeDeadline = 60 * time.Second

// longestInterval is the longest pause between two looks at something that is under way. For the first watchedFor, which is
// what nearly everything takes, looks that all who wait share are closer, so that its end is noticed soon.
const (
	longestInterval = 5 * time.Second
	watchInterval   = 2 * time.Second
	watchedFor      = time.Minute
)

// detached is a context for a write: it ends a while after its operation. As long as the operation lives the write may wait
// for its turn, in a vendor's rate limit for instance, and still have its time on the wire then. Pauses before it is sent
// end with the command.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return outlive(ctx, driver.Detach(ctx))
}

// outlive makes a context end a while after another one, or when its own time is over.
func outlive(ctx, longer context.Context) (context.Context, context.CancelFunc) {
	writing, cancel := context.WithCancel(longer)
	stop := context.AfterFunc(ctx, func() {
		if _, limited := longer.Deadline(); limited && !errors.Is(ctx.Err(), context.Canceled) {
			return
		}
		timer := time.AfterFunc(writeDeadline, cancel)
		context.AfterFunc(writing, func() { timer.Stop() })
	})
	return writing, func() {
		stop()
		cancel()
	}
}

// surviving is a context for a write that records what is there already, such as whose a reserved address is: it goes on
// when the command is interrupted, and has a moment also where the operation's own time is over. Without the vendor's answer
// until then the record is left to the next command: the state, or the intent at the vendor, still tells of it.
func surviving(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return outlive(ctx, context.WithoutCancel(ctx))
	}
	if least := time.Now().Add(writeDeadline); deadline.Before(least) {
		deadline = least
	}
	longer, done := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	writing, cancel := outlive(ctx, longer)
	return writing, func() {
		cancel()
		done()
	}
}

// lastWords is a context for what ends an operation whose own time may have run out: it ends neither with the command nor
// with the operation, only after a moment.
func lastWords(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 2*longestInterval)
}

// interval answers the pause before look number n, from 0: 1, 2, 4 and then 5 seconds, each up to a tenth shorter so
// that processes do not march in step.
func interval(n int) time.Duration {
	pause := longestInterval
	if n < 3 {
		pause = time.Second << n
	}
	return jittered(pause)
}

// lookInterval answers the pause before look number n, from 0, at what others may look at too: 1 second, then 2 for as long
// as watchedFor, then 5, each up to a tenth shorter.
func lookInterval(n int) time.Duration {
	return jittered(watchPause(n > 0, time.Duration(n)*watchInterval))
}

// watchPause answers how long after the last look at something of an age the next one is, or how long after its start the
// first one.
func watchPause(looked bool, age time.Duration) time.Duration {
	switch {
	case !looked:
		return time.Second
	case age < watchedFor:
		return watchInterval
	}
	return longestInterval
}

func jittered(pause time.Duration) time.Duration {
	return pause - time.Duration(rand.Int64N(int64(pause/10))) //nolint:gosec // jitter needs no secrecy
}

// pause waits, and ends early with the context's error.
func pause(ctx context.Context, length time.Duration) error {
	defer calls.Waits(ctx, calls.ForWork)()
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// persist sends a write, on a detached context, until it is no longer answered with "not now" or the operation's time is
// over. Nothing was done by a request that was answered so.
func (a *Account) persist(ctx context.Context, action, object string, write func(context.Context) error) error {
	for look := 0; ; look++ {
		if ended := a.ended(ctx, action, object, nil); ended != nil {
			return ended
		}
		err := a.writeOnce(ctx, write)
		if err == nil {
			return nil
		}
		if a.heldBack(ctx, err) {
			return a.ended(ctx, action, object, err)
		}
		if !a.waitsOut(err) {
			return a.explain(context.WithoutCancel(ctx), err, action, object)
		}
		if pause(ctx, interval(look)) != nil {
			return a.ended(ctx, action, object, err)
		}
	}
}

// persistAgain is persist for a write that has the same effect when it is carried out twice: where its answer was lost it
// is sent once more.
func (a *Account) persistAgain(ctx context.Context, action, object string, write func(context.Context) error) error {
	err := a.persist(ctx, action, object, write)
	if err != nil && a.describe(err).Outcome == driver.Unknown {
		return a.persist(ctx, action, object, write)
	}
	return err
}

func (a *Account) writeOnce(ctx context.Context, write func(context.Context) error) error {
	writing, done := detached(ctx)
	defer done()
	return write(writing)
}

// heldBack says whether a request was never sent because the command was interrupted while it waited for its turn.
func (a *Account) heldBack(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled) && a.describe(err).Outcome == driver.NotDone
}

// waitsOut says whether an answer means "not now": another change of the same object is under way, something that is
// being released still uses it, or the vendor's limit is used up for a moment.
func (a *Account) waitsOut(err error) bool {
	failure := a.describe(err)
	return failure.Reason == driver.ReasonBusy || failure.Reason == driver.ReasonInUse || failure.Code == driver.RateLimited
}

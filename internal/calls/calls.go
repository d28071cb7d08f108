// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package calls counts what a process asks of its vendors and how long it waits, for one line at the end of the log. The
// count goes with the context of a request, so that everything below it can add to it without knowing who reads it; without
// a count in the context nothing is counted.
package calls

import (
	"context"
	"sync"
	"time"
)

// Wait is what time was spent waiting for.
type Wait int

// The sorts of waits. Waits of several objects at the same time add up.
const (
	// ForAnswers is from a request to the whole of its answer.
	ForAnswers Wait = iota
	// ForLimits is before a request: for the vendor's rate limit, the ceiling of requests per second, and before a repeat.
	ForLimits
	// ForWork is for what a vendor has accepted to be done, and for what is locked to be free.
	ForWork
	sortsOfWaits
)

// call is what is counted together.
type call struct{ vendor, route, cause string }

// Count is what a process has asked so far. The zero value is ready, and all methods may be called at the same time.
type Count struct {
	mutex   sync.Mutex
	calls   map[call]int
	refused int
	waited  [sortsOfWaits]time.Duration
}

type (
	countKey struct{}
	causeKey struct{}
)

// Counted is a context whose requests are counted, with what they are made for. A nil count counts nothing.
func (c *Count) Counted(ctx context.Context, cause string) context.Context {
	if c == nil {
		return ctx
	}
	return For(context.WithValue(ctx, countKey{}, c), cause)
}

// For is a context whose requests have another cause, such as "poll".
func For(ctx context.Context, cause string) context.Context {
	return context.WithValue(ctx, causeKey{}, cause)
}

// Sent counts a request of the context that has gone out. Refused says that the vendor's rate limit was in its way.
func Sent(ctx context.Context, vendor, method, path string, refused bool, took time.Duration) {
	count, counted := ctx.Value(countKey{}).(*Count)
	if !counted {
		return
	}
	cause, _ := ctx.Value(causeKey{}).(string)
	count.mutex.Lock()
	defer count.mutex.Unlock()
	if count.calls == nil {
		count.calls = map[call]int{}
	}
	count.calls[call{vendor, Route(method, path), cause}]++
	count.waited[ForAnswers] += took
	if refused {
		count.refused++
	}
}

// Waits counts the time from now until its answer is called, as in: defer calls.Waits(ctx, calls.ForLimits)().
func Waits(ctx context.Context, wait Wait) func() {
	count, counted := ctx.Value(countKey{}).(*Count)
	if !counted {
		return func() {}
	}
	began := time.Now()
	return func() {
		count.mutex.Lock()
		defer count.mutex.Unlock()
		count.waited[wait] += time.Since(began)
	}
}

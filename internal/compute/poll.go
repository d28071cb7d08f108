// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// absentLooks is how often in a row an operation may be missing from the vendor's answer before it counts as lost. What
// came of it is then read from the object.
const absentLooks = 3

// poller looks after the operations of everybody who waits on one account, with as few requests as the vendor allows. Its
// goroutine runs only while somebody waits.
type poller struct {
	account *Account
	mutex   sync.Mutex
	waiting map[*waiter]bool
	running bool
	// left tells the goroutine that somebody has stopped waiting.
	left chan struct{}
}

// waiter is one operation that somebody waits for.
type waiter struct {
	// ctx is the waiter's own, for what a request logs; it does not end the shared look.
	ctx       context.Context //nolint:containedctx // one look serves several callers
	operation driver.Operation
	since     time.Time
	absent    int
	ended     chan error
	// failed is why the last look has failed; nil: it has not.
	failed error
}

func newPoller(account *Account) *poller {
	return &poller{account: account, waiting: map[*waiter]bool{}, left: make(chan struct{}, 1)}
}

// wait returns when all operations have ended, with the error of the first that failed, or when the context is over.
// Operations that the vendor no longer shows count as ended.
func (p *poller) wait(ctx context.Context, operations []driver.Operation) error {
	own := p.enter(ctx, operations)
	defer p.leave(own)
	var first error
	for _, waiter := range own {
		select {
		case err := <-waiter.ended:
			first = firstError(first, err)
		case <-ctx.Done():
			return p.waitedFor(waiter, ctx.Err())
		}
	}
	return first
}

// waitedFor answers what has kept a waiter from an answer until its time was over, else that this was so.
func (p *poller) waitedFor(waiter *waiter, ended error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if waiter.failed != nil {
		return waiter.failed
	}
	return ended
}

// note keeps why a look has failed, or that it has not.
func (p *poller) note(batch []*waiter, failed error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, waiter := range batch {
		waiter.failed = failed
	}
}

func firstError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func (p *poller) enter(ctx context.Context, operations []driver.Operation) []*waiter {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	own := make([]*waiter, 0, len(operations))
	for _, operation := range operations {
		one := &waiter{ctx: context.WithoutCancel(ctx), operation: operation, since: time.Now(), ended: make(chan error, 1)}
		own = append(own, one)
		p.waiting[one] = true
	}
	if len(p.waiting) > 0 && !p.running {
		p.running = true
		go p.run() //nolint:contextcheck // it serves everybody who waits, and each look uses a waiter's own
	}
	return own
}

func (p *poller) leave(own []*waiter) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, waiter := range own {
		delete(p.waiting, waiter)
	}
	select {
	case p.left <- struct{}{}:
	default:
	}
}

// run polls until nobody waits any more. One round serves all who wait; the youngest decides how soon the next one is.
func (p *poller) run() {
	for {
		youngest, there := p.youngest()
		if !there {
			return
		}
		p.rest(interval(looksBy(time.Since(youngest))))
		for batch := range p.batches() {
			p.look(batch)
		}
	}
}

// looksBy answers how many looks a waiter of this age has had: after 1, 3 and 7 seconds.
func looksBy(age time.Duration) int {
	looks := 0
	for _, after := range []time.Duration{time.Second, 3 * time.Second, 7 * time.Second} {
		if age >= after-after/8 {
			looks++
		}
	}
	return looks
}

// youngest also ends the goroutine's life, under the lock, when nobody waits.
func (p *poller) youngest() (time.Time, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var youngest time.Time
	for waiter := range p.waiting {
		if waiter.since.After(youngest) {
			youngest = waiter.since
		}
	}
	p.running = len(p.waiting) > 0
	return youngest, p.running
}

// rest pauses, and ends at once when the last waiter has left.
func (p *poller) rest(length time.Duration) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	for p.anybody() {
		select {
		case <-timer.C:
			return
		case <-p.left:
		}
	}
}

func (p *poller) anybody() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.waiting) > 0
}

// batches answers the waiters in groups that one request can ask for.
func (p *poller) batches() func(func([]*waiter) bool) {
	p.mutex.Lock()
	waiting := make([]*waiter, 0, len(p.waiting))
	for waiter := range p.waiting {
		waiting = append(waiting, waiter)
	}
	p.mutex.Unlock()
	size := max(p.account.Limits().PollBatch, 1)
	return func(yield func([]*waiter) bool) {
		for start := 0; start < len(waiting); start += size {
			if !yield(waiting[start:min(start+size, len(waiting))]) {
				return
			}
		}
	}
}

// look asks once for a batch. A look that fails is no failure of the operation: it goes on, unless the vendor refuses us.
func (p *poller) look(batch []*waiter) {
	ctx, done := context.WithTimeout(batch[0].ctx, writeDeadline)
	defer done()
	operations := make([]driver.Operation, len(batch))
	for i, waiter := range batch {
		operations[i] = waiter.operation
	}
	answers, err := p.account.driver.Poll(ctx, operations)
	p.note(batch, err)
	if err != nil {
		p.refused(batch, err)
		return
	}
	byID := map[string]driver.Progress{}
	for _, progress := range answers {
		byID[progress.Operation.ID] = progress
	}
	for _, waiter := range batch {
		progress, there := byID[waiter.operation.ID]
		waiter.note(progress, there)
	}
}

func (p *poller) refused(batch []*waiter, err error) {
	switch p.account.describe(err).Code {
	case driver.AccessDenied, driver.InvalidConfig, driver.InvalidInput:
		for _, waiter := range batch {
			waiter.end(err)
		}
	default:
	}
}

func (w *waiter) note(progress driver.Progress, there bool) {
	if !there {
		w.absent++
		if w.absent >= absentLooks {
			w.end(nil)
		}
		return
	}
	w.absent = 0
	if progress.Done {
		w.end(progress.Err)
	}
}

// end tells the waiter once; later calls find the answer still there and leave it.
func (w *waiter) end(err error) {
	select {
	case w.ended <- err:
	default:
	}
}

// await waits for operations of one machine and explains what came of them.
func (a *Account) await(ctx context.Context, operations []driver.Operation, action, object string) error {
	if len(operations) == 0 {
		return nil
	}
	err := a.poller.wait(ctx, operations)
	if err == nil {
		return nil
	}
	explained := a.explain(ctx, err, action, object)
	if known, ok := errors.AsType[*Error](explained); ok && ctx.Err() == nil && known.Outcome == driver.NotDone {
		known.Outcome = driver.Done
	}
	return explained
}

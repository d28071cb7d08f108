// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
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
	// changed tells the goroutine that somebody has begun or stopped to wait.
	changed chan struct{}
	// shortest is how soon each sort of operation was seen to have ended: others of that sort are hardly sooner.
	shortest map[string]time.Duration
}

// waiter is one operation that somebody waits for.
type waiter struct {
	// ctx is the waiter's own, for what a request logs; it does not end the shared look.
	ctx       context.Context //nolint:containedctx // one look serves several callers
	operation driver.Operation
	since     time.Time
	// due is when it is looked at next; looked says whether it has been.
	due    time.Time
	looked bool
	absent int
	ended  chan error
	// failed is why the last look has failed; nil: it has not.
	failed error
}

func newPoller(account *Account) *poller {
	return &poller{account: account, waiting: map[*waiter]bool{}, changed: make(chan struct{}, 1), shortest: map[string]time.Duration{}}
}

// wait returns when all operations have ended, with the error of the first that failed, or when the context is over.
// Operations that the vendor no longer shows count as ended.
func (p *poller) wait(ctx context.Context, operations []driver.Operation) error {
	defer calls.Waits(ctx, calls.ForWork)()
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
		p.plan(one)
		own = append(own, one)
		p.waiting[one] = true
	}
	if len(p.waiting) > 0 && !p.running {
		p.running = true
		go p.run() //nolint:contextcheck // it serves everybody who waits, and each look uses a waiter's own
	}
	p.tell()
	return own
}

func (p *poller) leave(own []*waiter) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, waiter := range own {
		delete(p.waiting, waiter)
	}
	p.tell()
}

// tell wakes the goroutine.
func (p *poller) tell() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// plan says when a waiter is looked at next; the lock is held. What took others of its sort a while is left alone for most
// of that.
func (p *poller) plan(one *waiter) {
	now := time.Now()
	wait := watchPause(one.looked, now.Sub(one.since))
	if !one.looked {
		wait = max(wait, p.shortest[one.operation.Name]*3/4)
	}
	one.due = now.Add(jittered(min(wait, watchedFor)))
}

// run polls until nobody waits any more.
func (p *poller) run() {
	for {
		next, there := p.next()
		if !there {
			return
		}
		if p.rest(time.Until(next)) {
			for batch := range p.batches() {
				p.look(batch)
			}
		}
	}
}

// next answers when the next look is due. It also ends the goroutine's life, under the lock, when nobody waits.
func (p *poller) next() (time.Time, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var next time.Time
	for waiter := range p.waiting {
		if next.IsZero() || waiter.due.Before(next) {
			next = waiter.due
		}
	}
	p.running = len(p.waiting) > 0
	return next, p.running
}

// rest pauses, and says whether to the end: it ends at once when somebody begins or stops to wait.
func (p *poller) rest(length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.changed:
		return false
	}
}

// batches answers the waiters that are due, or nearly so, in groups that one request can ask for.
func (p *poller) batches() func(func([]*waiter) bool) {
	p.mutex.Lock()
	soon := time.Now().Add(watchInterval / 2)
	waiting := make([]*waiter, 0, len(p.waiting))
	for waiter := range p.waiting {
		if waiter.due.Before(soon) {
			waiting = append(waiting, waiter)
		}
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

// looked notes that a batch was looked at, and how long what has ended took.
func (p *poller) looked(batch []*waiter, byID map[string]driver.Progress) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, waiter := range batch {
		waiter.looked = true
		p.plan(waiter)
		progress := byID[waiter.operation.ID]
		took, before := time.Since(waiter.since), p.shortest[waiter.operation.Name]
		if progress.Done && progress.Err == nil && (before == 0 || took < before) {
			p.shortest[waiter.operation.Name] = took
		}
	}
}

// look asks once for a batch. A look that fails is no failure of the operation: it goes on, unless the vendor refuses us.
func (p *poller) look(batch []*waiter) {
	ctx, done := context.WithTimeout(calls.For(batch[0].ctx, "poll"), writeDeadline)
	defer done()
	operations := make([]driver.Operation, len(batch))
	for i, waiter := range batch {
		operations[i] = waiter.operation
	}
	answers, err := p.account.driver.Poll(ctx, operations)
	byID := map[string]driver.Progress{}
	for _, progress := range answers {
		byID[progress.Operation.ID] = progress
	}
	p.looked(batch, byID)
	p.note(batch, err)
	if err != nil {
		p.refused(batch, err)
		return
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

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// lookupAge is how old a list may be that a create looks its key up in.
const lookupAge = 10 * time.Second

// objects serves reads of one sort of objects from one list of the whole account. A reader says how old the answer may
// be; one list that began late enough serves all who wait for it.
type objects[T any] struct {
	// lists is false where the vendor has no list: every read is by id then, with one.
	lists bool
	all   func(context.Context) ([]T, error)
	one   func(ctx context.Context, id string) (T, error)
	// record answers what is common to all sorts.
	record func(T) record
	// appearLag is how long a fresh object may not be found.
	appearLag time.Duration

	mutex   sync.Mutex
	latest  *listing[T]
	running *listing[T]
	// moments counts lists, writes and questions, so that their order is known where a clock does not tell it.
	moments int
	// written is when each object was last written by this process: what a list that began earlier shows of it is old.
	written map[string]int
	// unseen is when the objects that this process has ordered were ordered, for as long as no read has shown them.
	unseen map[string]time.Time
}

// age says how old an answer may be: it must have begun after a moment, and not before a time.
type age struct {
	after int
	since time.Time
}

// listing is one list, under way or answered.
type listing[T any] struct {
	record func(T) record
	moment int
	began  time.Time
	ended  chan struct{}
	byID   map[string]T
	err    error
}

// now is the age of an answer that begins from here on.
func (o *objects[T]) now() age {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.moments++
	return age{after: o.moments}
}

func (l *listing[T]) satisfies(wanted age) bool {
	return l.moment > wanted.after && !l.began.Before(wanted.since)
}

// list answers the account's objects, no older than wanted.
func (o *objects[T]) list(ctx context.Context, wanted age) (*listing[T], error) {
	for {
		current := o.current(ctx, wanted)
		select {
		case <-current.ended:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !current.satisfies(wanted) {
			continue
		}
		return current, current.err
	}
}

// current answers the list that is new enough, else the one under way, else begins one.
func (o *objects[T]) current(ctx context.Context, wanted age) *listing[T] {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.latest != nil && o.latest.satisfies(wanted) {
		return o.latest
	}
	if o.running != nil {
		return o.running
	}
	o.moments++
	o.running = &listing[T]{record: o.record, moment: o.moments, began: time.Now(), ended: make(chan struct{})}
	go o.fetch(context.WithoutCancel(ctx), o.running)
	return o.running
}

// fetch runs for everybody who waits, so no single reader's context ends it.
func (o *objects[T]) fetch(ctx context.Context, own *listing[T]) {
	ctx, done := context.WithTimeout(ctx, writeDeadline)
	defer done()
	found, err := o.all(ctx)
	own.err, own.byID = err, map[string]T{}
	for _, object := range found {
		own.byID[o.record(object).id] = object
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.running = nil
	if err == nil {
		o.latest = own
	}
	close(own.ended)
}

// wrote notes that an object was changed just now.
func (o *objects[T]) wrote(id string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.written == nil {
		o.written = map[string]int{}
	}
	o.moments++
	o.written[id] = o.moments
}

// ordered notes that an object was ordered just now: for a moment it may not show.
func (o *objects[T]) ordered(id string) {
	o.wrote(id)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.unseen == nil {
		o.unseen = map[string]time.Time{}
	}
	o.unseen[id] = time.Now()
}

// mayAppear says whether an object that is not found was ordered so recently that it may not show yet. One that has shown
// before is gone.
func (o *objects[T]) mayAppear(id string) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	since, unseen := o.unseen[id]
	return unseen && time.Since(since) < o.appearLag
}

// get answers one object, no older than wanted and than its last write: from the list, or by its id where the list does
// not have it.
func (o *objects[T]) get(ctx context.Context, id string, wanted age) (T, error) {
	object, err := o.read(ctx, id, wanted)
	if err == nil {
		o.mutex.Lock()
		delete(o.unseen, id)
		o.mutex.Unlock()
	}
	return object, err
}

func (o *objects[T]) read(ctx context.Context, id string, wanted age) (T, error) {
	if !o.lists {
		return o.one(ctx, id)
	}
	o.mutex.Lock()
	wanted.after = max(wanted.after, o.written[id])
	o.mutex.Unlock()
	current, err := o.list(ctx, wanted)
	if err != nil {
		var none T
		return none, err
	}
	if object, there := current.byID[id]; there {
		return object, nil
	}
	return o.one(ctx, id)
}

// moment is when an object was last written.
func (o *objects[T]) moment(id string) int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.written[id]
}

// ordered answers a list's objects, oldest first, then by id.
func (l *listing[T]) ordered() []T {
	return slices.SortedFunc(maps.Values(l.byID), func(a, b T) int { return olderRecord(l.record(a), l.record(b)) })
}

// recent is the age of a list that a create may look its key up in: none is older than the command.
func (a *Account) recent() age {
	since := time.Now().Add(-lookupAge)
	if since.Before(a.settings.Opened) {
		since = a.settings.Opened
	}
	return age{since: since}
}

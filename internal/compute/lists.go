// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

// lists serves reads of one sort of object from one list of the whole account. A reader says how old the answer may be;
// one list that began late enough serves all who wait for it.
type lists[T any] struct {
	all   func(context.Context) ([]T, error)
	id    func(T) string
	order func(a, b T) int

	mutex   sync.Mutex
	latest  *listing[T]
	running *listing[T]
	// moments counts lists, writes and questions, so that their order is known where a clock does not tell it.
	moments int
	// written is when each object was last written by this process: what a list that began earlier shows of it is old.
	written map[string]int
	// rounds are those that somebody waits for.
	rounds []*round
}

// newLists makes lists that are read with all; order is that of ordered.
func newLists[T any](all func(context.Context) ([]T, error), id func(T) string, order func(a, b T) int) *lists[T] {
	return &lists[T]{all: all, id: id, order: order, written: map[string]int{}}
}

// age says how old an answer may be: it must have begun after a moment, and not before a time. readers is how many want one
// of that age, where they have waited for each other.
type age struct {
	after   int
	since   time.Time
	readers int
}

// listing is one list, under way or answered.
type listing[T any] struct {
	moment int
	began  time.Time
	ended  chan struct{}
	byID   map[string]T
	order  func(a, b T) int
	err    error
}

// now is the age of an answer that begins from here on.
func (l *lists[T]) now() age {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.moments++
	return age{after: l.moments}
}

func (l *listing[T]) satisfies(wanted age) bool {
	return l.moment > wanted.after && !l.began.Before(wanted.since)
}

// satisfied says whether a list that is new enough is there or under way.
func (l *lists[T]) satisfied(wanted age) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.latest != nil && l.latest.satisfies(wanted) || l.running != nil && l.running.satisfies(wanted)
}

// size is how many objects the last list had; zero without one.
func (l *lists[T]) size() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.latest == nil {
		return 0
	}
	return len(l.latest.byID)
}

// list answers the account's objects, no older than wanted.
func (l *lists[T]) list(ctx context.Context, wanted age) (*listing[T], error) {
	for {
		current := l.current(ctx, wanted)
		select {
		case <-current.ended:
		case <-ctx.Done():
			return nil, current.why(ctx.Err())
		}
		if !current.satisfies(wanted) {
			continue
		}
		return current, current.err
	}
}

// why answers what a list whose reader has no time left was waiting for. A request that waits for the vendor's rate limit
// gives up when its operation's time is over, and then says so, a moment after the reader could.
func (l *listing[T]) why(ended error) error {
	if !errors.Is(ended, context.DeadlineExceeded) {
		return ended
	}
	moment := time.NewTimer(time.Second)
	defer moment.Stop()
	select {
	case <-l.ended:
		return cmp.Or(l.err, ended)
	case <-moment.C:
		return ended
	}
}

// current answers the list that is new enough, else the one under way, else begins one.
func (l *lists[T]) current(ctx context.Context, wanted age) *listing[T] {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.latest != nil && l.latest.satisfies(wanted) {
		return l.latest
	}
	if l.running != nil {
		return l.running
	}
	l.moments++
	l.running = &listing[T]{moment: l.moments, began: time.Now(), ended: make(chan struct{}), order: l.order}
	go l.fetch(ctx, l.running)
	return l.running
}

// fetch runs for everybody who waits, so no single reader's context ends it.
func (l *lists[T]) fetch(ctx context.Context, own *listing[T]) {
	ctx, done := detached(ctx)
	defer done()
	found, err := l.all(ctx)
	own.err, own.byID = err, map[string]T{}
	for _, object := range found {
		own.byID[l.id(object)] = object
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.running = nil
	if err == nil {
		l.latest = own
	}
	close(own.ended)
}

// wrote notes that an object was changed just now.
func (l *lists[T]) wrote(id string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.moments++
	l.written[id] = l.moments
}

// moment is when an object was last written.
func (l *lists[T]) moment(id string) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.written[id]
}

// notBeforeWrite is wanted, and no older than the object's last write.
func (l *lists[T]) notBeforeWrite(id string, wanted age) age {
	wanted.after = max(wanted.after, l.moment(id))
	return wanted
}

// ordered answers a list's objects in their order.
func (l *listing[T]) ordered() []T {
	return slices.SortedFunc(maps.Values(l.byID), l.order)
}

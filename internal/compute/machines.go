// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// lookupAge is how old a list may be that a create looks its key up in.
const lookupAge = 10 * time.Second

// machines serves reads of machines from one list of the whole account. A reader says how old the answer may be; one list
// that began late enough serves all who wait for it.
type machines struct {
	account *Account
	mutex   sync.Mutex
	latest  *listing
	running *listing
	// moments counts lists, writes and questions, so that their order is known where a clock does not tell it.
	moments int
	// written is when each machine was last written by this process: what a list that began earlier shows of it is old.
	written map[string]int
	// unseen is when the machines that this process has ordered were ordered, for as long as no read has shown them.
	unseen map[string]time.Time
}

// age says how old an answer may be: it must have begun after a moment, and not before a time.
type age struct {
	after int
	since time.Time
}

// listing is one list, under way or answered.
type listing struct {
	moment int
	began  time.Time
	ended  chan struct{}
	byID   map[string]driver.Machine
	err    error
}

// now is the age of an answer that begins from here on.
func (m *machines) now() age {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.moments++
	return age{after: m.moments}
}

func (l *listing) satisfies(wanted age) bool {
	return l.moment > wanted.after && !l.began.Before(wanted.since)
}

// list answers the account's machines, no older than wanted.
func (m *machines) list(ctx context.Context, wanted age) (*listing, error) {
	for {
		current := m.current(ctx, wanted)
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
func (m *machines) current(ctx context.Context, wanted age) *listing {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.latest != nil && m.latest.satisfies(wanted) {
		return m.latest
	}
	if m.running != nil {
		return m.running
	}
	m.moments++
	m.running = &listing{moment: m.moments, began: time.Now(), ended: make(chan struct{})}
	go m.fetch(ctx, m.running)
	return m.running
}

// fetch runs for everybody who waits, so no single reader's context ends it.
func (m *machines) fetch(ctx context.Context, own *listing) {
	ctx, done := detached(ctx)
	defer done()
	found, err := m.all(ctx)
	own.err, own.byID = err, map[string]driver.Machine{}
	for _, machine := range found {
		own.byID[machine.ID] = machine
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.running = nil
	if err == nil {
		m.latest = own
	}
	close(own.ended)
}

func (m *machines) all(ctx context.Context) ([]driver.Machine, error) {
	lister, err := capability[driver.List](m.account, CapabilityList, "list machines")
	if err != nil {
		return nil, err
	}
	return lister.List(ctx)
}

// wrote notes that a machine was changed just now.
func (m *machines) wrote(id string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.written == nil {
		m.written = map[string]int{}
	}
	m.moments++
	m.written[id] = m.moments
}

// ordered notes that a machine was ordered just now: for a moment it may not show.
func (m *machines) ordered(id string) {
	m.wrote(id)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.unseen == nil {
		m.unseen = map[string]time.Time{}
	}
	m.unseen[id] = time.Now()
}

// mayAppear says whether a machine that is not found was ordered so recently that it may not show yet. One that has shown
// before is gone.
func (m *machines) mayAppear(id string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	since, unseen := m.unseen[id]
	return unseen && time.Since(since) < m.account.Limits().AppearLag
}

// get answers one machine, no older than wanted and than its last write: from the list, or by its id where the list does
// not have it.
func (m *machines) get(ctx context.Context, id string, wanted age) (driver.Machine, error) {
	machine, err := m.read(ctx, id, wanted)
	if err == nil {
		m.mutex.Lock()
		delete(m.unseen, id)
		m.mutex.Unlock()
	}
	return machine, err
}

func (m *machines) read(ctx context.Context, id string, wanted age) (driver.Machine, error) {
	if !m.account.Has(CapabilityList) {
		return m.account.driver.Get(ctx, id)
	}
	m.mutex.Lock()
	wanted.after = max(wanted.after, m.written[id])
	m.mutex.Unlock()
	if wanted.after > 0 && m.account.Limits().ReadsEach {
		return m.account.driver.Get(ctx, id)
	}
	current, err := m.list(ctx, wanted)
	if err != nil {
		return driver.Machine{}, err
	}
	if machine, there := current.byID[id]; there {
		return machine, nil
	}
	return m.account.driver.Get(ctx, id)
}

// moment is when a machine was last written.
func (m *machines) moment(id string) int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.written[id]
}

// ordered answers a list's machines, oldest first, then by id.
func (l *listing) ordered() []driver.Machine {
	return slices.SortedFunc(maps.Values(l.byID), older)
}

// older orders machines by their age; vendors count ids up.
func older(a, b driver.Machine) int {
	if order := a.CreatedAt.Compare(b.CreatedAt); order != 0 {
		return order
	}
	return compareIDs(a.ID, b.ID)
}

// compareIDs orders numbers as numbers: vendors count up.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// fresh answers one machine by a read that begins now.
func (a *Account) fresh(ctx context.Context, id string) (driver.Machine, error) {
	return a.machines.get(ctx, id, a.machines.now())
}

// Managed answers everything that bears this account's mark, oldest first, read now.
func (a *Account) Managed(ctx context.Context) ([]driver.Machine, error) {
	current, err := a.machines.list(ctx, a.machines.now())
	if err != nil {
		return nil, a.explain(ctx, err, "list machines", "")
	}
	return slices.DeleteFunc(current.ordered(), func(machine driver.Machine) bool {
		return machine.Marks.Account != a.settings.Reference.ID
	}), nil
}

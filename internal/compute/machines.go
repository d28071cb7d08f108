// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// lookupAge is how old a list may be that a create looks its key up in.
const lookupAge = 10 * time.Second

// machines serves reads of machines from one list of the whole account.
type machines struct {
	*lists[driver.Machine]
	account *Account
	// unseen is when the machines that this process has ordered were ordered, for as long as no read has shown them.
	unseen map[string]time.Time
}

func newMachines(account *Account) *machines {
	m := &machines{account: account}
	m.lists = newLists(m.all, func(machine driver.Machine) string { return machine.ID }, older)
	return m
}

func (m *machines) all(ctx context.Context) ([]driver.Machine, error) {
	lister, err := capability[driver.List](m.account, CapabilityList, "list machines")
	if err != nil {
		return nil, err
	}
	return lister.List(ctx)
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
// not have it or would take more requests.
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
	wanted, each, err := m.way(ctx, m.notBeforeWrite(id, wanted))
	if err != nil {
		return driver.Machine{}, err
	}
	if each {
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

// crowdPause is how long a reader waits for others who want something as new as he does.
const crowdPause = 20 * time.Millisecond

// way says whether machines are better asked for one by one than by a list: where fewer readers want something new at the
// same moment than a list has pages. A list that is new enough already serves everybody.
func (m *machines) way(ctx context.Context, wanted age) (_ age, each bool, _ error) {
	limits := m.account.Limits()
	if wanted.after == 0 || limits.ReadsEach {
		return wanted, wanted.after > 0, nil
	}
	if limits.ListPage == 0 || m.size() <= limits.ListPage || m.satisfied(wanted) {
		return wanted, false, nil
	}
	if wanted.readers == 0 {
		var err error
		if wanted, err = m.nextRound(ctx, crowdPause); err != nil {
			return wanted, false, err
		}
	}
	pages := (m.size() + limits.ListPage - 1) / limits.ListPage
	return wanted, wanted.readers < pages, nil
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

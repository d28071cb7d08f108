// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Faults is the list of faults. The first one with tries left wins.
type Faults struct {
	mutex   sync.Mutex
	next    int
	list    []*liveFault
	changed chan struct{}
}

// NewFaults makes an empty list.
func NewFaults() *Faults {
	return &Faults{changed: make(chan struct{})}
}

// Add checks a fault, appends it and returns its id.
func (f *Faults) Add(fault Fault) (string, error) {
	live, err := newLiveFault(fault)
	if err != nil {
		return "", err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.next++
	live.id = "fault-" + strconv.Itoa(f.next)
	f.list = append(f.list, live)
	return live.id, nil
}

// List gives all faults in order.
func (f *Faults) List() []FaultState {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	states := make([]FaultState, 0, len(f.list))
	for _, live := range f.list {
		states = append(states, FaultState{ID: live.id, Fault: live.fault, Hits: live.hits, Holding: live.holding})
	}
	return states
}

// Remove takes one fault away, or all with id "", and drops what they hold. It says whether there was one.
func (f *Faults) Remove(id string) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	before := len(f.list)
	f.list = slices.DeleteFunc(f.list, func(live *liveFault) bool {
		if id != "" && live.id != id {
			return false
		}
		close(live.released)
		return true
	})
	f.wake()
	return len(f.list) < before
}

// AwaitHolding returns as soon as the fault holds a request; it fails when ctx ends or the fault is gone.
func (f *Faults) AwaitHolding(ctx context.Context, id string) error {
	for {
		holding, changed, err := f.look(id)
		if err != nil || holding > 0 {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("fault %s holds nothing: %w", id, ctx.Err())
		}
	}
}

func (f *Faults) look(id string) (int, chan struct{}, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, live := range f.list {
		if live.id == id {
			return live.holding, f.changed, nil
		}
	}
	return 0, nil, fmt.Errorf("there is no fault %s", id)
}

// meet gives the fault that meets the request, or nil.
func (f *Faults) meet(vendor string, r *Request) *liveFault {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, live := range f.list {
		if live.left == 0 || !live.matches(vendor, r) {
			continue
		}
		if live.skip > 0 {
			live.skip--
			continue
		}
		live.hits++
		if live.left > 0 {
			live.left--
		}
		return live
	}
	return nil
}

// hold keeps the request for a while. It says whether the time passed; false: the client left or the fault was removed.
func (f *Faults) hold(ctx context.Context, live *liveFault, during time.Duration) bool {
	f.count(live, 1)
	defer f.count(live, -1)
	return pause(ctx, during, live.released)
}

func (f *Faults) count(live *liveFault, change int) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	live.holding += change
	f.wake()
}

// wake tells everybody in AwaitHolding to look again. The caller holds the lock.
func (f *Faults) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

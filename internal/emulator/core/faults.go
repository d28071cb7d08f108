// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// holdFor is how long a "hang" holds a request when the fault gives no delay.
const holdFor = 60 * time.Second

// Fault is something that goes wrong with a request. Empty Vendor, Method, Path and Operation match all.
type Fault struct {
	Vendor    string            `json:"vendor,omitempty"`
	Method    string            `json:"method,omitempty"`
	Path      string            `json:"path,omitempty"`      // regular expression on the path as sent
	Operation string            `json:"operation,omitempty"` //
	Skip      int               `json:"skip"`                // matching requests that pass first
	Times     *int              `json:"times,omitempty"`     // how many it meets: 1 when absent, 0 = for ever
	Point     string            `json:"point,omitempty"`     // before (default): the change is not made; after: it is made first
	Action    string            `json:"action"`              // status, drop, truncate, hang, delay
	Status    int               `json:"status,omitempty"`    // of action status
	Headers   map[string]string `json:"headers,omitempty"`   // of action status
	Body      string            `json:"body,omitempty"`      // of action status; empty: the vendor's envelope
	Delay     Duration          `json:"delay,omitempty"`     // of action delay, and of hang (60 s)
}

// FaultState is a fault with what it has met so far.
type FaultState struct {
	ID string `json:"id"`
	Fault
	Hits    int `json:"hits"`
	Holding int `json:"holding"` // requests that it holds now
}

// Faults is the list of faults. The first one with tries left wins.
type Faults struct {
	mutex   sync.Mutex
	next    int
	list    []*liveFault
	changed chan struct{}
}

type liveFault struct {
	id       string
	fault    Fault
	path     *regexp.Regexp
	skip     int
	left     int // -1 = for ever
	hits     int
	holding  int
	released chan struct{}
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

func newLiveFault(fault Fault) (*liveFault, error) {
	if err := fault.check(); err != nil {
		return nil, err
	}
	path, err := regexp.Compile(fault.Path)
	if err != nil {
		return nil, fmt.Errorf("path: %w", err)
	}
	live := &liveFault{fault: fault, path: path, skip: fault.Skip, left: 1, released: make(chan struct{})}
	if fault.Times != nil {
		live.left = *fault.Times
	}
	if live.left == 0 {
		live.left = -1
	}
	return live, nil
}

// check fills in the defaults and finds what makes no sense.
func (f *Fault) check() error {
	f.Method = strings.ToUpper(f.Method)
	if f.Point == "" {
		f.Point = "before"
	}
	if f.Point != "before" && f.Point != "after" {
		return fmt.Errorf("point: %q is neither before nor after", f.Point)
	}
	if !slices.Contains([]string{"status", "drop", "truncate", "hang", "delay"}, f.Action) {
		return fmt.Errorf("action: %q is none of status, drop, truncate, hang, delay", f.Action)
	}
	if f.Skip < 0 || (f.Times != nil && *f.Times < 0) || f.Delay < 0 {
		return fmt.Errorf("skip, times and delay cannot be negative")
	}
	if f.Action == "status" && (f.Status < 200 || f.Status > 599) {
		return fmt.Errorf("status: %d is not between 200 and 599", f.Status)
	}
	if f.Action == "delay" && f.Delay == 0 {
		return fmt.Errorf("delay: the action delay needs one")
	}
	return nil
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

func (l *liveFault) matches(vendor string, r *Request) bool {
	return (l.fault.Vendor == "" || l.fault.Vendor == vendor) &&
		(l.fault.Method == "" || l.fault.Method == r.Method) &&
		(l.fault.Operation == "" || l.fault.Operation == r.Operation) &&
		l.path.MatchString(r.Path)
}

// isAfter says whether the vendor carries the request out first. A truncated answer is half of the true one, so there
// is none without that.
func (l *liveFault) isAfter() bool {
	return l != nil && (l.fault.Point == "after" || l.fault.Action == "truncate")
}

// isBefore says whether the fault acts before the vendor does.
func (l *liveFault) isBefore() bool { return l != nil && !l.isAfter() }

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

// pause waits, and says whether the time passed before the context ended or released was closed.
func pause(ctx context.Context, during time.Duration, released <-chan struct{}) bool {
	if during <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(during)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	case <-released:
		return false
	}
}

// envelope is the answer of a status fault: its own body as it is, or the vendor's. A body that is JSON says so, unless
// the fault's headers say otherwise.
func (l *liveFault) envelope(vendor Vendor) Answer {
	answer := Answer{Status: l.fault.Status, Header: http.Header{}, Body: []byte(l.fault.Body)}
	if l.fault.Body == "" {
		answer = vendor.Failure(l.fault.Status)
	} else if json.Valid(answer.Body) {
		answer.Header.Set("Content-Type", "application/json")
	}
	for name, value := range l.fault.Headers {
		answer.Header.Set(name, value)
	}
	return answer
}

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
	"strings"
	"time"
)

// holdFor is how long a "hang" holds a request when the fault gives no delay.
const holdFor = 60 * time.Second

// Fault is something that goes wrong with a request. Empty Vendor, Method, Path and Operation match all.
type Fault struct {
	Vendor    string            `json:"vendor,omitempty"`
	Method    string            `json:"method,omitempty"`
	Path      string            `json:"path,omitempty"`      // regular expression on the path as sent
	Operation string            `json:"operation,omitempty"` // the vendor's own word where the path does not say it
	Skip      int               `json:"skip"`                // matching requests that pass first
	Times     *int              `json:"times,omitempty"`     // how many it meets: 1 when absent, 0 = for ever
	Point     string            `json:"point,omitempty"`     // before (default): the change is not made; after: it is made first
	Action    string            `json:"action"`              // status, drop, truncate, hang, delay
	Status    int               `json:"status,omitempty"`    // of action status
	Reason    string            `json:"reason,omitempty"`    // of action status: the reason phrase; empty: the vendor's
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

// check fills in the defaults and finds what makes no sense.
func (f *Fault) check() error {
	f.Method = strings.ToUpper(f.Method)
	if f.Point == "" {
		f.Point = "before"
	}
	if f.Times == nil {
		f.Times = new(1)
	}
	if f.Point != "before" && f.Point != "after" {
		return fmt.Errorf("point: %q is neither before nor after", f.Point)
	}
	if !slices.Contains([]string{"status", "drop", "truncate", "hang", "delay"}, f.Action) {
		return fmt.Errorf("action: %q is none of status, drop, truncate, hang, delay", f.Action)
	}
	if f.Skip < 0 || *f.Times < 0 || f.Delay < 0 {
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

// liveFault is a fault with what is left of it.
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

func newLiveFault(fault Fault) (*liveFault, error) {
	if err := fault.check(); err != nil {
		return nil, err
	}
	path, err := regexp.Compile(fault.Path)
	if err != nil {
		return nil, fmt.Errorf("path: %w", err)
	}
	live := &liveFault{fault: fault, path: path, skip: fault.Skip, left: *fault.Times, released: make(chan struct{})}
	if live.left == 0 {
		live.left = -1
	}
	return live, nil
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

// envelope is the answer of a status fault: its own body as it is, or the vendor's. A body that is JSON says so, unless
// the fault's headers say otherwise.
func (l *liveFault) envelope(vendor Vendor) Answer {
	answer := Answer{Status: l.fault.Status, Header: http.Header{}, Body: []byte(l.fault.Body)}
	if l.fault.Body == "" {
		answer = vendor.Failure(l.fault.Status)
	} else if json.Valid(answer.Body) {
		answer.Header.Set("Content-Type", "application/json")
	}
	if l.fault.Reason != "" {
		answer.Reason = l.fault.Reason
	}
	for name, value := range l.fault.Headers {
		answer.Header.Set(name, value)
	}
	return answer
}

// pause waits, and says whether the time passed before the context ended or released was closed. Without a time it
// passes: a request that was read is carried out even if its client has just left.
func pause(ctx context.Context, during time.Duration, released <-chan struct{}) bool {
	if during <= 0 {
		return true
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

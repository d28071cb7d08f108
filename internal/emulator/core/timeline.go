// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"slices"
	"time"
)

// Timeline holds what will happen to a vendor's objects. Nothing runs in the background: whoever looks at the objects
// calls Advance first, so an idle emulator has no goroutines and a bubble's clock moves freely. It is not safe for
// concurrent use; the vendor's lock guards it.
type Timeline struct {
	events []event
}

type event struct {
	at     time.Time
	happen func(at time.Time)
}

// At plans an event. Events of the same moment happen in the order they were planned.
func (t *Timeline) At(when time.Time, happen func(at time.Time)) {
	i := len(t.events)
	for i > 0 && t.events[i-1].at.After(when) {
		i--
	}
	t.events = slices.Insert(t.events, i, event{at: when, happen: happen})
}

// Advance lets everything happen that is due at now, in order of its own time, including what an event plans itself.
func (t *Timeline) Advance(now time.Time) {
	for len(t.events) > 0 && !t.events[0].at.After(now) {
		next := t.events[0]
		t.events = t.events[1:]
		next.happen(next.at)
	}
}

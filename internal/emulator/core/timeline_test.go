// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"fmt"
	"testing"
	"time"
)

// TestTimeline: events happen in order of their own time, at that time, with what they plan themselves.
func TestTimeline(t *testing.T) {
	var timeline Timeline
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var got []string
	note := func(name string) func(time.Time) {
		return func(at time.Time) { got = append(got, fmt.Sprintf("%s at %s", name, at.Sub(start))) }
	}
	timeline.At(start.Add(3*time.Second), note("third"))
	timeline.At(start.Add(time.Second), func(at time.Time) {
		note("first")(at)
		timeline.At(at.Add(time.Second), note("planned by the first"))
	})
	timeline.At(start.Add(time.Second), note("second of the same moment"))
	timeline.At(start.Add(time.Hour), note("later"))
	timeline.Advance(start.Add(time.Minute))
	want := []string{"first at 1s", "second of the same moment at 1s", "planned by the first at 2s", "third at 3s"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

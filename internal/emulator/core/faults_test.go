// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import "testing"

// TestFaultCountsSkipsAndTries: a skipped request belongs to the next fault, a fault without tries lets it pass.
func TestFaultCountsSkipsAndTries(t *testing.T) {
	faults := NewFaults()
	for _, fault := range []Fault{
		{Action: "drop", Path: "^/a$", Skip: 1, Times: new(2)},
		{Action: "drop", Operation: "assign"},
	} {
		if _, err := faults.Add(fault); err != nil {
			t.Fatal(err)
		}
	}
	for i, test := range []struct{ path, operation, want string }{
		{"/a", "", ""}, {"/b", "", ""}, {"/a", "", "fault-1"}, {"/a", "assign", "fault-1"}, {"/a", "assign", "fault-2"},
		{"/a", "assign", ""}, {"/ab", "", ""},
	} {
		got := ""
		if met := faults.meet("hetzner", &Request{Method: "GET", Path: test.path, Operation: test.operation}); met != nil {
			got = met.id
		}
		if got != test.want {
			t.Errorf("request %d met %q, want %q", i, got, test.want)
		}
	}
}

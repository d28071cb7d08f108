// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"net/http"
	"testing"
)

type roundTripper = http.RoundTripper

// TestEveryInterruption interrupts every request of every operation in every way, with and without owner, and with a state
// that is stored at once and one that is stored at the end.
func TestEveryInterruption(t *testing.T) {
	results := newResults()
	for _, vendor := range vendors {
		for _, operation := range operations {
			for _, setting := range []trial{{owned: true, stores: true}, {owned: true}, {stores: true}, {}} {
				setting.vendor, setting.operation = vendor, operation
				setting.interruptEach(t, results)
			}
		}
	}
	t.Log("\n" + results.table())
}

// interruptEach runs the operation to its end to learn what it sends, and then once for each request and interruption.
func (c trial) interruptEach(t *testing.T, results *results) {
	t.Helper()
	sent := c.try(t, results)
	for number := range sent {
		for _, what := range interruptions {
			c.at, c.what = number+1, what
			c.try(t, results)
		}
	}
}

// try is one case, as a subtest by which it can be run alone.
func (c trial) try(t *testing.T, results *results) []string {
	t.Helper()
	found, sent := c.run(t)
	results.add(c, found)
	if found.outcome == doubled || found.outcome == lost || found.outcome == foreign || found.outcome == broken {
		t.Errorf("%s: %s: %s", c, found.outcome, found.why)
	}
	return sent
}

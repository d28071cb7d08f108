// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"hash/fnv"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
)

type roundTripper = http.RoundTripper

// one is the name of a case to run alone; every runs one case in so many, chosen by their names, 1: all.
const (
	oneVariable   = "CHAOS_CASE"
	everyVariable = "CHAOS_EVERY"
	// everyByDefault keeps plain go test short.
	everyByDefault = 150
)

// TestEveryInterruption interrupts every request of every operation in every way, with and without owner, and with a state
// that is stored at once and one that is stored at the end.
func TestEveryInterruption(t *testing.T) {
	results, every, seed := newResults(), share(t), seedOf(t)
	t.Run("cases", func(t *testing.T) {
		for _, on := range subjects() {
			for _, operation := range on.possible() {
				t.Run(on.String()+"/"+operation.name, func(t *testing.T) {
					t.Parallel()
					interruptEach(t, trial{on: on, operation: operation}, every, seed, results)
				})
			}
		}
	})
	t.Logf("1 case in %d, seed %d\n%s", every, seed, results.table())
}

// share answers how many cases there are for each one that is run.
func share(t *testing.T) uint32 {
	t.Helper()
	text := os.Getenv(everyVariable)
	if text == "" {
		return everyByDefault
	}
	every, err := strconv.ParseUint(text, 10, 32)
	if err != nil || every == 0 {
		t.Fatalf("%s: %q is no whole number above 0", everyVariable, text)
	}
	return uint32(every)
}

// interruptEach runs the operation to its end to learn what it sends, and then once for each request and interruption.
func interruptEach(t *testing.T, base trial, every uint32, seed uint64, results *results) {
	t.Helper()
	if base.isOut(every, seed) {
		return
	}
	base.owned = true
	whole := base.try(t, results)
	for number, sent := range whole.sent {
		for _, what := range interruptions {
			for _, setting := range what.settings(number < whole.planned, strings.HasPrefix(sent, http.MethodGet)) {
				setting.on, setting.operation, setting.plants, setting.at, setting.what = base.on, base.operation, base.plants, number+1, what
				if setting.isChosen(every, seed) {
					setting.try(t, results)
				}
			}
		}
	}
}

// settings are those that an interruption is tried in: what the state and the owner are matters to a kill alone, and
// during the plan nothing is there yet that could be lost.
func (i interruption) settings(planning, reads bool) []trial {
	switch {
	case planning && (i.kills || i.stops || i.status == http.StatusGatewayTimeout):
		return nil
	case i.kills && reads && !i.carriedOut:
		return nil // the same as a kill after the request before
	case i.kills:
		return []trial{{owned: true, stores: true}, {owned: true}, {stores: true}, {}}
	}
	return []trial{{owned: true}}
}

// isOut says that another case is named, of another operation, or that so few cases are run that this operation is left to
// another seed.
func (c trial) isOut(every uint32, seed uint64) bool {
	if named := os.Getenv(oneVariable); named != "" {
		return !strings.HasPrefix(named, c.on.String()+"/"+c.operation.name+"/")
	}
	return c.operation.fewer && every >= everyByDefault && !oneIn(fewerOperations, c.on.String()+"/"+c.operation.name, seed)
}

// fewerOperations: where few cases are run, so many of the operations that are marked for it share a place. To learn what an
// operation sends takes as long as its cases do then.
const fewerOperations = 4

// oneIn chooses one name in so many, the same ones each time for one seed.
func oneIn(every uint32, name string, seed uint64) bool {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name)) // a hash takes everything
	return uint64(sum.Sum32()%every) == seed%uint64(every)
}

// isChosen: the named case alone where one is named, else one in so many, the same ones each time for one seed.
func (c trial) isChosen(every uint32, seed uint64) bool {
	if named := os.Getenv(oneVariable); named != "" {
		return c.String() == named
	}
	return oneIn(every, c.String(), seed)
}

// try runs one case and says what went wrong and how to run it again.
func (c trial) try(t *testing.T, results *results) *wire {
	t.Helper()
	found, sent := c.run(t)
	results.add(rowOf(c.on, c.operation), found)
	if found.outcome.isWrong() {
		results.complain(t, found, c)
	}
	return sent
}

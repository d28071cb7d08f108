// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

// For the bench of the CLIs: how long it begins new cases, the seed by which they are put in order, and how many run at
// the same time.
const (
	budgetVariable = "CHAOS_CLI_BUDGET"
	seedVariable   = "CHAOS_SEED"
	// atOnce is how many cases run at the same time: they mostly wait.
	atOnce = 4
)

// TestEveryStrike kills, interrupts and disturbs real CLIs at every write of every operation and at the waits between
// them, with the state in each backend. Without a budget it strikes a few of them, always the same.
func TestEveryStrike(t *testing.T) {
	shared := &tools{clis: acceptance.CLIs(t), postgres: acceptance.StartPostgres(t)}
	results, seed := newResults(), seedOf(t)
	cases := shared.cases(t)
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	chosen := choose(t, cases)
	t.Logf("seed %d, %d cases of %d: SEED=%d make chaos", seed, len(chosen), len(cases), seed)
	t.Run("cases", func(t *testing.T) { runAll(t, shared, chosen, results) })
	t.Logf("\n%s", results.table())
}

// runAll begins cases until the budget is spent.
func runAll(t *testing.T, shared *tools, chosen []cliCase, results *results) {
	t.Helper()
	deadline := time.Now().Add(budget(t))
	limited := os.Getenv(budgetVariable) != ""
	queue := make(chan cliCase)
	var working sync.WaitGroup
	for range atOnce {
		working.Go(func() {
			for one := range queue {
				t.Run(one.String(), func(t *testing.T) { one.try(t, shared, results) })
			}
		})
	}
	for _, one := range chosen {
		if limited && time.Now().After(deadline) {
			break
		}
		queue <- one
	}
	close(queue)
	working.Wait()
}

// try is one case, and how to run it again.
func (c cliCase) try(t *testing.T, shared *tools, results *results) {
	t.Helper()
	found := c.run(t, shared)
	results.add(rowOf(c.on, c.operation), found)
	if found.outcome.isWrong() {
		results.complain(t, found, c)
	}
}

// cases are all cases: each operation is run to its end once to learn what it sends.
func (s *tools) cases(t *testing.T) []cliCase {
	t.Helper()
	var all []cliCase
	for _, on := range subjects() {
		for _, operation := range on.possible() {
			if named := os.Getenv(oneVariable); named != "" && !strings.Contains(named, " | "+on.String()+" | "+operation.name+" | ") {
				continue
			}
			sent := requestsOf(t, on, operation)
			for _, cli := range slices.Sorted(maps.Keys(s.clis)) {
				for _, backend := range backends {
					for _, owned := range []bool{true, false} {
						all = append(all, strikesOn(cliCase{cli: cli, backend: backend, on: on, operation: operation, owned: owned}, sent)...)
					}
				}
			}
		}
	}
	return all
}

func strikesOn(base cliCase, sent []sighted) []cliCase {
	var all []cliCase
	for _, request := range sent {
		for _, what := range strikes {
			one := base
			one.what, one.request, one.nth = what, request.name, request.nth
			all = append(all, one)
		}
	}
	return all
}

// sighted is a request that an operation sends.
type sighted struct {
	name string
	nth  int
}

// requestsOf answers the writes of an operation, and the first look of each kind after a write.
func requestsOf(t *testing.T, on subject, operation operation) []sighted {
	t.Helper()
	sent := trial{on: on, operation: operation, owned: true}.journal(t)
	counts, looks := map[string]int{}, map[string]bool{}
	var found []sighted
	wrote := false
	for _, entry := range sent {
		name := alike(entry)
		counts[name]++
		isRead := entry.Method == http.MethodGet
		if !isRead || wrote && !looks[name] && strings.Contains(name, "actions") {
			found = append(found, sighted{name, counts[name]})
		}
		looks[name] = looks[name] || wrote && isRead
		wrote = wrote || !isRead
	}
	return found
}

// choose answers the case that is named, all in the order of the seed where there is a budget, else a few that are always
// the same.
func choose(t *testing.T, cases []cliCase) []cliCase {
	t.Helper()
	if named := os.Getenv(oneVariable); named != "" {
		return slices.DeleteFunc(cases, func(one cliCase) bool { return one.String() != named })
	}
	if os.Getenv(budgetVariable) != "" {
		return cases
	}
	return cases[:min(len(cases), byDefault)]
}

// byDefault is how many cases plain go test runs.
const byDefault = 6

func budget(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv(budgetVariable)
	if text == "" {
		return 0
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", budgetVariable, err)
	}
	return length
}

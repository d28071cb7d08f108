// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
)

// row is one line of the table.
type row struct{ resource, vendor, operation string }

func rowOf(on subject, operation operation) row { return row{on.name, on.Name, operation.name} }

// results counts the outcomes of cases.
type results struct {
	mutex  sync.Mutex
	counts map[row]map[outcome]int
	// keeps says that complaints are kept and fail no test: the bench itself is tested.
	keeps      bool
	complaints []string
}

func newResults() *results { return &results{counts: map[row]map[outcome]int{}} }

func (r *results) add(line row, found verdict) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.counts[line] == nil {
		r.counts[line] = map[outcome]int{}
	}
	r.counts[line][found.outcome]++
}

// complain says what went wrong in a case, and how to run it again.
func (r *results) complain(t *testing.T, found verdict, one fmt.Stringer) {
	t.Helper()
	said := fmt.Sprintf("%s: %s\nmake chaos CASE='%s'", found.outcome, found.why, one)
	if !r.keeps {
		t.Error(said)
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.complaints = append(r.complaints, said)
}

func compareRows(a, b row) int {
	places := map[string]int{}
	for i, resource := range resources() {
		places[resource.name] = i
		for k, operation := range resource.operations {
			places[resource.name+"/"+operation.name] = k
		}
	}
	place := func(line row) int { return places[line.resource+"/"+line.operation] }
	return cmp.Or(cmp.Compare(places[a.resource], places[b.resource]), cmp.Compare(a.vendor, b.vendor), cmp.Compare(place(a), place(b)))
}

// table is what a person reads: a line for each resource, vendor and operation.
func (r *results) table() string {
	var text strings.Builder
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "resource\tvendor\toperation\tcases")
	for _, kind := range outcomes {
		fmt.Fprintf(out, "\t%s", kind)
	}
	for _, line := range slices.SortedFunc(maps.Keys(r.counts), compareRows) {
		total := 0
		for _, count := range r.counts[line] {
			total += count
		}
		fmt.Fprintf(out, "\n%s\t%s\t%s\t%d", line.resource, line.vendor, line.operation, total)
		for _, kind := range outcomes {
			fmt.Fprintf(out, "\t%d", r.counts[line][kind])
		}
	}
	_ = out.Flush() // a strings.Builder takes everything
	return text.String() + "\n"
}

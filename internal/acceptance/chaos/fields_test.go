// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"net/http"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

// TestEveryField drops, nulls and mistypes every field of every answer in turn: there is no panic, and when the vendor
// answers well again nothing is doubled, lost or foreign.
func TestEveryField(t *testing.T) {
	results, every, seed := newResults(), share(t), seedOf(t)
	t.Run("cases", func(t *testing.T) {
		for _, on := range subjects() {
			for _, operation := range on.possible() {
				t.Run(on.String()+"/"+operation.name, func(t *testing.T) {
					t.Parallel()
					spoilEach(t, trial{on: on, operation: operation, owned: true}, every, seed, results)
				})
			}
		}
	})
	t.Logf("1 case in %d, seed %d\n%s", every*fewerFields, seed, results.table())
}

// spoilEach spoils each field once in the first answer of its sort: the plan's first requests are the same everywhere.
func spoilEach(t *testing.T, base trial, every uint32, seed uint64, results *results) {
	t.Helper()
	if base.isOut(every, seed) {
		return
	}
	whole := base.try(t, results)
	seen := map[string]bool{}
	for number, body := range whole.answers {
		for _, path := range drivertest.FieldPaths(body) {
			sort := whole.sent[number] + " " + path
			if seen[sort] && strings.HasPrefix(sort, http.MethodGet) && number < whole.planned {
				continue
			}
			seen[sort] = true
			for _, how := range drivertest.Spoilings() {
				one := base
				one.at, one.what = number+1, interruption{name: path + " " + how, carriedOut: true, spoils: path, how: how}
				if one.isChosen(every*fewerFields, seed) {
					one.try(t, results)
				}
			}
		}
	}
}

// fewerFields: there are so many fields that fewer of them are chosen.
const fewerFields = 20

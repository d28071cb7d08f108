// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// fieldPaths answers the paths of all fields of a JSON text, with * for the elements of lists and for keys that are ids.
func fieldPaths(text []byte) []string {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	found := map[string]bool{}
	collect(value, "", found)
	return slices.Sorted(maps.Keys(found))
}

func collect(value any, at string, found map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			path := strings.TrimPrefix(at+"."+name, ".")
			found[path] = true
			collect(inner, path, found)
		}
	case []any:
		for _, inner := range value {
			collect(inner, at+".*", found)
		}
	}
}

// spoilings are the ways in which a field is spoilt.
var spoilings = map[string]func(object map[string]any, name string){
	"dropped": func(object map[string]any, name string) { delete(object, name) },
	"null":    func(object map[string]any, name string) { object[name] = nil },
	"mistyped": func(object map[string]any, name string) {
		if _, isText := object[name].(string); isText {
			object[name] = map[string]any{"unexpected": []any{1.5}}
		} else {
			object[name] = "unexpected"
		}
	},
}

// spoil answers the JSON text with a field spoilt wherever its path leads.
func spoil(text []byte, path, how string) []byte {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return text
	}
	spoilAt(value, strings.Split(path, "."), spoilings[how])
	out, err := json.Marshal(value)
	if err != nil {
		return text
	}
	return out
}

func spoilAt(value any, path []string, how func(map[string]any, string)) {
	switch value := value.(type) {
	case map[string]any:
		inner, there := value[path[0]]
		switch {
		case !there:
		case len(path) == 1:
			how(value, path[0])
		default:
			spoilAt(inner, path[1:], how)
		}
	case []any:
		for _, inner := range value {
			spoilAt(inner, path[1:], how)
		}
	}
}

// TestEveryField drops, nulls and mistypes every field of every answer in turn: there is no panic, and when the vendor
// answers well again nothing is doubled, lost or foreign.
func TestEveryField(t *testing.T) {
	results, every, seed := newResults(), share(t), seedOf(t)
	t.Run("cases", func(t *testing.T) {
		for _, on := range subjects() {
			for _, operation := range on.operations {
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
	if base.isOut() {
		return
	}
	whole := base.try(t, results)
	seen := map[string]bool{}
	for number, body := range whole.answers {
		for _, path := range fieldPaths(body) {
			sort := whole.sent[number] + " " + path
			if seen[sort] && strings.HasPrefix(sort, http.MethodGet) && number < whole.planned {
				continue
			}
			seen[sort] = true
			for how := range spoilings {
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

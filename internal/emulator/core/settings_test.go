// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"fmt"
	"testing"
)

func newStore() *SettingsStore {
	store := NewSettings(Settings{
		ActionTimes: map[string]Duration{}, ActionResults: map[string]Result{}, Quotas: map[string]int{"servers": 9},
		Limits: map[string]Limit{"hetzner": {PerHour: 3600}},
	})
	store.Know(Vocabulary{Operations: []string{"make"}, Kinds: []string{"servers"}, Vendors: []string{"hetzner"}})
	return store
}

// TestResultsAreCounted: once when nothing is said, n times, or for ever.
func TestResultsAreCounted(t *testing.T) {
	for name, test := range map[string]struct {
		times *int
		want  []string
	}{
		"not said": {nil, []string{"error", "", ""}},
		"twice":    {new(2), []string{"error", "error", ""}},
		"for ever": {new(0), []string{"error", "error", "error"}},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore()
			if err := store.Change(func(s *Settings) { s.ActionResults["make"] = Result{Status: "error", Times: test.times} }); err != nil {
				t.Fatal(err)
			}
			var got []string
			for range test.want {
				got = append(got, store.TakeResult("make").Status)
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestSettingsThatWereReadStay: a reader's copy never changes under its hands.
func TestSettingsThatWereReadStay(t *testing.T) {
	store := newStore()
	before := store.Get()
	if err := store.Merge([]byte(`{"quotas":{"servers":1}}`)); err != nil {
		t.Fatal(err)
	}
	if before.Quotas["servers"] != 9 || store.Get().Quotas["servers"] != 1 {
		t.Errorf("before %v, after %v", before.Quotas, store.Get().Quotas)
	}
}

// TestLimitsAreNoticed: only a change of the limits counts as one.
func TestLimitsAreNoticed(t *testing.T) {
	store := newStore()
	_, first := store.Limit("hetzner")
	if err := store.Merge([]byte(`{"page_max":5}`)); err != nil {
		t.Fatal(err)
	}
	if _, second := store.Limit("hetzner"); second != first {
		t.Error("a change of page_max counts as one of the limits")
	}
	if err := store.Merge([]byte(`{"limits":{"hetzner":{"remaining":0}}}`)); err != nil {
		t.Fatal(err)
	}
	if limit, third := store.Limit("hetzner"); third == first || *limit.Remaining != 0 || limit.PerHour != 3600 {
		t.Errorf("limit %+v was not noticed", limit)
	}
}

func TestEveryMeaningHasASetting(t *testing.T) {
	explained, err := newStore().Explain()
	if err != nil {
		t.Fatal(err)
	}
	for key := range Meanings {
		if _, found := explained[key]; !found {
			t.Errorf("%s is explained and is no setting", key)
		}
	}
	if len(explained) != len(Meanings) {
		t.Errorf("%d settings, %d meanings", len(explained), len(Meanings))
	}
}

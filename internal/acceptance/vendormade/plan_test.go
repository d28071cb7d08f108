// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

// change is an attribute's value in the state and in the plan.
type change struct{ Before, After any }

// changes are by attribute, in dots.
type changes map[string]change

// open is the value of what only the apply will tell.
const open = "(known after apply)"

// plannedChange is what a plan says of one resource (JSON output format of Terraform, plan representation).
type plannedChange struct {
	Address string `json:"address"`
	Change  struct {
		Actions      []string       `json:"actions"`
		Before       map[string]any `json:"before"`
		After        map[string]any `json:"after"`
		AfterUnknown map[string]any `json:"after_unknown"`
		Importing    *struct{}      `json:"importing"`
	} `json:"change"`
}

// planned reads a plan that was written to a file, by the addresses of its resources; what does not change is left out.
func planned(w *acceptance.Workspace, file string) map[string]plannedChange {
	w.Helper()
	var plan struct {
		Changes []plannedChange `json:"resource_changes"`
	}
	text := w.Must("show", "-json", file)
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		w.Fatalf("%v\n%s", err, text)
	}
	found := map[string]plannedChange{}
	for _, one := range plan.Changes {
		if one.Change.Importing != nil || !reflect.DeepEqual(one.Change.Actions, []string{"no-op"}) {
			found[one.Address] = one
		}
	}
	return found
}

// mustUpdate plans, and answers the only change: one in place.
func mustUpdate(w *acceptance.Workspace, address string) plannedChange {
	w.Helper()
	w.Must("plan", "-out=planned")
	plan := planned(w, "planned")
	if len(plan) != 1 || !slices.Equal(plan[address].Change.Actions, []string{"update"}) {
		w.Fatalf("the plan is not a change in place of %s alone: %+v", address, plan)
	}
	return plan[address]
}

// changes answers the attributes that differ.
func (p plannedChange) changes() changes {
	before, after := map[string]any{}, map[string]any{}
	flatten("", p.Change.Before, before)
	flatten("", p.Change.After, after)
	flatten("", opened(p.Change.AfterUnknown), after)
	found := changes{}
	for name := range merged(before, after) {
		if !reflect.DeepEqual(before[name], after[name]) {
			found[name] = change{before[name], after[name]}
		}
	}
	return found
}

func merged(parts ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// flatten writes what is not null into a map, objects and maps by their attributes.
func flatten(at string, value any, into map[string]any) {
	switch value := value.(type) {
	case nil:
	case map[string]any:
		for name, inner := range value {
			if at != "" {
				name = at + "." + name
			}
			flatten(name, inner, into)
		}
	default:
		into[at] = value
	}
}

// opened answers the shape of what is unknown with open in the place of true. Lists are unknown as a whole here, or not at all.
func opened(unknown map[string]any) map[string]any {
	shape := map[string]any{}
	for name, value := range unknown {
		switch value := value.(type) {
		case bool:
			shape[name] = open
		case map[string]any:
			shape[name] = opened(value)
		}
	}
	return shape
}

// wantChanges compares.
func wantChanges(t *testing.T, what string, got, want changes) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: the plan changes (-want +got):\n%s", what, diff)
	}
}

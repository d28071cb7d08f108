// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/drift"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// tampering is how a row of the tables of drift comes about.
type tampering struct {
	// base and before are what was applied, after are changes of the configuration since.
	base          string
	before, after values
	do            func(*stage, providertest.State)
	// code is that of the error, where the row is one.
	code string
}

// tamperings are the changes from outside by resource, attribute and change.
var tamperings = map[string]map[string]tampering{
	instanceType: instanceHands, addressType: addressHands, certificateType: certificateHands, accountType: accountHands, secretType: secretHands,
}

func keyOf(row drift.Row) string { return row.Attribute + ": " + row.Change }

// eachDrift runs a test for every row of the tables, at every vendor that has such a thing.
func eachDrift(t *testing.T, run func(t *testing.T, of subject, vendor providertest.Vendor, row drift.Row)) {
	t.Helper()
	for _, table := range drift.Tables {
		of := subjects[slices.IndexFunc(subjects, func(of subject) bool { return of.resource == table.Resource })]
		for _, vendor := range vendorsOf(of.on) {
			for _, row := range table.Rows {
				if row.Answers[vendor.Kind] == "" {
					continue
				}
				name := strings.TrimPrefix(of.resource, "bettercompute_") + "/" + vendor.Name + "/" + keyOf(row)
				t.Run(name, func(t *testing.T) { run(t, of, vendor, row) })
			}
		}
	}
}

// TestEveryDriftIsAnswered changes at the vendor what each row of the documentation's tables says, and wants the next plan to
// do what the row says.
func TestEveryDriftIsAnswered(t *testing.T) {
	eachDrift(t, func(t *testing.T, of subject, vendor providertest.Vendor, row drift.Row) {
		hand, there := tamperings[of.resource][keyOf(row)]
		if !there {
			t.Fatal("nobody changes it outside")
		}
		synctest.Test(t, func(t *testing.T) { newStage(t, of, vendor).drift(row, hand) })
	})
}

func (s *stage) drift(row drift.Row, hand tampering) {
	s.T.Helper()
	state := s.Apply(s.subject.resource, s.Begin().Nothing(s.subject.resource), s.config(hand.base, hand.before))
	truth := s.truth()
	hand.do(s, state)
	config := s.config(hand.base, hand.before, hand.after)
	s.Emulator.ClearJournal()
	answer := row.Answers[s.Vendor.Kind]
	if answer == drift.Fails {
		s.mustFail(state, config, hand.code)
		return
	}
	change := s.Plan(s.subject.resource, state, config)
	if errors := change.Diagnostics.Errors(); len(errors) > 0 && answer != drift.Releases {
		s.T.Fatalf("the plan fails: %s", errors)
	}
	seen := change.Prior.There() && !providertest.Fields(s.T, change.Prior.Value)[row.Attribute].Equal(providertest.Fields(s.T, state.Value)[row.Attribute])
	differs := len(change.Changed(s.T)) > 0 || change.Replaces
	switch answer {
	case drift.Keeps, drift.Shows:
		if differs || !change.Prior.There() || seen != (answer == drift.Shows) {
			s.T.Errorf("want %q: there %t, seen %t, the plan changes %v", answer, change.Prior.There(), seen, change.Changed(s.T))
		}
		return
	case drift.Recreates, drift.Releases:
		if change.Prior.There() {
			s.T.Fatalf("it stays in the state, and the plan changes %v", change.Changed(s.T))
		}
		if answer == drift.Releases {
			return
		}
	case drift.Restores:
		if _, shown := change.Changed(s.T)[row.Attribute]; !shown || change.Replaces {
			s.T.Fatalf("the plan replaces %t, and changes %v", change.Replaces, change.Changed(s.T))
		}
	case drift.Fails:
	}
	s.MustBeQuiet(s.subject.resource, s.Apply(s.subject.resource, state, config), config)
	if diff := cmp.Diff(truth, s.truth()); diff != "" && answer == drift.Restores {
		s.T.Errorf("the apply has not put back what was there (-before +after):\n%s", diff)
	}
}

// mustFail wants the plan, or else its apply, to end in an error.
func (s *stage) mustFail(state providertest.State, config values, code string) {
	s.T.Helper()
	change := s.Plan(s.subject.resource, state, config)
	faults := change.Diagnostics.Errors()
	if len(faults) == 0 {
		_, applied := s.Begin().ApplyChange(s.T.Context(), s.subject.resource, change)
		faults = applied.Errors()
	}
	if !strings.Contains(faults.String(), "("+code+")") {
		s.T.Errorf("want %s, got: %s", code, faults)
	}
	if writes := s.Writes(); len(writes) > 0 {
		s.T.Errorf("what fails has written %v", writes)
	}
}

// truth is what is at the vendor, as anybody can look at it. Tags that nothing bears tell nothing, and neither do the lines of a
// description that are not marks: who wipes a description takes what was noted there along.
func (s *stage) truth() string {
	inventory := s.Emulator.Inventory()[s.Vendor.Name]
	delete(inventory, "tags")
	for _, objects := range inventory {
		for i, object := range objects {
			slices.Sort(object.Tags)
			_, marks := s.Vendor.Labels(object)
			objects[i].Description = fmt.Sprint(marks)
		}
	}
	text, err := json.MarshalIndent(inventory, "", "  ")
	if err != nil {
		s.T.Fatal(err)
	}
	return string(text)
}

// TestEveryAttributeIsInATableOfDrift: one that is new fails here until the tables say what is seen of it.
func TestEveryAttributeIsInATableOfDrift(t *testing.T) {
	_, schemas := serve(t, fillings["all null"])
	for _, table := range drift.Tables {
		named := slices.Clone(table.Own)
		for _, row := range table.Rows {
			named = append(named, row.Attribute)
		}
		known := []string{}
		for _, attribute := range schemas.ResourceSchemas[table.Resource].Block.Attributes {
			known = append(known, attribute.Name)
			if !isOption(table.Resource, attribute.Name) && !slices.Contains(named, attribute.Name) {
				t.Errorf("%s: nothing is said of %s", table.Resource, attribute.Name)
			}
		}
		for _, name := range named {
			if !slices.Contains(known, name) {
				t.Errorf("%s has no attribute %s", table.Resource, name)
			}
		}
	}
	if len(drift.Tables) != len(schemas.ResourceSchemas) {
		t.Errorf("%d tables of %d resources", len(drift.Tables), len(schemas.ResourceSchemas))
	}
}

// TestWhatIsOwnIsNotChangedAtAVendor: an attribute that is said to be in configuration and state only is not sent in place. The
// account is, by its mark, and a change of that is told by the table of changes.
func TestWhatIsOwnIsNotChangedAtAVendor(t *testing.T) {
	for _, table := range drift.Tables {
		of := subjects[slices.IndexFunc(subjects, func(of subject) bool { return of.resource == table.Resource })]
		for _, row := range of.rows {
			name, _, _ := strings.Cut(row.attribute, ".")
			if !slices.Contains(table.Own, name) || name == "provider_account" || of.resource == secretType {
				continue
			}
			for _, vendor := range vendorsOf(of.on) {
				if is := row.outcome(vendor.Name); is == inPlace {
					t.Errorf("%s: %s is said to be at no vendor, and its change is %s", table.Resource, row.attribute, is)
				}
			}
		}
	}
}

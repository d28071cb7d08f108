// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// outcome is what a change of a configuration comes to.
type outcome string

const (
	// nothing: no plan differs.
	nothing outcome = "nothing"
	// stored: the state takes the new value, and nothing is sent that changes something at the vendor.
	stored outcome = "stored"
	// inPlace: the object is changed and goes on meanwhile.
	inPlace outcome = "in place"
	// restarts: a machine is stopped for it and started again, as the plan warns.
	restarts outcome = "in place, with a restart"
	// erases: what is on the machine's disk is lost, as the plan warns.
	erases outcome = "in place, and the disk is erased"
	// replaces: another object takes its place.
	replaces outcome = "replaces"
	// isRefused: the configuration or its plan is an error.
	isRefused outcome = "refused"
)

// changed is a row of the table of changes: an attribute of a resource, what is done to it, and what that comes to.
type changed struct {
	// attribute is a path in dots, what the change in words.
	attribute, what string
	// on are the vendors of the row, all that have the resource where empty.
	on string
	// base is the name of the configuration that is changed, "" for the resource's plain one. before are changes of it that
	// are there from the start, after are those that come then. A func(*stage) any stands for what it answers.
	base          string
	before, after providertest.Attributes
	is            outcome
	// but are the outcomes at vendors that differ.
	but map[string]outcome
	// beside are the codes that a replacement with create_before_destroy is refused with, by vendor; elsewhere both objects
	// are there for a while.
	beside map[string]string
}

func (c changed) outcome(vendor string) outcome {
	if one, differs := c.but[vendor]; differs {
		return one
	}
	return c.is
}

// subject is a resource with its rows.
type subject struct {
	resource string
	// on are the vendors that have it, bases its configurations by name.
	on    string
	bases map[string]func(*stage) providertest.Attributes
	rows  []changed
	// prepare makes what the configurations need.
	prepare func(*stage)
}

var subjects = []subject{instances, addresses, certificates, providerAccounts, secrets}

// stage is a scene with what the rows of a subject need.
type stage struct {
	*providertest.Scene
	subject subject
	// written answers what the subject keeps outside a vendor, such as a file, to see whether it has changed.
	written func() string
	// values are what prepare has made.
	values map[string]any
}

func newStage(t *testing.T, of subject, vendor providertest.Vendor) *stage {
	t.Helper()
	s := &stage{Scene: providertest.NewSceneInMemory(t, vendor), subject: of, written: func() string { return "" }, values: map[string]any{}}
	if of.prepare != nil {
		of.prepare(s)
	}
	return s
}

// config is a configuration of the subject with changes.
func (s *stage) config(base string, changes ...providertest.Attributes) providertest.Attributes {
	config := s.subject.bases[base](s)
	for _, some := range changes {
		for name, value := range some {
			config[name] = s.resolve(value)
		}
	}
	return config
}

// resolve answers a value, or what a function in its place says of the stage.
func (s *stage) resolve(value any) any {
	if of, ok := value.(func(*stage) any); ok {
		return of(s)
	}
	return value
}

// TestEveryChangeOfEveryAttribute plans each row of the table over what was applied before, carries out what is not refused,
// and wants no difference in the plan after it.
func TestEveryChangeOfEveryAttribute(t *testing.T) {
	for _, of := range subjects {
		for _, vendor := range vendorsOf(of.on) {
			for _, row := range of.rows {
				if row.on != "" && !strings.Contains(row.on, vendor.Name) {
					continue
				}
				name := strings.TrimPrefix(of.resource, "bettercompute_") + "/" + vendor.Name + "/" + row.attribute + ": " + row.what
				t.Run(name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { newStage(t, of, vendor).try(row) })
				})
			}
		}
	}
}

func vendorsOf(names string) []providertest.Vendor {
	return slices.DeleteFunc(slices.Clone(providertest.Vendors), func(v providertest.Vendor) bool { return !strings.Contains(names, v.Name) })
}

func (s *stage) try(row changed) {
	s.T.Helper()
	state := s.Apply(s.subject.resource, s.Begin().Nothing(s.subject.resource), s.config(row.base, row.before))
	after, want := s.config(row.base, row.before, row.after), row.outcome(s.Vendor.Name)
	s.Emulator.ClearJournal()
	written := s.written()
	if faults := s.Begin().Validate(s.subject.resource, after).Errors(); len(faults) > 0 {
		if want != isRefused {
			s.T.Fatalf("refused: %s", faults)
		}
		return
	}
	change := s.Plan(s.subject.resource, state, after)
	if got := s.outcome(change); got != want && (want != inPlace || got != stored) {
		s.T.Fatalf("the plan says %q, want %q; it changes %v: %s", got, want, change.Changed(s.T), change.Diagnostics)
	}
	switch want {
	case nothing, isRefused:
		return
	case replaces:
		s.tryReplacement(row, change, state, after)
		return
	case stored, inPlace, restarts, erases:
	}
	next := s.Apply(s.subject.resource, state, after)
	wrote := s.Writes()
	if quiet := len(wrote) == 0 && s.written() == written; quiet != (want == stored) {
		s.T.Errorf("the apply of what is %s has written %v", want, wrote)
	}
	if stops := strings.Contains(strings.Join(s.operations(), " "), "shutdown"); want == restarts && !stops {
		s.T.Errorf("nothing was asked to stop: %v", s.operations())
	}
	s.mustBeTheSame(state, next)
	s.MustBeQuiet(s.subject.resource, next, after)
}

// outcome reads a plan; what is stored and what is changed at the vendor look alike in it.
func (s *stage) outcome(change providertest.Change) outcome {
	warnings := change.Diagnostics.Warnings().String()
	switch {
	case len(change.Diagnostics.Errors()) > 0:
		return isRefused
	case change.Replaces:
		return replaces
	case len(change.Changed(s.T)) == 0:
		return nothing
	case strings.Contains(warnings, "will be erased"):
		return erases
	case strings.Contains(warnings, "will be stopped and started again"):
		return restarts
	}
	return stored
}

func (s *stage) operations() []string {
	var all []string
	for _, entry := range s.Emulator.Journal() {
		all = append(all, entry.Path+" "+entry.Operation)
	}
	return all
}

// identities are the attributes that tell one object from another.
var identities = []string{"id", "machine_id", "address", "certificate_id", "ref"}

func (s *stage) mustBeTheSame(before, after providertest.State) {
	s.T.Helper()
	for name, value := range providertest.Fields(s.T, before.Value) {
		if slices.Contains(identities, name) && !value.Equal(providertest.Fields(s.T, after.Value)[name]) {
			s.T.Errorf("%s was %s and is %s", name, value, providertest.Fields(s.T, after.Value)[name])
		}
	}
}

// tryReplacement carries a replacement out with create_before_destroy, which shows more than the other order does: the new
// object is there beside the old one. The attribute of the row is what the plan names.
func (s *stage) tryReplacement(row changed, change providertest.Change, prior providertest.State, config providertest.Attributes) {
	s.T.Helper()
	if !slices.ContainsFunc(change.ReplacedBy, func(by string) bool { return strings.HasPrefix(row.attribute, by) || by == "kind" }) {
		s.T.Errorf("it is replaced by %s", change.ReplacedBy)
	}
	made, faults := s.replaceBefore(prior, config)
	if code := row.beside[s.Vendor.Name]; code != "" {
		if !strings.Contains(faults.Errors().String(), "("+code+")") {
			s.T.Errorf("with create_before_destroy want %s, got %s", code, faults)
		}
		return
	}
	if len(faults.Errors()) > 0 {
		s.T.Fatalf("with create_before_destroy: %s", faults)
	}
	s.MustBeQuiet(s.subject.resource, made, config)
}

// replaceBefore does what a CLI does for a replacement with create_before_destroy: the plan, once more over nothing, and in
// the process of the apply the create and then the destroy.
func (s *stage) replaceBefore(prior providertest.State, config providertest.Attributes) (providertest.State, providertest.Diagnostics) {
	s.T.Helper()
	ctx, name := s.T.Context(), s.subject.resource
	planning := s.Begin()
	read, faults := planning.Refresh(ctx, name, prior)
	if len(faults.Errors()) > 0 {
		return read, faults
	}
	first := planning.PlanChange(ctx, name, read, config)
	fresh := providertest.State{Value: planning.Nothing(name).Value, Private: first.Planned.Private}
	if second := planning.PlanChange(ctx, name, fresh, config); len(second.Diagnostics.Errors()) > 0 {
		return fresh, second.Diagnostics
	}
	applying := s.Begin()
	made, faults := applying.ApplyChange(ctx, name, applying.PlanChange(ctx, name, fresh, config))
	if len(faults.Errors()) > 0 {
		return made, faults
	}
	_, faults = applying.ApplyChange(ctx, name, applying.Destruction(name, read))
	return made, faults
}

// with joins changes.
func with(some ...providertest.Attributes) providertest.Attributes {
	all := providertest.Attributes{}
	for _, one := range some {
		maps.Copy(all, one)
	}
	return all
}

// word is a word of the vendor.
func word(of func(providertest.Vendor) string) func(*stage) any {
	return func(s *stage) any { return of(s.Vendor) }
}

func concat(lists ...[]changed) []changed { return slices.Concat(lists...) }

// tokenElsewhere is where the account of another vendor looks for its token.
const tokenElsewhere = "BETTERCOMPUTE_OTHER_TOKEN"

// other is a vendor that the stage's is not, and that has the resource.
func (s *stage) other() providertest.Vendor {
	all := vendorsOf(s.subject.on)
	return all[slices.IndexFunc(all, func(v providertest.Vendor) bool { return v.Name != s.Vendor.Name })]
}

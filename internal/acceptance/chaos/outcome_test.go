// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// outcome is how a case ended.
type outcome string

// The outcomes. Those from doubled on must not happen.
const (
	// unharmed: the interrupted command came to its end as if nothing had happened.
	unharmed outcome = "unharmed"
	// healed: the next command brought it to its end.
	healed outcome = "healed"
	// window: without owner, killed after the create was finished and before the state was stored: CONFLICT, with the
	// import block.
	window outcome = "CONFLICT"
	// named: the answer of a reserve was lost at a vendor whose addresses bear no marks: the next apply named the address
	// that it may have made, and went on when a person had released it.
	named outcome = "named"

	doubled outcome = "doubled"
	lost    outcome = "lost"
	foreign outcome = "foreign"
	// unset: the vendor has something else than the configuration asks for, and nobody would be told.
	unset  outcome = "unset"
	broken outcome = "broken"
)

var outcomes = []outcome{unharmed, healed, window, named, doubled, lost, foreign, unset, broken}

// isWrong says whether it must not happen.
func (o outcome) isWrong() bool { return o != unharmed && o != healed && o != window && o != named }

// verdict is an outcome with what is to be said about it.
type verdict struct {
	outcome outcome
	why     string
}

func fault(kind outcome, format string, values ...any) *verdict {
	return &verdict{kind, fmt.Sprintf(format, values...)}
}

// scene is what a case works with at the vendor.
type scene struct {
	t     *testing.T
	on    subject
	cloud *emulator.Emulator
	// stranger is an object that is nobody's business here; besides are the machines that are there anyway.
	stranger emulator.Object
	besides  []emulator.Object
	// names are what options can name at the vendor, by id.
	names map[string]string
	// first are the objects that there were before the operation.
	first []string
	// since is the journal's last entry before the operation.
	since int64
}

// newScene plants somebody else's object, and what machines can be asked to use.
func newScene(t *testing.T, on subject, cloud *emulator.Emulator) *scene {
	t.Helper()
	stranger, err := on.plant(on.vendor, cloud)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	if on.resource == &instances {
		for name, id := range providertest.Furnish(t, cloud, on.Vendor) {
			names[id] = name
		}
	}
	return &scene{t: t, on: on, cloud: cloud, stranger: stranger, names: names}
}

// objects answers all objects but the stranger's.
func (s *scene) objects() []emulator.Object {
	return slices.DeleteFunc(s.on.objects(s.on.vendor, s.cloud), func(object emulator.Object) bool {
		return object.ID == s.stranger.ID
	})
}

// begin notes that what counts begins now.
func (s *scene) begin() {
	for _, object := range s.objects() {
		s.first = append(s.first, object.ID)
	}
	if s.on.resource != &instances {
		s.besides = s.on.Machines(s.cloud)
	}
	journal := s.cloud.Journal()
	if len(journal) > 0 {
		s.since = journal[len(journal)-1].Seq
	}
}

// strangers says what has happened to somebody else's object, or to a machine that is there besides; nil: nothing.
func (s *scene) strangers() *verdict {
	if s.on.resource != &instances && !reflect.DeepEqual(s.besides, s.on.Machines(s.cloud)) {
		return fault(foreign, "the machines were %+v and are %+v", s.besides, s.on.Machines(s.cloud))
	}
	for _, object := range s.on.objects(s.on.vendor, s.cloud) {
		if object.ID != s.stranger.ID {
			continue
		}
		if !reflect.DeepEqual(object, s.stranger) {
			return fault(foreign, "somebody else's %s was %+v and is %+v", s.on.name, s.stranger, object)
		}
		for _, entry := range s.cloud.JournalSince(s.since) {
			if entry.Object == s.stranger.ID && entry.Method != "GET" {
				return fault(foreign, "somebody else's %s was sent %s %s", s.on.name, entry.Method, entry.Path)
			}
		}
		return nil
	}
	return fault(foreign, "somebody else's %s is gone", s.on.name)
}

// matches compares what the vendor has with what the state holds; wanted is how many there have to be.
func (s *scene) matches(held []string, wanted int) *verdict {
	var there, unfinished []string
	for _, object := range s.objects() {
		there = append(there, object.ID)
		if s.on.creating(s.on.vendor, s.cloud, object) {
			unfinished = append(unfinished, object.ID)
		}
	}
	switch {
	case len(there) > wanted && len(held) <= wanted:
		return fault(doubled, "the vendor has %s, the state holds %s, wanted are %d", there, held, wanted)
	case !slices.Equal(slices.Sorted(slices.Values(there)), slices.Sorted(slices.Values(held))):
		return fault(lost, "the vendor has %s, the state holds %s", there, held)
	case len(there) != wanted:
		return fault(broken, "the vendor has %s, wanted are %d", there, wanted)
	case len(unfinished) > 0:
		return fault(broken, "%s %s still bears the mark of an unfinished create", s.on.name, unfinished)
	}
	return nil
}

// ordered counts the creates that the vendor has carried out since the operation began.
func (s *scene) ordered() int { return s.on.ordered(s.cloud, s.since) }

// replaced says that an object that was to be replaced is still there, nil: it is not.
func (s *scene) replaced(operation operation) *verdict {
	if operation.replaces && s.on.mayReuseIDs() && s.ordered() == 0 {
		return fault(broken, "no %s was made in the place of the old one", s.on.name)
	}
	for _, object := range s.objects() {
		if operation.replaces && !s.on.mayReuseIDs() && slices.Contains(s.first, object.ID) {
			return fault(broken, "%s %s was not replaced", s.on.name, object.ID)
		}
	}
	return nil
}

// orderedAtMost says that too many objects were ordered, nil: they were not.
func (s *scene) orderedAtMost(most int) *verdict {
	if s.ordered() > most {
		return fault(broken, "%d were ordered, allowed is %d", s.ordered(), most)
	}
	return nil
}

// unanswered is the object that a create has made whose answer was lost, at a vendor where nothing says whose it is; said
// names it, as what the create may have made.
func (s *scene) unanswered(held []string, said string) (emulator.Object, bool) {
	if !s.on.isNameless() || s.strangers() != nil {
		return emulator.Object{}, false
	}
	var found []emulator.Object
	for _, object := range s.objects() {
		if !slices.Contains(held, object.ID) && len(rowsOf(s.cloud, object)) == 0 {
			found = append(found, object)
		}
	}
	if len(found) != 1 || !strings.Contains(said, found[0].ID) || !strings.Contains(said, "(CONFLICT)") {
		return emulator.Object{}, false
	}
	return found[0], true
}

// release is what a person does with an object that an apply has named: here it goes.
func (s *scene) release(object emulator.Object) error {
	return s.cloud.Vanish(s.on.Name, addressPlaces[s.on.Name].collection, object.ID)
}

// writes lists the requests since the operation began that were no reads, for the words of a verdict.
func (s *scene) writes() string {
	var sent []string
	for _, entry := range s.cloud.JournalSince(s.since) {
		if entry.Method != "GET" {
			sent = append(sent, fmt.Sprintf("%s %s %d", entry.Method, entry.Path, entry.Status))
		}
	}
	return strings.Join(sent, ", ")
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
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

	doubled outcome = "doubled"
	lost    outcome = "lost"
	foreign outcome = "foreign"
	broken  outcome = "broken"
)

var outcomes = []outcome{unharmed, healed, window, doubled, lost, foreign, broken}

// isWrong says whether it must not happen.
func (o outcome) isWrong() bool { return o != unharmed && o != healed && o != window }

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
	vendor vendor
	cloud  *emulator.Emulator
	// stranger is a machine that is nobody's business here.
	stranger emulator.Object
	// first are the machines that there were before the operation.
	first []string
	// since is the journal's last entry before the operation.
	since int64
}

// newScene plants somebody else's machine.
func newScene(v vendor, cloud *emulator.Emulator) (*scene, error) {
	stranger, err := v.Plant(cloud, "stranger", map[string]string{"team": "others"}, nil)
	return &scene{vendor: v, cloud: cloud, stranger: stranger}, err
}

// machines answers all machines but the stranger's.
func (s *scene) machines() []emulator.Object {
	return slices.DeleteFunc(s.vendor.Machines(s.cloud), func(object emulator.Object) bool {
		return object.ID == s.stranger.ID
	})
}

// begin notes that what counts begins now.
func (s *scene) begin() {
	for _, machine := range s.machines() {
		s.first = append(s.first, machine.ID)
	}
	journal := s.cloud.Journal()
	if len(journal) > 0 {
		s.since = journal[len(journal)-1].Seq
	}
}

// strangers says what has happened to somebody else's machine, nil: nothing.
func (s *scene) strangers() *verdict {
	for _, object := range s.vendor.Machines(s.cloud) {
		if object.ID != s.stranger.ID {
			continue
		}
		if !reflect.DeepEqual(object, s.stranger) {
			return fault(foreign, "somebody else's machine was %+v and is %+v", s.stranger, object)
		}
		for _, entry := range s.cloud.JournalSince(s.since) {
			if entry.Object == s.stranger.ID && entry.Method != "GET" {
				return fault(foreign, "somebody else's machine was sent %s %s", entry.Method, entry.Path)
			}
		}
		return nil
	}
	return fault(foreign, "somebody else's machine is gone")
}

// matches compares what the vendor has with what the state holds; wanted is how many there have to be.
func (s *scene) matches(held []string, wanted int) *verdict {
	var there []string
	for _, machine := range s.machines() {
		there = append(there, machine.ID)
		if s.vendor.creating(machine) {
			return fault(broken, "machine %s still bears the mark of an unfinished create", machine.ID)
		}
	}
	switch {
	case len(there) > wanted && len(held) <= wanted:
		return fault(doubled, "the vendor has machines %s, the state holds %s, wanted are %d", there, held, wanted)
	case !slices.Equal(slices.Sorted(slices.Values(there)), slices.Sorted(slices.Values(held))):
		return fault(lost, "the vendor has machines %s, the state holds %s", there, held)
	case len(there) != wanted:
		return fault(broken, "the vendor has machines %s, wanted are %d", there, wanted)
	}
	return nil
}

// ordered counts the creates that the vendor has carried out since the operation began.
func (s *scene) ordered() int {
	count := 0
	for _, entry := range s.cloud.JournalSince(s.since) {
		if entry.Accepted && s.vendor.creates(entry) {
			count++
		}
	}
	return count
}

// replaced says that a machine that was to be replaced is still there, nil: it is not.
func (s *scene) replaced(operation operation) *verdict {
	if operation.replaces && s.vendor.ReusesIDs && s.ordered() == 0 {
		return fault(broken, "no machine was made in the place of the old one")
	}
	for _, machine := range s.machines() {
		if operation.replaces && !s.vendor.ReusesIDs && slices.Contains(s.first, machine.ID) {
			return fault(broken, "machine %s was not replaced", machine.ID)
		}
	}
	return nil
}

// orderedAtMost says that too many machines were ordered, nil: they were not.
func (s *scene) orderedAtMost(most int) *verdict {
	if s.ordered() > most {
		return fault(broken, "%d machines were ordered, allowed is %d", s.ordered(), most)
	}
	return nil
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

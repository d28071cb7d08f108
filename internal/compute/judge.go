// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Sight is what a vendor's object shows to the state that holds it.
type Sight string

// The sights, in the order of the table.
const (
	// SightOurs: our key and our claim.
	SightOurs Sight = "our key, our claim"
	// SightLater: our key and a claim of a create after ours: still creating, or of the same non-empty owner.
	SightLater Sight = "our key, another claim of a create after ours"
	// SightForeignClaim: our key, and a claim of another state.
	SightForeignClaim Sight = "our key, another state's claim"
	// SightUnmarked: our key without a well-formed claim, or no marks at all on what is provably the same object.
	SightUnmarked Sight = "our marks are missing"
	// SightOtherKey: another key.
	SightOtherKey Sight = "another key"
	// SightReused: no key on a machine that has come to the id of ours, which is gone.
	SightReused Sight = "no key on another machine with the same id"
	// SightNothing: there is no such object.
	SightNothing Sight = "nothing"
)

// Deed is what an operation does at a sight.
type Deed string

// The deeds.
const (
	GoOn         Deed = "go on"
	Keep         Deed = "keep"
	KeepAndWarn  Deed = "keep, with a warning"
	Remove       Deed = "remove from state, with a warning"
	RestoreMarks Deed = "restore the marks"
	Refuse       Deed = "CONFLICT"
	PlanAgain    Deed = "CONFLICT: plan again"
	Missing      Deed = "NOT_FOUND: plan again"
	DropNoCall   Deed = "no call, dropped with a warning"
	AlreadyGone  Deed = "done"
)

// JudgeRow is one row of the table that says what may be done with an object, by what it shows.
type JudgeRow struct {
	Sight                Sight
	Read, Update, Delete Deed
}

// Judgements is the whole table. It is data so that the conformance tests and the documentation read the same rows as
// the code does.
var Judgements = []JudgeRow{
	{SightOurs, Keep, GoOn, GoOn},
	{SightLater, Remove, PlanAgain, DropNoCall},
	{SightForeignClaim, KeepAndWarn, Refuse, DropNoCall},
	{SightUnmarked, Keep, RestoreMarks, GoOn},
	{SightOtherKey, Remove, Refuse, DropNoCall},
	{SightReused, Remove, Refuse, DropNoCall},
	{SightNothing, Remove, Missing, AlreadyGone},
}

// Judge answers the row for what a machine shows to the state that holds it.
func Judge(machine driver.Machine, held Held, owner string) JudgeRow {
	if machine.Marks.Key == "" && reused(machine, held) {
		return judgement(SightReused)
	}
	return JudgeMarks(machine.Marks, held.Key, held.Claim, owner)
}

// JudgeMarks answers the row for what the marks of an object, whose id is given to no other one, show to the state that
// holds it under this key and claim.
func JudgeMarks(marks driver.Marks, key, claim, owner string) JudgeRow {
	return judgement(sight(marks, key, claim, owner))
}

// reused says whether a machine is not the one that the state holds, though it has its id. A state that does not know
// its machine's UUID has never seen it marked.
func reused(machine driver.Machine, held Held) bool {
	return !held.Unmarked && machine.UUID != "" && machine.UUID != held.UUID
}

func sight(marks driver.Marks, key, claim, owner string) Sight {
	switch {
	case marks.Key == "" && WellFormedClaim(marks.Claim) && marks.Claim != claim:
		return SightForeignClaim
	case marks.Key == "":
		return SightUnmarked
	case marks.Key != key:
		return SightOtherKey
	case !WellFormedClaim(marks.Claim):
		return SightUnmarked
	case marks.Claim == claim:
		return SightOurs
	case marks.Creating, sameOwner(marks.Claim, owner):
		return SightLater
	}
	return SightForeignClaim
}

func judgement(sight Sight) JudgeRow {
	for _, row := range Judgements {
		if row.Sight == sight {
			return row
		}
	}
	panic("no judgement for " + string(sight))
}

// claimed is what is said of an object that bears marks, of whatever sort.
type claimed struct {
	// id is the vendor's; otherClaims are those that a vendor shows besides the one that holds.
	id          string
	otherClaims []string
	// object is it as a phrase, such as "machine web (id 42)".
	object, name string
	marks        driver.Marks
	created      time.Time
}

func claimedMachine(machine driver.Machine) claimed {
	return claimed{object: objectOf(machine), name: machine.Name, marks: machine.Marks, created: machine.CreatedAt}
}

func claimedMachines(machines []driver.Machine) []claimed {
	all := make([]claimed, len(machines))
	for i, machine := range machines {
		all[i] = claimedMachine(machine)
	}
	return all
}

func objectsOf(all []claimed) string {
	var objects []string
	for _, one := range all {
		objects = append(objects, one.object)
	}
	return strings.Join(objects, ", ")
}

// whose describes the owner of an object for people, from its marks alone.
func (c claimed) whose() string {
	owner, _, _ := strings.Cut(c.marks.Claim, "-")
	if owner == "" || owner == "0" {
		owner = "none"
	}
	text := "it was made"
	if c.marks.Account != "" {
		text += " through account " + c.marks.Account
	}
	if c.name != "" {
		text += " under the name " + c.name
	}
	text += " (key " + cmp.Or(c.marks.Key, "none") + ", owner part of its claim: " + owner
	if !c.created.IsZero() {
		text += ", created " + c.created.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return text + ")"
}

// age says how long ago the object was made, for people.
func (c claimed) age() string {
	if c.created.IsZero() {
		return "some time"
	}
	return time.Since(c.created).Round(time.Second).String()
}

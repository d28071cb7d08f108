// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"strings"

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
	return judgement(sight(machine.Marks, held.Key, held.Claim, owner))
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

// whose describes the owner of an object for people, from its marks alone.
func whose(machine driver.Machine) string {
	owner, _, _ := strings.Cut(machine.Marks.Claim, "-")
	if owner == "" || owner == "0" {
		owner = "none"
	}
	return "it was made through account " + machine.Marks.Account + " under the name " + machine.Name +
		" (owner part of its claim: " + owner + ", created " + machine.CreatedAt.UTC().Format("2006-01-02 15:04:05 UTC") + ")"
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// The nouns of records.
const (
	nounMachine     = "machine"
	nounCertificate = "certificate"
)

// record is what is common to everything that bears our marks, whatever sort of object it is.
type record struct {
	// noun is the sort in a word, such as "machine".
	noun string
	// id and name are the vendor's.
	id, name string
	marks    driver.Marks
	// otherClaims are further claims than the one that holds, where a vendor shows several.
	otherClaims []string
	createdAt   time.Time
	busy        bool
}

// String names the object for people.
func (r record) String() string { return r.noun + " " + r.name + " (id " + r.id + ")" }

func recordOf(machine driver.Machine) record {
	return record{
		noun: nounMachine, id: machine.ID, name: machine.Name, marks: machine.Marks, otherClaims: machine.OtherClaims,
		createdAt: machine.CreatedAt, busy: machine.Busy,
	}
}

func objectOf(machine driver.Machine) string { return recordOf(machine).String() }

// whose describes the owner of an object for people, from its marks alone.
func (r record) whose() string {
	owner, _, _ := strings.Cut(r.marks.Claim, "-")
	if owner == "" || owner == "0" {
		owner = "none"
	}
	return "it was made through account " + r.marks.Account + " under the name " + r.name +
		" (owner part of its claim: " + owner + ", created " + r.createdAt.UTC().Format("2006-01-02 15:04:05 UTC") + ")"
}

func whose(machine driver.Machine) string { return recordOf(machine).whose() }

// olderRecord orders objects by their age; vendors count ids up.
func olderRecord(a, b record) int {
	if order := a.createdAt.Compare(b.createdAt); order != 0 {
		return order
	}
	return compareIDs(a.id, b.id)
}

// recordsOf answers the records of machines.
func recordsOf(machines []driver.Machine) []record {
	var records []record
	for _, machine := range machines {
		records = append(records, recordOf(machine))
	}
	return records
}

func older(a, b driver.Machine) int { return olderRecord(recordOf(a), recordOf(b)) }

// compareIDs orders numbers as numbers: vendors count up.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

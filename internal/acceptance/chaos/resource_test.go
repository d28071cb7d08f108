// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"maps"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// resource is a resource that the benches interrupt.
type resource struct {
	// name is its word in the table and in cases, typeName the CLI's, id the attribute with the vendor's id.
	name, typeName, id string
	// has says which vendors have it; nil: all.
	has func(vendor) bool
	// required are the arguments besides the account and the name.
	required   func(vendor) arguments
	operations []operation
	// objects are all that the vendor has, of everybody; creates tells the requests that make one.
	objects func(vendor, *emulator.Emulator) []emulator.Object
	creates func(vendor, emulator.Entry) bool
	// creating says whether an object shows that its create has not come to its end.
	creating func(vendor, *emulator.Emulator, emulator.Object) bool
	// plant makes one that is somebody else's, wipe takes all marks off one of ours.
	plant func(vendor, *emulator.Emulator) (emulator.Object, error)
	wipe  func(vendor, *emulator.Emulator, emulator.Object) error
	// nameless says that the vendor keeps nothing by which an object could be found whose create was not answered: the
	// next create stops and names what it may be.
	nameless func(vendor) bool
	// reusesIDs says that one that is made again may get the id of the one before.
	reusesIDs func(vendor) bool
	// shows answers what the vendor tells others of an object, by argument in dots; nil: nothing that an operation asks for.
	shows func(*scene, emulator.Object) map[string]string
}

// resources are all of them.
func resources() []*resource { return []*resource{&instances, &addresses, &certificates} }

// subject is a resource at a vendor.
type subject struct {
	vendor
	*resource
}

// subjects are all resources at all vendors that have them.
func subjects() []subject {
	var all []subject
	for _, resource := range resources() {
		for _, vendor := range vendors() {
			if resource.has == nil || resource.has(vendor) {
				all = append(all, subject{vendor, resource})
			}
		}
	}
	return all
}

// possible are the operations that the vendor has.
func (s subject) possible() []operation {
	return slices.DeleteFunc(slices.Clone(s.operations), func(one operation) bool {
		return one.vendors != nil && !slices.Contains(one.vendors, s.Name)
	})
}

// machines are the subjects that are machines.
func machines() []subject {
	return slices.DeleteFunc(subjects(), func(s subject) bool { return s.resource != &instances })
}

// String names a subject in cases.
func (s subject) String() string { return s.Name + "/" + s.name }

// address is the resource's in a configuration.
func (s subject) address() string { return s.typeName + ".web" }

// written is the whole block of an operation's side; nil where there is no object.
func (s subject) written(side func(vendor) arguments, account arguments) arguments {
	if side == nil {
		return nil
	}
	block := arguments{"provider_account": account, "name": "web"}
	maps.Copy(block, s.required(s.vendor))
	maps.Copy(block, side(s.vendor))
	return block
}

// orders tells the requests that make one.
func (s subject) orders(entry emulator.Entry) bool { return s.creates(s.vendor, entry) }

// ordered counts the creates that the vendor has carried out, after an entry of the journal.
func (s subject) ordered(cloud *emulator.Emulator, since int64) int {
	count := 0
	for _, entry := range cloud.JournalSince(since) {
		if entry.Accepted && s.orders(entry) {
			count++
		}
	}
	return count
}

func (s subject) isNameless() bool { return s.nameless != nil && s.nameless(s.vendor) }

func (s subject) mayReuseIDs() bool { return s.reusesIDs != nil && s.reusesIDs(s.vendor) }

func never(vendor) arguments { return arguments{} }

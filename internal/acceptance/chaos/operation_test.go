// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"maps"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// operation is one step in a resource's life: from a configuration to another one.
type operation struct {
	name string
	// vendors are those that have it; nil: all that have the resource.
	vendors []string
	// before and after are what differs from what is required; nil: there is no such object. Where earlier is not nil, that
	// was applied before `before` was.
	earlier, before, after func(vendor) arguments
	// createBeforeDestroy is the lifecycle argument, tainted what -replace and taint do.
	createBeforeDestroy, tainted bool
	// others changes the object at the vendor in between, as other tools would.
	others func(subject, *emulator.Emulator, emulator.Object) error
	// replaces says that the operation makes an object and removes one.
	replaces bool
	// reinstalls says that it erases the disk.
	reinstalls bool
	// fewer says that it takes part for one seed in some where few cases are run.
	fewer bool
	// companions are the machines that are there all the time, by their names.
	companions []string
}

// arguments are what is written in a resource's block.
type arguments = providertest.Attributes

// companion stands for the object of a machine that is there besides, by its name.
type companion string

// plain is an object with nothing but what is required.
func plain(vendor) arguments { return arguments{} }

// with is plain with more arguments.
func with(more arguments) func(vendor) arguments {
	return func(vendor) arguments { return more }
}

func otherImage(more arguments) func(vendor) arguments {
	return func(v vendor) arguments {
		changed := maps.Clone(more)
		changed["image"] = v.OtherImage
		return changed
	}
}

// wiped takes all marks off, as another tool would.
func wiped(s subject, world *emulator.Emulator, object emulator.Object) error {
	return s.wipe(s.vendor, world, object)
}

// mayOrder is how many objects the operation may order at a vendor. What may not have been erased is erased again, which
// is another clone where a reinstall is one.
func (o operation) mayOrder(v vendor) int {
	switch {
	case o.reinstalls && v.clones():
		return 2
	case o.before == nil, o.replaces:
		return 1
	}
	return 0
}

// patience is how long an operation may go on after Ctrl-C once no write is under way.
const patience = 2 * time.Second

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"maps"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// operation is one step in a machine's life: from a configuration to another one.
type operation struct {
	name string
	// before and after are what differs from the plain machine; nil: there is none.
	before, after func(vendor) arguments
	// createBeforeDestroy is the lifecycle argument, tainted what -replace and taint do.
	createBeforeDestroy, tainted bool
	// others changes the machine at the vendor in between, as other tools would.
	others func(vendor, *emulator.Emulator, emulator.Object) error
	// replaces says that the operation makes a machine and removes one.
	replaces bool
	// reinstalls says that it erases the disk.
	reinstalls bool
}

// arguments are what is written in a resource's block.
type arguments = providertest.Attributes

// plain is a machine with nothing but what is required.
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

// mayStop and off are what lets a machine be resized.
var mayStop, off = arguments{"allow_stopping_for_update": true}, arguments{"power": "off"}

func otherOffer(more arguments) func(vendor) arguments {
	return func(v vendor) arguments {
		changed := maps.Clone(more)
		changed["offer_id"] = v.OtherOffer
		return changed
	}
}

// written is the whole block of an operation's side; nil where there is no machine.
func (v vendor) written(side func(vendor) arguments, account arguments) arguments {
	if side == nil {
		return nil
	}
	block := arguments{"provider_account": account, "name": "web", "offer_id": v.Offer, "image": v.Image}
	maps.Copy(block, side(v))
	return block
}

var reinstalls = arguments{"image": "reinstall"}

// operations is the list of what is interrupted.
var operations = []operation{
	{name: "create", after: plain},
	{name: "create, off", after: with(arguments{"power": "off"})},
	{name: "rename", before: plain, after: with(arguments{"name": "api"})},
	{name: "labels", before: plain, after: with(arguments{"labels": arguments{"color": "blue"}})},
	{name: "power off", before: with(arguments{"power": "on"}), after: with(arguments{"power": "off"})},
	{name: "power on", before: with(arguments{"power": "off"}), after: with(arguments{"power": "on"})},
	{
		name: "reinstall", before: with(arguments{"on_change": reinstalls}),
		after: otherImage(arguments{"on_change": reinstalls}), reinstalls: true,
	},
	{name: "resize", before: plain, after: otherOffer(mayStop)},
	{name: "resize, off", before: with(off), after: otherOffer(off)},
	{
		name: "resize back", before: with(mayStop), after: with(mayStop),
		others: func(v vendor, world *emulator.Emulator, machine emulator.Object) error {
			return v.Resize(world, machine.ID)
		},
	},
	{
		name: "restore the marks", before: plain, after: plain,
		others: vendor.wipe,
	},
	{name: "replace", before: plain, after: otherImage(arguments{}), replaces: true},
	{name: "replace the tainted", before: plain, after: plain, tainted: true, replaces: true},
	{
		name: "replace, create_before_destroy", before: plain, after: otherImage(arguments{"name": "web-2"}),
		createBeforeDestroy: true, replaces: true,
	},
	{name: "destroy", before: plain},
	{name: "destroy after a shutdown", before: with(arguments{"shutdown_before_destroy": true})},
}

// orders is how many machines the operation may order at a vendor. What may not have been erased is erased again, which
// is another clone where a reinstall is one.
func (o operation) orders(v vendor) int {
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

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"maps"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// typeName is that of machines.
const typeName = "bettercompute_instance"

var instances = resource{
	name: "instance", typeName: typeName, id: "machine_id",
	required:   func(v vendor) arguments { return arguments{"offer_id": v.Offer, "image": v.Image} },
	operations: slices.Concat(machineOperations, fewer(optionOperations)),
	objects:    func(v vendor, world *emulator.Emulator) []emulator.Object { return v.Machines(world) },
	creates:    vendor.ordersMachine,
	creating:   func(v vendor, _ *emulator.Emulator, machine emulator.Object) bool { return v.unfinished(machine) },
	plant: func(v vendor, world *emulator.Emulator) (emulator.Object, error) {
		return v.Plant(world, "stranger", map[string]string{"team": "others"}, nil)
	},
	wipe:      vendor.unmark,
	reusesIDs: func(v vendor) bool { return v.ReusesIDs },
	shows:     shownByMachine,
}

var reinstalls = arguments{"image": "reinstall"}

// mayStop and off are what lets a machine be resized.
var mayStop, off = arguments{"allow_stopping_for_update": true}, arguments{"power": "off"}

func otherOffer(more arguments) func(vendor) arguments {
	return func(v vendor) arguments {
		changed := maps.Clone(more)
		changed["offer_id"] = v.OtherOffer
		return changed
	}
}

// resized gives a machine the other offer, as another tool would.
func resized(s subject, world *emulator.Emulator, machine emulator.Object) error {
	return s.Resize(world, machine.ID)
}

// machineOperations are those that are interrupted.
var machineOperations = []operation{
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
	{name: "resize back", before: with(mayStop), after: with(mayStop), others: resized},
	{name: "restore the marks", before: plain, after: plain, others: wiped},
	{name: "replace", before: plain, after: otherImage(arguments{}), replaces: true},
	{name: "replace the tainted", before: plain, after: plain, tainted: true, replaces: true},
	{
		name: "replace, create_before_destroy", before: plain, after: otherImage(arguments{"name": "web-2"}),
		createBeforeDestroy: true, replaces: true,
	},
	{name: "destroy", before: plain},
	{name: "destroy after a shutdown", before: with(arguments{"shutdown_before_destroy": true})},
}

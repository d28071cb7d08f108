// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"net/http"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// place is where a vendor keeps a resource that is no machine: its word in the inventory and the path that makes one.
type place struct{ collection, createPath string }

var addressPlaces = map[string]place{
	"hetzner":      {"floating_ips", "/v1/floating_ips"},
	"digitalocean": {"reserved_ips", "/v2/reserved_ips"},
}

// at are the functions of a resource that is kept in such places.
func (r resource) at(places map[string]place) resource {
	r.has = func(v vendor) bool { return places[v.Name] != place{} }
	r.objects = func(v vendor, world *emulator.Emulator) []emulator.Object {
		return world.Objects(v.Name, places[v.Name].collection)
	}
	r.creates = func(v vendor, entry emulator.Entry) bool {
		return entry.Vendor == v.Name && entry.Method == http.MethodPost && entry.Path == places[v.Name].createPath
	}
	r.creating = vendor.bearsNoEnd
	r.wipe = func(v vendor, world *emulator.Emulator, object emulator.Object) error {
		if v.marksInRows() {
			return eraseRows(world, object)
		}
		_, err := world.Patch(v.Name, places[v.Name].collection, object.ID, emulator.Fields{"labels": map[string]string{}})
		return err
	}
	return r
}

var addresses = resource{
	name: "address", typeName: "bettercompute_provider_address", id: "address",
	required: never, operations: addressOperations,
	plant: func(v vendor, world *emulator.Emulator) (emulator.Object, error) {
		// Where a lost answer leaves a question, an address of the same region could be the answer to it.
		if v.marksInRows() {
			return world.Plant(v.Name, "reserved_ips", emulator.Fields{"region": v.OtherRegion})
		}
		return world.Plant(v.Name, "floating_ips", emulator.Fields{"name": "stranger", "labels": map[string]string{"team": "others"}})
	},
	nameless: vendor.marksInRows,
	shows:    shownByAddress,
}.at(addressPlaces)

var (
	onBlue, onGreen = with(onMachine("blue")), with(onMachine("green"))
	blue            = []string{"blue"}
	// namers are the vendors that have host names for reserved addresses.
	namers = []string{"hetzner"}
)

func onMachine(name companion) arguments { return arguments{"instance": name} }

func hostNamed(name string) arguments { return arguments{"reverse_dns": name} }

// addressOperations are those that are interrupted. Where one is removed a machine is there besides: at Hetzner nothing else
// shows that a token is of the right project, and absence is believed of the right one only.
var addressOperations = []operation{
	{name: "create", after: plain},
	{name: "create on a machine", after: onBlue, companions: blue},
	{name: "describe", before: plain, after: with(arguments{"description": "the front door"})},
	{name: "rename", before: plain, after: with(arguments{"name": "api"})},
	{name: "assign", before: plain, after: onBlue, companions: blue},
	{name: "move", before: onBlue, after: onGreen, companions: []string{"blue", "green"}},
	{name: "unassign", before: onBlue, after: plain, companions: blue},
	{name: "create with a host name", after: with(hostNamed("web.example.com")), vendors: namers},
	{name: "create with a host name on a machine", after: with(joined(onMachine("blue"), hostNamed("web.example.com"))), companions: blue, vendors: namers},
	{name: "change the host name", before: with(hostNamed("web.example.com")), after: with(hostNamed("api.example.com")), vendors: namers},
	{name: "take the host name off", before: with(hostNamed("web.example.com")), after: with(hostNamed("")), vendors: namers},
	{name: "restore the marks", before: plain, after: plain, others: wiped},
	{name: "replace", before: plain, after: with(arguments{"idempotency_key": "second"}), replaces: true, companions: blue},
	{name: "replace the tainted", before: plain, after: plain, tainted: true, replaces: true, companions: blue},
	{
		name: "replace, create_before_destroy", before: plain, after: with(arguments{"name": "web-2", "idempotency_key": "second"}),
		createBeforeDestroy: true, replaces: true,
	},
	{name: "destroy", before: plain, companions: blue},
	{name: "destroy on a machine", before: onBlue, companions: blue},
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// machine is the object of a machine of the scene, which is made when it is first asked for.
func machine(name string) func(*stage) any {
	return func(s *stage) any { return s.machine(name) }
}

func (s *stage) machine(name string) values {
	s.T.Helper()
	state, made := s.values[name].(providertest.State)
	if !made {
		state = s.Apply(instanceType, s.Begin().Nothing(instanceType), s.Machine(values{"name": name}))
		s.values[name] = state
	}
	object := values{"provider_account": values{"id": s.Account["id"], "kind": s.Account["kind"]}}
	for _, part := range []string{"id", "tenant_id", "machine_id", "region"} {
		object[part] = providertest.Text(s.T, state.Value, part)
	}
	return object
}

// machineBut is the object of a machine with one part changed.
func machineBut(name, part string, value any) func(*stage) any {
	return func(s *stage) any { return with(s.machine(name), values{part: s.resolve(value)}) }
}

func previews(s *stage) any { return s.AccountWith(map[string]any{"previews": true}) }

// plantPrefix makes a prefix of the account's own where the vendor has such a thing.
func plantPrefix(s *stage) {
	if s.Vendor.Name != "digitalocean" {
		return
	}
	if _, err := s.Emulator.Plant("digitalocean", "byoip_prefixes", emulator.Fields{"prefix": "203.0.113.0/24", "region": s.Vendor.Region}); err != nil {
		s.T.Fatal(err)
	}
}

var (
	onBlue = values{"instance": machine("blue")}
	// stateOnly: the vendor keeps neither names of addresses nor whose account they are on.
	stateOnly = map[string]outcome{"digitalocean": stored}
)

var addresses = subject{
	resource: addressType, on: "hetzner digitalocean", prepare: plantPrefix,
	bases: map[string]func(*stage) values{
		"": func(s *stage) values { return values{"provider_account": s.Account, "name": "front"} },
		// Of a prefix only accounts with previews have addresses.
		"previews": func(s *stage) values { return values{"provider_account": previews(s), "name": "front"} },
	},
	rows: concat(accountParts(inPlace, nil, stateOnly), addressRows, holderRows, durations("create", "update", "delete", "read")),
}

var addressRows = []changed{
	{attribute: "name", what: "another one", after: values{"name": "back"}, is: inPlace, but: stateOnly},
	{attribute: "description", what: "set", after: values{"description": "the front door"}, is: inPlace, but: stateOnly},
	{attribute: "description", what: "taken off", before: values{"description": "the front door"}, after: values{"description": nil}, is: inPlace, but: stateOnly},
	{attribute: "reverse_dns", what: "set", after: values{"reverse_dns": "www.example.com"}, is: inPlace, but: map[string]outcome{"digitalocean": isRefused}},
	{attribute: "reverse_dns", what: "let go of", on: "hetzner", before: values{"reverse_dns": "www.example.com"}, after: values{"reverse_dns": nil}, is: nothing},
	{attribute: "region", what: "another one", after: values{"region": otherRegion}, is: replaces},
	{attribute: "region", what: "the one that it has, written out", after: values{"region": region}, is: nothing},
	{attribute: "family", what: "the other one", after: values{"family": "ipv6"}, is: replaces},
	{attribute: "family", what: "the one that it has, written out", after: values{"family": "ipv4"}, is: nothing},
	{attribute: "prefix", what: "set", base: "previews", after: values{"prefix": "203.0.113.0/24"}, on: "digitalocean", is: replaces},
	{attribute: "prefix", what: "set where there are none", after: values{"prefix": "203.0.113.0/24"}, on: "hetzner", is: replaces, beside: map[string]string{"hetzner": "UNSUPPORTED"}},
	{attribute: "idempotency_key", what: "set", after: values{"idempotency_key": "k"}, is: replaces},
}

var holderRows = []changed{
	{attribute: "instance.machine_id", what: "put on a machine", after: onBlue, is: inPlace},
	{attribute: "instance.machine_id", what: "put on another machine", before: onBlue, after: values{"instance": machine("green")}, is: inPlace},
	{attribute: "instance.machine_id", what: "taken off", before: onBlue, after: values{"instance": nil}, is: inPlace},
	{attribute: "instance.id", what: "another id of the same machine", before: onBlue, after: values{"instance": machineBut("blue", "id", "inst_other")}, is: stored},
	{attribute: "instance.tenant_id", what: "a machine of another tenant", before: onBlue, after: values{"instance": machineBut("green", "tenant_id", "other")}, is: isRefused},
	{
		attribute: "instance.region", what: "a machine elsewhere", before: onBlue, after: values{"instance": machineBut("green", "region", otherRegion)}, is: isRefused,
		but: map[string]outcome{"hetzner": inPlace},
	},
	{
		attribute: "instance.provider_account.id", what: "a machine on another account of the place", before: onBlue,
		after: values{"instance": machineBut("blue", "provider_account", func(s *stage) any { return values{"id": otherAccountID(s), "kind": s.Vendor.Kind} })}, is: stored,
	},
	{
		attribute: "instance.provider_account.kind", what: "a machine on an account of another kind", before: onBlue,
		after: values{"instance": machineBut("green", "provider_account", func(s *stage) any { return values{"id": s.Account["id"], "kind": s.other().Kind} })}, is: isRefused,
	},
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"maps"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// sides are an operation's side at each vendor. The names are those of providertest.Furnish.
type sides map[string]arguments

// by is the side of a vendor, with more arguments.
func (s sides) by(more arguments) func(vendor) arguments {
	return func(v vendor) arguments { return joined(s[v.Name], more) }
}

// joined are arguments with others added.
func joined(some, more arguments) arguments {
	all := arguments{}
	maps.Copy(all, some)
	maps.Copy(all, more)
	return all
}

var (
	// bare are machines without what the next ones have, as far as not written means something else.
	bare = sides{"digitalocean": {"public_ipv6": false}}
	// running are options that are set while a machine runs, moved are other values of them, cleared takes them off again.
	running = sides{
		"hetzner": {
			"backups": true, "network": "blue", "reverse_dns": "web.example.com",
			"hetzner_cloud": arguments{"firewall_ids": []any{"web"}, "network_ip": "10.0.1.7"},
		},
		"digitalocean": {"backups": true, "public_ipv6": true, "digitalocean": arguments{"project_id": "shop"}},
		"proxmox":      {"network": "vmbr9.100", "proxmox": arguments{"network_devices": []any{"vmbr9.200"}, "on_boot": true}},
	}
	moved = sides{
		"hetzner": {
			"backups": true, "network": "green", "reverse_dns": "api.example.com",
			"hetzner_cloud": arguments{"firewall_ids": []any{"db"}, "network_ip": "10.0.1.9"},
		},
		"digitalocean": {"backups": true, "public_ipv6": true, "digitalocean": arguments{"project_id": "blog"}},
		"proxmox":      {"network": "vmbr0", "proxmox": arguments{"network_devices": []any{"vmbr0", "vmbr9.7"}, "on_boot": true}},
	}
	cleared = sides{
		"hetzner": {
			"backups": false, "network": "", "reverse_dns": "", "hetzner_cloud": arguments{"firewall_ids": []any{}},
		},
		"digitalocean": {"backups": false, "public_ipv6": true},
		"proxmox":      {"network": "vmbr0", "proxmox": arguments{"network_devices": []any{}, "on_boot": false}},
	}
	// equipped are machines with every option, but for what stands in the way of other operations.
	equipped = sides{
		"hetzner": {
			"public_ipv4": true, "public_ipv6": true, "backups": true, "network": "blue", "reverse_dns": "web.example.com",
			"hetzner_cloud": arguments{"firewall_ids": []any{"db", "web"}, "placement_group_id": "spread", "ssh_key_ids": []any{"laptop"}},
		},
		"digitalocean": {
			"public_ipv4": true, "public_ipv6": true, "backups": true, "network": "blue",
			"digitalocean": arguments{"monitoring": true, "ssh_key_ids": []any{"laptop"}, "project_id": "shop"},
		},
		"proxmox": {
			"network": "vmbr9.100",
			"proxmox": arguments{"node": "pve1", "network_devices": []any{"vmbr9.200", "vmbr0"}, "cpu_type": "host", "on_boot": true},
		},
	}
	// stopping are options that a machine has to be off for, stoppingOff takes them off, or puts another in their place.
	stopping = sides{
		"hetzner": {"hetzner_cloud": arguments{"placement_group_id": "spread"}},
		"proxmox": {"proxmox": arguments{"cpu_type": "host"}},
	}
	stoppingOff = sides{
		"hetzner": {"hetzner_cloud": arguments{"placement_group_id": ""}},
		"proxmox": {"proxmox": arguments{"cpu_type": "x86-64-v3"}},
	}
	// placed are options that another machine is made for, placedElsewhere their other values.
	placed          = sides{"hetzner": {"network": "blue"}, "digitalocean": {"network": "blue"}}
	placedElsewhere = sides{"hetzner": {"network": "blue", "public_ipv4": false}, "digitalocean": {"network": "green"}}

	protectedOn, protectedOff = arguments{"delete_protection": true}, arguments{"delete_protection": false}
)

// altered changes options of an equipped machine, as other tools would.
func altered(s subject, world *emulator.Emulator, machine emulator.Object) error {
	_, err := world.Patch(s.Name, s.Collection, machine.ID, map[string]emulator.Fields{
		"hetzner":      {"backup_window": nil, "private_net": []any{}, "firewalls": []int{}},
		"digitalocean": {"features": []string{"monitoring", "ipv6", "droplet_agent"}},
		"proxmox": {
			"net0": "virtio=BC:24:11:00:00:01,bridge=vmbr9,tag=7", "onboot": false,
		},
	}[s.Name])
	return err
}

// resizedWith is the other offer, options that the machine has to be off for, and such that it may run for.
func resizedWith(v vendor) arguments {
	changed := joined(running[v.Name], mayStop)
	changed["offer_id"] = v.OtherOffer
	if stopped := stopping[v.Name]; stopped != nil {
		own, _ := changed[v.Attribute].(arguments)
		more, _ := stopped[v.Attribute].(arguments)
		changed[v.Attribute] = joined(own, more)
	}
	return changed
}

// optionOperations are those of machines with options.
var optionOperations = []operation{
	{name: "create with options", after: equipped.by(nil)},
	{name: "create with an address in the network", after: running.by(nil), vendors: []string{"hetzner"}},
	{name: "create protected", after: with(protectedOn)},
	{name: "set options", before: bare.by(nil), after: running.by(nil)},
	{name: "change options", before: running.by(nil), after: moved.by(nil)},
	{name: "take options off", before: running.by(nil), after: cleared.by(nil)},
	{name: "restart for an option", before: plain, after: stopping.by(mayStop), vendors: []string{"hetzner", "proxmox"}},
	{name: "restart to take an option off", before: stopping.by(mayStop), after: stoppingOff.by(mayStop), vendors: []string{"hetzner", "proxmox"}},
	{name: "resize with options", before: bare.by(nil), after: resizedWith},
	{name: "restore options", before: equipped.by(nil), after: equipped.by(nil), others: altered},
	{
		name: "reinstall with options", before: equipped.by(arguments{"on_change": reinstalls}),
		after: func(v vendor) arguments {
			return otherImage(joined(equipped[v.Name], arguments{"on_change": reinstalls}))(v)
		}, reinstalls: true,
	},
	{name: "replace for an option", before: placed.by(nil), after: placedElsewhere.by(nil), vendors: clouds, replaces: true},
	{name: "protect", before: with(protectedOff), after: with(protectedOn)},
	{name: "lift the protection", before: with(protectedOn), after: with(protectedOff)},
	{
		name: "lift the protection and reinstall", before: with(joined(protectedOn, arguments{"on_change": reinstalls})),
		after: otherImage(joined(protectedOff, arguments{"on_change": reinstalls})), reinstalls: true,
	},
	{name: "destroy after the protection", earlier: with(protectedOn), before: with(protectedOff)},
}

// fewer marks operations that do not take part each time: see operation.fewer.
func fewer(operations []operation) []operation {
	for i := range operations {
		operations[i].fewer = true
	}
	return operations
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// optionDrift is a change of an option, given as "backups" or "proxmox.vlan", that others make at the vendor.
type optionDrift struct {
	option string
	others byOthers
	want   effect
	// alone are the options of the machine where the one that changes does not go with those of optionMachines.
	alone options
}

// byOthers changes a machine at the vendor; ids are those of the furniture.
type byOthers func(t *testing.T, s *providertest.Scene, machine string, ids map[string]string)

// patched changes what the vendor keeps.
func patched(fields func(ids map[string]string) emulator.Fields) byOthers {
	return func(t *testing.T, s *providertest.Scene, machine string, ids map[string]string) {
		t.Helper()
		if _, err := s.Emulator.Patch(s.Vendor.Name, s.Vendor.Collection, machine, fields(ids)); err != nil {
			t.Fatal(err)
		}
	}
}

// having changes one field to a value.
func having(field string, value any) byOthers {
	return patched(func(map[string]string) emulator.Fields { return emulator.Fields{field: value} })
}

// number is an id as the vendor has it in an answer.
func number(ids map[string]string, name string) int {
	id, err := strconv.Atoi(ids[name])
	if err != nil {
		panic(err)
	}
	return id
}

// optionDrifts change each option that a vendor tells of a machine.
var optionDrifts = map[string][]optionDrift{
	"hetzner": {
		{"public_ipv4", unassigned(func(net publicNet) primaryIP { return net.IPv4 }), replaces, nil},
		{"public_ipv6", unassigned(func(net publicNet) primaryIP { return net.IPv6 }), replaces, nil},
		{"reverse_dns", renamedHost, updates, nil},
		{"backups", having("backup_window", nil), updates, nil},
		{"delete_protection", having("protection", map[string]bool{"delete": true, "rebuild": true}), updates, nil},
		{"network", inNetwork("green", ""), updates, nil},
		{"hetzner_cloud.network_ip", inNetwork("blue", "10.0.1.99"), updates, nil},
		{"hetzner_cloud.firewall_ids", patched(func(ids map[string]string) emulator.Fields {
			return emulator.Fields{"firewalls": []int{number(ids, "db")}}
		}), updates, nil},
		{"hetzner_cloud.placement_group_id", having("placement_group", nil), restarts, nil},
	},
	"digitalocean": {
		{"public_ipv4", having("public_networking", false), replaces, nil},
		{"public_ipv6", having("features", []string{"backups", "monitoring", "ipv6"}), replaces, nil},
		{"public_ipv6", having("features", []string{}), updates, options{"public_ipv6": true}},
		{"backups", having("features", []string{"monitoring", "droplet_agent"}), updates, nil},
		{"network", inGreenVPC, replaces, nil},
		{"digitalocean.vpc_uuid", inGreenVPC, replaces, options{"digitalocean": options{"vpc_uuid": "blue"}}},
		{"digitalocean.monitoring", having("features", []string{"backups"}), replaces, nil},
	},
	"proxmox": {
		{"delete_protection", having("protection", true), updates, nil},
		{"network", having("net0", "virtio=BC:24:11:00:00:01,bridge=vmbr9,tag=7"), updates, nil},
		{"proxmox.bridge", having("net0", "virtio=BC:24:11:00:00:01,bridge=vmbr9"), updates, options{"proxmox": options{"bridge": "vmbr0"}}},
		{"proxmox.vlan", having("net0", "virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=9"), updates, options{"proxmox": options{"vlan": 7}}},
		{"proxmox.network_devices", having("net1", "virtio=BC:24:11:00:00:02,bridge=vmbr9"), updates, nil},
		{"proxmox.on_boot", having("onboot", true), updates, nil},
		{"proxmox.cpu_type", having("cpu", "x86-64-v3"), restarts, nil},
		{"proxmox.protection", having("protection", true), updates, options{"proxmox": options{"protection": false}}},
	},
}

// inNetwork puts a server of Hetzner Cloud into a network and no other.
func inNetwork(name, ip string) byOthers {
	return patched(func(ids map[string]string) emulator.Fields {
		private := map[string]any{"network": number(ids, name)}
		if ip != "" {
			private["ip"] = ip
		}
		return emulator.Fields{"private_net": []any{private}}
	})
}

// inGreenVPC puts a droplet into another VPC.
var inGreenVPC = patched(func(ids map[string]string) emulator.Fields { return emulator.Fields{"vpc_uuid": ids["green"]} })

// TestEveryOptionDrifts: one that is new fails here until the table of drifts has it, or its vendor does not tell it or has no
// such thing.
func TestEveryOptionDrifts(t *testing.T) {
	for _, vendor := range providertest.Vendors {
		kind, _ := cloud.KindByName(vendor.Kind)
		for _, option := range kind.Options {
			named := func(drift optionDrift) bool { return drift.option == argumentOf(kind, option) }
			if told, there := !option.Hidden && !option.Local, slices.ContainsFunc(optionDrifts[vendor.Name], named); told != there {
				t.Errorf("%s: %s is told by the vendor %t, and has a drift %t", vendor.Name, argumentOf(kind, option), told, there)
			}
		}
	}
}

func TestDriftOfAnOptionIsSeenAndRepaired(t *testing.T) {
	for _, vendor := range providertest.Vendors {
		for _, drift := range optionDrifts[vendor.Name] {
			t.Run(fmt.Sprintf("%s/%s/%s", vendor.Name, drift.option, drift.want), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { drift.mustBeAnswered(t, vendor) })
			})
		}
	}
}

func (d optionDrift) mustBeAnswered(t *testing.T, vendor providertest.Vendor) {
	t.Helper()
	s, ids := furnished(t, vendor)
	config := s.Machine(optionMachines[vendor.Name].all)
	if d.alone != nil {
		config = s.Machine(spelledAsIDs(d.alone, ids))
	}
	state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
	d.others(t, s, providertest.Text(t, state.Value, "machine_id"), ids)
	plan := s.Plan(typeName, state, config)
	if optionIn(t, plan.Prior.Value, d.option).Equal(optionIn(t, plan.Planned.Value, d.option)) {
		t.Errorf("the plan does not change %s: %v %s", d.option, plan.Changed(t), plan.Diagnostics)
	}
	if got := effectOf(plan, d.option); got != d.want {
		t.Errorf("the plan is %q, want %q: %s", got, d.want, plan.Diagnostics)
	}
	if d.want != replaces {
		mustRepair(s, state, config)
	}
}

// optionIn answers an option of a state or a plan.
func optionIn(t *testing.T, machine tftypes.Value, at string) tftypes.Value {
	t.Helper()
	outer, name, nested := strings.Cut(at, ".")
	value := providertest.Fields(t, machine)[outer]
	if nested {
		return providertest.Fields(t, value)[name]
	}
	return value
}

// mustRepair applies a configuration over what others have changed.
func mustRepair(s *providertest.Scene, state providertest.State, config options) {
	s.T.Helper()
	config = with(config, "allow_stopping_for_update", true)
	state = s.Apply(typeName, state, config)
	s.MustBeQuiet(typeName, state, config)
}

// TestImportOfAMachineWithAllOptions: what others made with every option and no mark of ours is imported with what it shows;
// the first plan changes what cannot be read back, and marks it.
func TestImportOfAMachineWithAllOptions(t *testing.T) {
	hidden := map[string][]string{"hetzner": {"ssh_key_ids"}, "digitalocean": {"ssh_key_ids"}, "proxmox": {"node"}}
	onEachVendorInMemory(t, func(t *testing.T, vendor providertest.Vendor) {
		s, ids := furnished(t, vendor)
		config := s.Machine(spelledAsIDs(optionMachines[vendor.Name].all, ids))
		made := s.Apply(typeName, s.Begin().Nothing(typeName), config)
		machine := providertest.Text(t, made.Value, "machine_id")
		if err := vendor.Relabel(s.Emulator, machine, nil, nil); err != nil {
			t.Fatal(err)
		}
		s.Emulator.ClearJournal()
		state, faults := s.Begin().ImportObject(t.Context(), typeName, s.Account, machine)
		if errors := faults.Errors(); len(errors) > 0 {
			t.Fatal(errors)
		}
		plan := s.Plan(typeName, state, config)
		if errors := plan.Diagnostics.Errors(); len(errors) > 0 || plan.Replaces {
			t.Fatalf("replaces %t, %s", plan.Replaces, errors)
		}
		changed := plan.Changed(t)
		for _, name := range []string{"managed", "price_per_hour", "currency", "image", "delete_protection"} {
			if name != "delete_protection" || vendor.Name == "digitalocean" { // which DigitalOcean knows nothing of
				delete(changed, name)
			}
		}
		delete(changed, vendor.Attribute)
		if len(changed) > 0 {
			t.Errorf("the plan changes %v", changed)
		}
		before, after := providertest.Fields(t, providertest.Fields(t, state.Value)[vendor.Attribute]), providertest.Fields(t, providertest.Fields(t, plan.Planned.Value)[vendor.Attribute])
		for name, value := range after {
			if !value.Equal(before[name]) && name != hidden[vendor.Name][0] {
				t.Errorf("the plan changes %s.%s from %s to %s", vendor.Attribute, name, before[name], value)
			}
		}
		if writes := s.Writes(); len(writes) > 0 {
			t.Errorf("import and plan have written: %s", writes)
		}
		state = s.Apply(typeName, state, config)
		s.MustBeQuiet(typeName, state, config)
	})
}

// spelledAsIDs answers options with the ids in the place of names.
func spelledAsIDs(given options, ids map[string]string) options {
	out := options{}
	for name, value := range given {
		switch value := value.(type) {
		case options:
			out[name] = spelledAsIDs(value, ids)
			continue
		case string:
			if id, named := ids[value]; named {
				out[name] = id
				continue
			}
		case []any:
			texts := make([]any, len(value))
			for i, one := range value {
				texts[i] = one
				if text, ok := one.(string); ok && ids[text] != "" {
					texts[i] = ids[text]
				}
			}
			out[name] = texts
			continue
		}
		out[name] = value
	}
	return out
}

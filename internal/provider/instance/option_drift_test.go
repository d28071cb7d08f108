// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// optionDrift is a change of an option that others make at the vendor.
type optionDrift struct {
	option string
	fields emulator.Fields
	want   effect
}

// number is an id as the vendor has it in an answer.
func number(ids map[string]string, name string) int {
	id, err := strconv.Atoi(ids[name])
	if err != nil {
		panic(err)
	}
	return id
}

// optionDrifts change the machine with all options of optionMachines, in this order: what can be repaired in place first, what
// needs a stop after that. What no vendor tells cannot drift: hetzner_cloud.ssh_key_ids, digitalocean.ssh_key_ids and
// proxmox.node; and DigitalOcean knows nothing of delete_protection. digitalocean.project_id has tests of its own: a project tells it.
func optionDrifts(vendor string, ids map[string]string) []optionDrift {
	switch vendor {
	case "hetzner":
		return []optionDrift{
			{"backups", emulator.Fields{"backup_window": nil}, updates},
			{"delete_protection", emulator.Fields{"protection": map[string]bool{"delete": true, "rebuild": true}}, updates},
			{"hetzner_cloud", emulator.Fields{"private_net": []any{map[string]any{"network": number(ids, "blue"), "ip": "10.0.1.99"}}}, updates},
			{"network", emulator.Fields{"private_net": []any{map[string]any{"network": number(ids, "green")}}}, updates},
			{"hetzner_cloud", emulator.Fields{"firewalls": []int{number(ids, "db")}}, updates},
			{"hetzner_cloud", emulator.Fields{"placement_group": nil}, restarts},
		}
	case "digitalocean":
		return []optionDrift{
			{"backups", emulator.Fields{"features": []string{"monitoring", "droplet_agent"}}, updates},
			{"digitalocean", emulator.Fields{"features": []string{"backups"}}, replaces},
			{"public_ipv6", emulator.Fields{"features": []string{"backups", "monitoring", "ipv6"}}, replaces},
			{"network", emulator.Fields{"vpc_uuid": ids["green"]}, replaces},
		}
	}
	return []optionDrift{
		{"delete_protection", emulator.Fields{"protection": true}, updates},
		{"network", emulator.Fields{"net0": "virtio=BC:24:11:00:00:01,bridge=vmbr9,tag=7"}, updates},
		{"proxmox", emulator.Fields{"net1": "virtio=BC:24:11:00:00:02,bridge=vmbr9"}, updates},
		{"proxmox", emulator.Fields{"onboot": true}, updates},
		{"proxmox", emulator.Fields{"cpu": "x86-64-v3"}, restarts},
	}
}

func TestDriftOfAnOptionIsSeenAndRepaired(t *testing.T) {
	onEachVendorInMemory(t, func(t *testing.T, vendor providertest.Vendor) {
		s, ids := furnished(t, vendor)
		config := s.Machine(optionMachines[vendor.Name].all)
		state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
		repaired := false
		for _, drift := range optionDrifts(vendor.Name, ids) {
			if drift.want == replaces && !repaired {
				repaired = true
				mustRepair(s, state, config)
			}
			if _, err := s.Emulator.Patch(vendor.Name, vendor.Collection, providertest.Text(t, state.Value, "machine_id"), drift.fields); err != nil {
				t.Fatal(err)
			}
			plan := s.Plan(typeName, state, config)
			if _, seen := plan.Changed(t)[drift.option]; !seen {
				t.Errorf("%v: the plan does not change %s: %v %s", drift.fields, drift.option, plan.Changed(t), plan.Diagnostics)
			}
			if got := effectOf(plan, drift.option); got != drift.want {
				t.Errorf("%v: the plan is %q, want %q: %s", drift.fields, got, drift.want, plan.Diagnostics)
			}
		}
		if !repaired {
			mustRepair(s, state, config)
		}
	})
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
	hidden := map[string][]string{"hetzner": {"ssh_key_ids"}, "digitalocean": {"ssh_key_ids", "project_id"}, "proxmox": {"node"}}
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
			if !value.Equal(before[name]) && !slices.Contains(hidden[vendor.Name], name) {
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

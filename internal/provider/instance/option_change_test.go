// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// effect is what a plan says of a change of an option.
type effect string

const (
	updates  effect = "update"
	restarts effect = "restart"
	replaces effect = "replace"
	refused  effect = "refused"
)

// optionChange is a change of one option of a machine that is there: its argument, in dots, and what is written then; nil is
// an option that is not written any more.
type optionChange struct {
	option string
	to     any
	want   effect
	says   string
}

// options are options of a machine by argument.
type options = providertest.Attributes

// optionMachines are machines of each vendor, one with all options and one with none, and changes of them. Each is planned
// over the machine as it was made; those that keep it are then carried out.
var optionMachines = map[string]struct {
	all   options
	moved []optionChange
	// plain are changes of a machine without options.
	plain []optionChange
}{
	"hetzner": {
		all: options{
			"public_ipv4": true, "public_ipv6": true, "backups": true, "delete_protection": false, "network": "blue", "reverse_dns": "web.example.com",
			"hetzner_cloud": options{
				"firewall_ids": []any{"web"}, "placement_group_id": "spread", "network_ip": "10.0.1.7", "ssh_key_ids": []any{"laptop"},
			},
		},
		moved: []optionChange{
			{"public_ipv4", false, replaces, ""},
			{"public_ipv4", nil, updates, ""},
			{"public_ipv6", false, replaces, ""},
			{"backups", false, updates, ""},
			{"delete_protection", true, updates, ""},
			{"reverse_dns", "api.example.com", updates, ""},
			{"reverse_dns", "", updates, ""},
			{"network", "green", updates, ""},
			{"network", "bleu", refused, "The nearest: blue"},
			{"network", "", refused, "needs network"},
			{"hetzner_cloud.network_ip", "10.0.1.9", updates, ""},
			{"hetzner_cloud.firewall_ids", []any{"web", "db"}, updates, ""},
			{"hetzner_cloud.firewall_ids", []any{}, updates, ""},
			{"hetzner_cloud.firewall_ids", []any{"wbe"}, refused, "web (id "},
			{"hetzner_cloud.firewall_ids", []any{""}, refused, "must not have an element that is null or empty"},
			{"hetzner_cloud.placement_group_id", "", restarts, ""},
			{"hetzner_cloud.ssh_key_ids", []any{"desk"}, replaces, ""},
			{"hetzner_cloud.ssh_key_ids", nil, updates, ""},
		},
		plain: []optionChange{
			{"public_ipv4", true, updates, ""},
			{"public_ipv4", false, replaces, ""},
			{"network", "blue", updates, ""},
			{"network", "", updates, ""},
			{"hetzner_cloud.firewall_ids", []any{"web"}, updates, ""},
			{"hetzner_cloud.placement_group_id", "spread", restarts, ""},
			{"hetzner_cloud.ssh_key_ids", []any{"desk"}, replaces, ""},
			{"digitalocean.monitoring", true, refused, "is not for an account of kind hetzner-cloud"},
		},
	},
	"digitalocean": {
		all: options{
			"public_ipv4": true, "public_ipv6": false, "backups": true, "delete_protection": false, "network": "blue",
			"digitalocean": options{"monitoring": true, "ssh_key_ids": []any{"laptop"}, "project_id": "shop"},
		},
		moved: []optionChange{
			{"public_ipv4", false, replaces, ""},
			{"public_ipv6", true, updates, ""},
			{"backups", false, updates, ""},
			{"delete_protection", true, updates, ""},
			{"network", "green", replaces, ""},
			{"network", "grene", refused, "The nearest: green"},
			{"network", nil, updates, ""},
			{"digitalocean.vpc_uuid", "blue", refused, "must be"},
			{"digitalocean.vpc_uuid", "5a4981aa-9653-4bd1-bef5-d6bff52042e4", refused, "cannot be written together with network"},
			{"digitalocean.monitoring", false, replaces, ""},
			{"digitalocean.ssh_key_ids", []any{"laptop", "desk"}, replaces, ""},
			{"digitalocean.project_id", "blog", updates, ""},
			{"digitalocean.project_id", "blgo", refused, "The nearest: blog (id "},
			{"digitalocean.project_id", "", refused, "must not be empty"},
			{"digitalocean.project_id", nil, updates, ""},
		},
		plain: []optionChange{
			{"public_ipv6", false, replaces, ""},
			{"public_ipv6", true, updates, ""},
			{"network", "default-fra1", updates, ""},
			{"network", "blue", replaces, ""},
			{"digitalocean.monitoring", false, updates, ""},
			{"digitalocean.monitoring", true, replaces, ""},
			{"digitalocean.project_id", "shop", updates, ""},
			{"digitalocean.project_id", "00000000-0000-4000-8000-000000000000", refused, "shop (id "},
			{"digitalocean.vpc_uuid", "5a4981aa-9653-4bd1-bef5-d6bff52042e4", refused, "shows this account nothing"},
			{"reverse_dns", "web.example.com", refused, "(UNSUPPORTED)"},
			{"proxmox.on_boot", true, refused, "is not for an account of kind digitalocean"},
		},
	},
	"proxmox": {
		all: options{
			"delete_protection": false, "network": "vmbr0",
			"proxmox": options{"node": "pve1", "network_devices": []any{"vmbr0"}, "cpu_type": "host", "on_boot": false},
		},
		moved: []optionChange{
			{"delete_protection", true, updates, ""},
			{"network", "vmbr9.100", updates, ""},
			{"network", "vmbr8", refused, "The nearest: vmbr"},
			{"network", "", refused, "must not be empty"},
			{"proxmox.network_devices", []any{"vmbr9.200", "vmbr0"}, updates, ""},
			{"proxmox.network_devices", []any{}, updates, ""},
			{"proxmox.cpu_type", "x86-64-v3", restarts, ""},
			{"proxmox.cpu_type", "x86-64-v33", refused, "The nearest: x86-64-v3"},
			{"proxmox.on_boot", true, updates, ""},
			{"proxmox.node", "pve2", replaces, ""},
			{"proxmox.node", "pve7", refused, "The nearest: pve"},
			{"proxmox.bridge", "vmbr9", refused, "cannot be written together with network"},
		},
		plain: []optionChange{
			{"network", "vmbr0", updates, ""},
			{"network", nil, updates, ""},
			{"proxmox.bridge", "vmbr9", updates, ""},
			{"proxmox.vlan", 7, updates, ""},
			{"proxmox.vlan", 5000, refused, "must be a VLAN tag"},
			{"proxmox.protection", true, updates, ""},
			{"public_ipv4", true, refused, "(UNSUPPORTED)"},
			{"backups", true, refused, "(UNSUPPORTED)"},
			{"hetzner_cloud.firewall_ids", []any{"web"}, refused, "is not for an account of kind proxmox"},
		},
	},
}

func TestWhatAChangeOfAnOptionDoes(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		test := optionMachines[vendor.Name]
		for name, machine := range map[string]struct {
			options options
			changes []optionChange
		}{"with all options": {test.all, test.moved}, "without options": {nil, test.plain}} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { mustChangeOptions(t, vendor, machine.options, machine.changes) })
			})
		}
	})
}

func mustChangeOptions(t *testing.T, vendor providertest.Vendor, written options, changes []optionChange) {
	t.Helper()
	s, _ := furnished(t, vendor)
	config := s.Machine(written)
	state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
	s.MustBeQuiet(typeName, state, config)
	s.Emulator.ClearJournal()
	for _, change := range changes {
		mustPlanOption(s, state, config, change)
	}
	if writes := s.Writes(); len(writes) > 0 {
		t.Errorf("the plans have written: %s", writes)
	}
	mustCarryOut(s, state, config, changes)
}

// mustPlanOption plans one change, and, where it is carried out in place, says what it is told.
func mustPlanOption(s *providertest.Scene, state providertest.State, config options, change optionChange) {
	s.T.Helper()
	what := change.option + " to " + providertest.Print(change.to)
	planned := withOption(config, change.option, change.to)
	if change.want == refused {
		planned = with(planned, "allow_stopping_for_update", true)
	}
	plan := s.Plan(typeName, state, planned)
	if change.want == refused && plan.Replaces {
		// A CLI plans the new machine of a replacement once more, with no state.
		state.Value = s.Begin().Nothing(typeName).Value
		plan = s.Begin().PlanChange(s.T.Context(), typeName, state, planned)
	}
	if got := effectOf(plan, change.option); got != change.want {
		s.T.Errorf("%s: the plan is %q, want %q: %s", what, got, change.want, plan.Diagnostics)
	}
	if !strings.Contains(plan.Diagnostics.String(), change.says) {
		s.T.Errorf("%s: the plan does not say %q: %s", what, change.says, plan.Diagnostics)
	}
}

// effectOf is what a plan says.
func effectOf(change providertest.Change, option string) effect {
	outer, _, _ := strings.Cut(option, ".")
	switch errors := change.Diagnostics.Errors(); {
	case len(errors.At("allow_stopping_for_update")) > 0:
		return restarts
	case len(errors) > 0 && (strings.HasPrefix(errors.String(), "ERROR at "+outer) || strings.HasPrefix(errors.String(), "ERROR at hetzner_cloud.network_ip")):
		return refused
	case len(errors) > 0:
		return "another error"
	case change.Replaces:
		return replaces
	}
	return updates
}

// mustCarryOut applies the changes that keep the machine, of different options at once, and sees after each apply that nothing
// is left to do and that the machine runs.
func mustCarryOut(s *providertest.Scene, state providertest.State, config options, changes []optionChange) {
	s.T.Helper()
	id := providertest.Text(s.T, state.Value, "machine_id")
	config = with(config, "allow_stopping_for_update", true)
	for len(changes) > 0 {
		seen := map[string]bool{}
		for len(changes) > 0 && !seen[changes[0].option] {
			if next := changes[0]; next.want == updates || next.want == restarts {
				seen[next.option] = true
				config = withOption(config, next.option, next.to)
			}
			changes = changes[1:]
		}
		state = s.Apply(typeName, state, config)
		s.MustBeQuiet(typeName, state, config)
		if now := providertest.Text(s.T, state.Value, "machine_id"); now != id {
			s.T.Errorf("with %v the machine was %s and is %s", config, id, now)
		}
		if running := s.Vendor.Machines(s.Emulator)[0].State; running != s.Vendor.Running {
			s.T.Errorf("with %v the machine is %s", config, running)
		}
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// importCase is a resource that can be imported, with the attributes whose values name an object.
type importCase struct {
	resource string
	on       string
	by       []string
	config   func(*providertest.Scene) providertest.Attributes
	// recorded are the attributes that the plan after an import may change: what cannot be read back, and what tells that
	// the import has come to its end.
	recorded []string
}

var imports = []importCase{
	{
		instanceType, "hetzner digitalocean proxmox", []string{"id", "machine_id", "name", "ipv4_address"},
		func(s *providertest.Scene) providertest.Attributes {
			return s.Machine(providertest.Attributes{"user_data": "#cloud-config\n{}\n", "labels": providertest.Attributes{"role": "web"}})
		},
		[]string{"image", "region", "user_data", "labels", "price_per_hour", "currency"},
	},
	{
		addressType, "hetzner digitalocean", []string{"id", "address", "name"},
		func(s *providertest.Scene) providertest.Attributes {
			return providertest.Attributes{"provider_account": s.Account, "name": "front"}
		},
		[]string{"name", "state", "assignment_state", "assignment_message"},
	},
	{
		certificateType, "hetzner digitalocean", []string{"id", "certificate_id", "name"},
		func(s *providertest.Scene) providertest.Attributes {
			return providertest.Attributes{"provider_account": s.Account, "name": "www", "kind": "managed", "domains": []any{"www.example.com"}}
		},
		[]string{"managed"},
	},
}

// onEachImport runs a scenario with every resource that can be imported, on every vendor that has it.
func onEachImport(t *testing.T, run func(t *testing.T, s *providertest.Scene, one importCase)) {
	t.Helper()
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for _, one := range imports {
			if strings.Contains(one.on, vendor.Name) {
				t.Run(one.resource, func(t *testing.T) { run(t, providertest.NewScene(t, vendor), one) })
			}
		}
	})
}

// TestAnImportByEachKindOfId: the plan after it replaces nothing and changes only what cannot be read back, its apply writes
// nothing at the vendor, and the plan after that is quiet.
func TestAnImportByEachKindOfId(t *testing.T) {
	onEachImport(t, func(t *testing.T, s *providertest.Scene, one importCase) {
		config := one.config(s)
		lost := s.Apply(one.resource, s.Begin().Nothing(one.resource), config)
		for _, by := range one.by {
			object := providertest.Text(t, lost.Value, by)
			if one.resource == addressType && by == "name" && s.Vendor.Name == "digitalocean" {
				continue // the vendor keeps no names of addresses
			}
			t.Run("by "+by, func(t *testing.T) { one.importAs(t, s, config, lost, object) })
		}
	})
}

func (i importCase) importAs(t *testing.T, s *providertest.Scene, config providertest.Attributes, lost providertest.State, object string) {
	t.Helper()
	s.Emulator.ClearJournal()
	imported, faults := s.Begin().ImportObject(t.Context(), i.resource, s.Account, object)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	change := s.Plan(i.resource, imported, config)
	if change.Replaces || len(change.Diagnostics) > 0 {
		t.Fatalf("replaces %t, %s", change.Replaces, change.Diagnostics)
	}
	for _, name := range slices.Sorted(maps.Keys(change.Changed(t))) {
		if !slices.Contains(i.recorded, name) {
			t.Errorf("the plan changes %s: %v", name, change.Changed(t)[name])
		}
	}
	state := s.Apply(i.resource, imported, config)
	if writes := s.Writes(); len(writes) > 0 {
		t.Errorf("the import has written: %v", writes)
	}
	if got, want := providertest.Text(t, state.Value, "id"), providertest.Text(t, lost.Value, "id"); got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	s.MustBeQuiet(i.resource, state, config)
}

// migrations are objects as the vendors' own providers make them: with nothing of ours on them. By are the attributes of
// the state whose values name the object.
var migrations = []struct {
	from, vendor, resource, collection string
	by                                 []string
	planted                            emulator.Fields
	config                             providertest.Attributes
}{
	{"hcloud_server", "hetzner", instanceType, "servers", byMachine, emulator.Fields{"labels": map[string]string{"team": "a"}}, nil},
	{"digitalocean_droplet", "digitalocean", instanceType, "droplets", byMachine, emulator.Fields{"size_slug": "s-2vcpu-4gb", "tags": []string{"team-a"}}, nil},
	{"proxmox_virtual_environment_vm", "proxmox", instanceType, "vms", byMachine, emulator.Fields{
		"cores": 2, "memory": "4096", "scsi0": "local-lvm:disk,size=20G", "status": "running", "tags": "team-a", "description": "made elsewhere", "agent": "enabled=1",
	}, nil},
	{"hcloud_floating_ip", "hetzner", addressType, "floating_ips", []string{"address", "name"}, emulator.Fields{"name": "front", "labels": map[string]string{"team": "a"}}, providertest.Attributes{"name": "front"}},
	{"digitalocean_reserved_ip", "digitalocean", addressType, "reserved_ips", []string{"address"}, emulator.Fields{}, providertest.Attributes{"name": "front"}},
	{
		"hcloud_managed_certificate", "hetzner", certificateType, "certificates", []string{"certificate_id", "name"},
		emulator.Fields{"name": "www", "domain_names": []string{"www.example.com"}}, managedCertificate,
	},
	{
		"digitalocean_certificate", "digitalocean", certificateType, "certificates", []string{"certificate_id", "name"},
		emulator.Fields{"name": "www", "dns_names": []string{"www.example.com"}}, managedCertificate,
	},
}

var (
	byMachine          = []string{"machine_id", "name", "ipv4_address"}
	managedCertificate = providertest.Attributes{"name": "www", "kind": "managed", "domains": []any{"www.example.com"}}
)

// taken is a configuration of what was imported, as somebody writes it who looks at the state.
func taken(s *providertest.Scene, resource string, imported providertest.State, written providertest.Attributes) providertest.Attributes {
	s.T.Helper()
	config, names := s.Machine(nil), []string{"offer_id", "image", "region"}
	switch resource {
	case addressType:
		config, names = providertest.Attributes{"provider_account": s.Account}, []string{"region"}
	case certificateType:
		config, names = providertest.Attributes{"provider_account": s.Account}, nil
	}
	maps.Copy(config, written)
	for _, name := range names {
		if value := providertest.Text(s.T, imported.Value, name); value != "" {
			config[name] = value
		}
	}
	return config
}

// TestWhatTheVendorsOwnProviderHasMadeIsTakenOver as the guide says it: imported without a write, neither destroyed nor
// replaced until an apply has marked it, and by that apply nothing but marked.
func TestWhatTheVendorsOwnProviderHasMadeIsTakenOver(t *testing.T) {
	for _, one := range migrations {
		t.Run(one.from, func(t *testing.T) {
			vendor := providertest.Vendors[slices.IndexFunc(providertest.Vendors, func(v providertest.Vendor) bool { return v.Name == one.vendor })]
			s := providertest.NewScene(t, vendor)
			fields := maps.Clone(one.planted)
			if one.resource == instanceType {
				fields["name"] = "web"
			}
			planted, err := s.Emulator.Plant(one.vendor, one.collection, fields)
			if err != nil {
				t.Fatal(err)
			}
			s.Emulator.ClearJournal()
			imported, faults := s.Begin().ImportObject(t.Context(), one.resource, s.Account, planted.ID)
			if len(faults) > 0 || len(s.Writes()) > 0 {
				t.Fatalf("%s, writes %v", faults, s.Writes())
			}
			for _, by := range one.by {
				object := providertest.Text(t, imported.Value, by)
				again, faults := s.Begin().ImportObject(t.Context(), one.resource, s.Account, object)
				if len(faults) > 0 || !again.Value.Equal(imported.Value) {
					t.Errorf("by its %s %q: %s, %s", by, object, faults, again.Value)
				}
			}
			if refused := s.Begin().PlanChange(t.Context(), one.resource, imported, nil).Diagnostics; !strings.Contains(refused.Errors().String(), "(INVALID_STATE)") {
				t.Errorf("its destroy: %s", refused)
			}
			config := taken(s, one.resource, imported, one.config)
			if change := s.Plan(one.resource, imported, config); change.Replaces || len(change.Diagnostics.Errors()) > 0 {
				t.Fatalf("replaces %t, %s", change.Replaces, change.Diagnostics)
			}
			state := s.Apply(one.resource, imported, config)
			for _, write := range s.Writes() {
				if !vendor.Marks(write) {
					t.Errorf("the first apply has done more than to mark it: %s", write)
				}
			}
			if left := s.Emulator.Objects(one.vendor, one.collection); !slices.ContainsFunc(left, func(object emulator.Object) bool { return object.ID == planted.ID }) {
				t.Errorf("it is not there any more: %+v", left)
			}
			s.MustBeQuiet(one.resource, state, config)
		})
	}
}

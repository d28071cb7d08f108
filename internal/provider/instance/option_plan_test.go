// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"testing"
	"testing/synctest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// familyPlans are plans of new machines with an address family switched off. An address is "null" or "unknown" in the plan.
var familyPlans = map[string]struct {
	vendor     string
	options    options
	ipv4, ipv6 string
	warns      bool
}{
	"Hetzner Cloud without IPv6":                   {"hetzner", options{"public_ipv6": false}, "unknown", "null", false},
	"Hetzner Cloud without IPv4":                   {"hetzner", options{"public_ipv4": false}, "null", "unknown", false},
	"Hetzner Cloud without IPv4, in a network":     {"hetzner", options{"public_ipv4": false, "network": "blue"}, "unknown", "unknown", false},
	"Hetzner Cloud in a network alone":             {"hetzner", options{"public_ipv4": false, "public_ipv6": false, "network": "blue"}, "unknown", "null", false},
	"Hetzner Cloud with IPv4 that is unknown":      {"hetzner", options{"public_ipv4": providertest.Unknown, "public_ipv6": false}, "unknown", "unknown", false},
	"DigitalOcean without IPv6":                    {"digitalocean", options{"public_ipv6": false}, "unknown", "null", false},
	"DigitalOcean without public networking":       {"digitalocean", options{"public_ipv4": false}, "unknown", "null", true},
	"DigitalOcean in a VPC that is named":          {"digitalocean", options{"public_ipv4": false, "network": "blue"}, "unknown", "null", false},
	"DigitalOcean in a VPC that is not known yet":  {"digitalocean", options{"public_ipv4": false, "network": providertest.Unknown}, "unknown", "unknown", false},
	"Proxmox VE, where the template has the cards": {"proxmox", options{"network": "vmbr0"}, "unknown", "unknown", false},
}

func TestAnAddressFamilyThatIsSwitchedOff(t *testing.T) {
	for name, test := range familyPlans {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := furnished(t, vendorNamed(test.vendor))
				plan := s.Plan(typeName, s.Begin().Nothing(typeName), s.Machine(test.options))
				if errors := plan.Diagnostics.Errors(); len(errors) > 0 {
					t.Fatal(errors)
				}
				fields := providertest.Fields(t, plan.Planned.Value)
				if got := show(fields["ipv4_address"]) + " " + show(fields["ipv6_address"]); got != test.ipv4+" "+test.ipv6 {
					t.Errorf("addresses in the plan: %s, want %s %s", got, test.ipv4, test.ipv6)
				}
				if warned := len(plan.Diagnostics.Warnings().At("public_ipv4")) > 0; warned != test.warns {
					t.Errorf("warns %t: %s", warned, plan.Diagnostics)
				}
			})
		})
	}
}

func vendorNamed(name string) providertest.Vendor {
	for _, vendor := range providertest.Vendors {
		if vendor.Name == name {
			return vendor
		}
	}
	panic("there is no vendor " + name)
}

// TestOptionsThatAreNotKnownAreNotAskedAbout: an unknown network or firewall makes no request of its own, and forces no
// replacement of a machine that is there.
func TestOptionsThatAreNotKnownAreNotAskedAbout(t *testing.T) {
	lists := map[string][]string{"hetzner": {"/v1/networks", "/v1/firewalls"}, "digitalocean": {"/v2/vpcs"}, "proxmox": {"/api2/json/nodes/pve1/network"}}
	onEachVendorInMemory(t, func(t *testing.T, vendor providertest.Vendor) {
		s, _ := furnished(t, vendor)
		config := s.Machine(options{"network": providertest.Unknown})
		if errors := s.Plan(typeName, s.Begin().Nothing(typeName), config).Diagnostics.Errors(); len(errors) > 0 {
			t.Fatal(errors)
		}
		for _, entry := range s.Emulator.Journal() {
			for _, list := range lists[vendor.Name] {
				if entry.Path == list {
					t.Errorf("the plan has asked for %s", entry.Path)
				}
			}
		}
		state := s.Apply(typeName, s.Begin().Nothing(typeName), s.Machine(nil))
		plan := s.Plan(typeName, state, config)
		if errors := plan.Diagnostics.Errors(); len(errors) > 0 || plan.Replaces {
			t.Errorf("an unknown network: replaces %t, %s", plan.Replaces, errors)
		}
	})
}

// TestAnotherVendorsArgument: it is refused at its own path as soon as the account is known, and taken as long as it is not.
func TestAnotherVendorsArgument(t *testing.T) {
	onEachVendorInMemory(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewSceneInMemory(t, vendor)
		for _, other := range providertest.Vendors {
			config := s.Machine(options{other.Attribute: options{}})
			errors := s.Plan(typeName, s.Begin().Nothing(typeName), config).Diagnostics.Errors()
			if refused := len(errors.At(other.Attribute)) == 1; refused != (other.Name != vendor.Name) {
				t.Errorf("%s: %s", other.Attribute, errors)
			}
			config["provider_account"] = providertest.Unknown
			if errors := s.Plan(typeName, s.Begin().Nothing(typeName), config).Diagnostics.Errors(); len(errors) > 0 {
				t.Errorf("%s with an unknown account: %s", other.Attribute, errors)
			}
		}
	})
}

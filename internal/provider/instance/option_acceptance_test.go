// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// optionsWritten are options of each vendor in HCL, and the same with one changed in place.
var optionsWritten = map[string][2]string{
	"hetzner": {
		`
		network = "blue"
		backups = true
		public_ipv6 = false
		hetzner_cloud = { firewall_ids = ["web"], ssh_key_ids = ["laptop"] }`,
		`
		network = "green"
		backups = true
		public_ipv6 = false
		hetzner_cloud = { firewall_ids = ["web", "db"], ssh_key_ids = ["laptop"] }`,
	},
	"digitalocean": {
		`
		network = "blue"
		backups = true
		public_ipv6 = false
		digitalocean = { monitoring = true, ssh_key_ids = ["laptop"] }`,
		`
		network = "blue"
		backups = false
		public_ipv6 = false
		digitalocean = { monitoring = true, ssh_key_ids = ["laptop"] }`,
	},
	"proxmox": {
		`
		network = "vmbr0"
		proxmox = { on_boot = true, cpu_type = "host" }`,
		`
		network = "vmbr9.100"
		proxmox = { on_boot = true, cpu_type = "host", network_devices = ["vmbr9"] }`,
	},
}

// TestAccOptions is the life of a protected machine in a private network on a real CLI.
func TestAccOptions(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		providertest.Furnish(t, w.emulator, vendor)
		machine := func(options string, more ...string) string {
			return w.machine(strings.Join(append(more, "name = \"web\"", "image = \"IMAGE\"", options), "\n"))
		}
		before, after := machine(optionsWritten[vendor.Name][0], "delete_protection = true"), machine(optionsWritten[vendor.Name][1], "delete_protection = true")
		same := statecheck.CompareValue(compareSame{})
		id := func() statecheck.StateCheck { return same.AddStateValue(address, tfjsonpath.New("machine_id")) }
		protected := regexp.MustCompile(`which\s+is\s+protected`)
		w.run(
			resource.TestStep{
				Config: before, ConfigPlanChecks: does(plancheck.ResourceActionCreate),
				ConfigStateChecks: []statecheck.StateCheck{id(), holds("delete_protection", knownvalue.Bool(true))},
			},
			resource.TestStep{Config: after, ConfigPlanChecks: does(plancheck.ResourceActionUpdate), ConfigStateChecks: []statecheck.StateCheck{id()}},
			resource.TestStep{Config: after, Destroy: true, ExpectError: protected},
			resource.TestStep{Config: w.accountBlock(), ExpectError: protected},
			resource.TestStep{Config: strings.Replace(after, `"IMAGE"`, `"OTHER_IMAGE"`, 1), ExpectError: protected},
			resource.TestStep{
				Config: machine(optionsWritten[vendor.Name][1], "delete_protection = false"), ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{id()},
			},
		)
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestAccBadInputIsRefusedInThePlan(t *testing.T) {
	holder := func(changes string) string {
		return "instance = merge({ id = \"inst_a\", tenant_id = \"root\", machine_id = \"42\", region = \"fsn1\",\n" +
			"provider_account = { id = data.bettercompute_provider_account.main.id, kind = \"hetzner-cloud\" } }, " + changes + ")"
	}
	for title, test := range map[string]struct{ arguments, want string }{
		"a prefix on Hetzner":          {`prefix = "203.0.113.0/24"`, `\(UNSUPPORTED\)`},
		"ipv6 with a prefix":           {"family = \"ipv6\"\n prefix = \"203.0.113.0/24\"", `\(INVALID_INPUT\)`},
		"a family that is none":        {`family = "ipv5"`, `\(INVALID_INPUT\)`},
		"a region that is none":        {`region = "nowhere1"`, `\(INVALID_INPUT\)`},
		"a machine of another tenant":  {holder(`{ tenant_id = "other" }`), `\(ACCESS_DENIED\)`},
		"a machine of another vendor":  {holder(`{ provider_account = { id = "pacct_b", kind = "proxmox" } }`), `\(INVALID_INPUT\)`},
		"a machine of another project": {holder(`{ provider_account = { id = "pacct_b", kind = "hetzner-cloud" } }`), `\(INVALID_INPUT\)`},
		"a key with a space":           {`idempotency_key = "a b"`, `\(INVALID_INPUT\)`},
	} {
		t.Run(title, func(t *testing.T) {
			w := hetzner(t)
			w.run(resource.TestStep{Config: w.config(address(test.arguments)), PlanOnly: true, ExpectError: regexp.MustCompile(test.want)})
			if moves := w.moves(); len(moves) > 0 {
				t.Errorf("the plan sent %v", moves)
			}
		})
	}
}

func TestAccAQuotaIsNamed(t *testing.T) {
	w := hetzner(t)
	if err := w.ChangeSettings(func(s *emulator.Settings) { s.Quotas = map[string]int{"floating_ips": 0} }); err != nil {
		t.Fatal(err)
	}
	w.run(resource.TestStep{Config: w.config(address("")), ExpectError: regexp.MustCompile(`(?s)\(QUOTA_EXCEEDED\).*floating_ip_limit`)})
}

func TestAccAddressesAreListed(t *testing.T) {
	w := hetzner(t)
	listing := "\ndata \"bettercompute_provider_addresses\" \"all\" {\n  provider_account = data.bettercompute_provider_account.main\n  depends_on = [bettercompute_provider_address.web]\n}\n"
	all := "data.bettercompute_provider_addresses.all"
	w.run(resource.TestStep{
		PreConfig: func() {
			if _, err := w.Plant("hetzner", "floating_ips", emulator.Fields{"name": "foreign"}); err != nil {
				t.Fatal(err)
			}
		},
		Config: w.config(address(""), listing),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(all, tfjsonpath.New("addresses"), knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectPartial(map[string]knownvalue.Check{"name": exactly("web"), "owned": knownvalue.Bool(true), "state": exactly("ready")}),
			})),
		},
	})
}

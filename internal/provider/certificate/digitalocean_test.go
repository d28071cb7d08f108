// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func (w *world) droplets(more string) string {
	return fmt.Sprintf(`
data "bettercompute_provider_account" "main" {
  name         = "main"
  digitalocean = { token = "env://%s", endpoint = %q, region = "fra1" }
}

resource "bettercompute_certificate" "www" {
  provider_account = data.bettercompute_provider_account.main
  name             = "www"
  %s
}
`, tokenVariable, w.DigitalOcean.Endpoint, more)
}

// leavesNothing is the end of every test: neither certificates nor tags of ours.
func (w *world) leavesNothing(*terraform.State) error {
	for _, kind := range []string{"certificates", "tags"} {
		if left := w.Objects("digitalocean", kind); len(left) > 0 {
			return fmt.Errorf("left at the vendor: %s %+v", kind, left)
		}
	}
	return nil
}

func onDigitalOcean(t *testing.T) *world {
	t.Helper()
	providertest.NeedCLI(t)
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, e.DigitalOcean.Token)
	return &world{T: t, Emulator: e, pem: newTexts(t)}
}

// A renewal gives the certificate another id at this vendor; ours stays, and nothing is made anew.
func TestAccARenewalChangesTheVendorsID(t *testing.T) {
	w := onDigitalOcean(t)
	config := w.droplets(`kind = "managed"
  domains = ["www.example.com"]`)
	ours, theirs := statecheck.CompareValue(compare.ValuesSame()), statecheck.CompareValue(compare.ValuesDiffer())
	checks := func() []statecheck.StateCheck {
		return []statecheck.StateCheck{
			ours.AddStateValue(address, tfjsonpath.New("id")), theirs.AddStateValue(address, tfjsonpath.New("certificate_id")),
			holds("state", knownvalue.StringExact("ready")), holds("managed", knownvalue.Bool(true)), holds("fingerprint", knownvalue.Null()),
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), CheckDestroy: w.leavesNothing,
		Steps: []resource.TestStep{
			{Config: config, ConfigStateChecks: checks()},
			{
				PreConfig: func() {
					renewed := emulator.Fields{"not_after": time.Now().Add(100 * 24 * time.Hour).UTC()}
					if _, err := w.Patch("digitalocean", "certificates", w.Objects("digitalocean", "certificates")[0].ID, renewed); err != nil {
						t.Fatal(err)
					}
				},
				Config: config, ConfigPlanChecks: empty(), ConfigStateChecks: checks(),
			},
		},
	})
}

func TestAccCustomOnDigitalOceanAndItsUse(t *testing.T) {
	w := onDigitalOcean(t)
	for name, value := range map[string]string{"LEAF": w.pem.leaf, "KEY": w.pem.key, "CHAIN": w.pem.chain} {
		t.Setenv("CERTIFICATE_TEST_"+name, value)
	}
	config := w.droplets(`kind = "custom"
  certificate        = "env://CERTIFICATE_TEST_LEAF"
  private_key        = "env://CERTIFICATE_TEST_KEY"
  chain              = "env://CERTIFICATE_TEST_CHAIN"
  references_version = "1"
  timeouts           = { delete = "5s" }`)
	balancer := emulator.Object{}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), CheckDestroy: w.leavesNothing,
		Steps: []resource.TestStep{
			{
				Config: config,
				ConfigStateChecks: []statecheck.StateCheck{
					holds("state", knownvalue.StringExact("ready")), holds("fingerprint", knownvalue.StringRegexp(regexp.MustCompile("^[0-9a-f]{64}$"))),
					holds("domains", knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("www.example.com")})),
				},
			},
			{Config: config, ConfigPlanChecks: empty()},
			{
				PreConfig: func() {
					used := emulator.Fields{"forwarding_rules": []any{map[string]any{"certificate_id": w.Objects("digitalocean", "certificates")[0].ID}}}
					planted, err := w.Plant("digitalocean", "load_balancers", used)
					if err != nil {
						t.Fatal(err)
					}
					balancer = planted
				},
				Config: strings.Replace(config, `"1"`, `"2"`, 1), ExpectError: regexp.MustCompile(`(?s)\(INVALID_STATE\).*not in use`),
			},
			{
				PreConfig: func() {
					if err := w.Vanish("digitalocean", "load_balancers", balancer.ID); err != nil {
						t.Fatal(err)
					}
				},
				Config: strings.Replace(config, `"1"`, `"2"`, 1), ConfigPlanChecks: does(plancheck.ResourceActionDestroyBeforeCreate),
			},
			{
				// Gone outside: the team is known to be the right one, so the next apply makes it anew, and its dead row goes.
				PreConfig: func() {
					if err := w.Vanish("digitalocean", "certificates", w.Objects("digitalocean", "certificates")[0].ID); err != nil {
						t.Fatal(err)
					}
				},
				Config: strings.Replace(config, `"1"`, `"2"`, 1), ConfigPlanChecks: does(plancheck.ResourceActionCreate),
			},
		},
	})
}

func TestAccAFailedIssuanceOnDigitalOcean(t *testing.T) {
	w := onDigitalOcean(t)
	config := w.droplets(`kind = "managed"
  domains = ["www.example.com"]`)
	w.issuance("error")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), CheckDestroy: w.leavesNothing,
		Steps: []resource.TestStep{
			{Config: config, ExpectError: regexp.MustCompile(`(?s)\(PROVIDER_ERROR\).*gives no reason.*www\.example\.com`)},
			{PreConfig: func() { w.issuance("ok") }, Config: config, ConfigPlanChecks: does(plancheck.ResourceActionDestroyBeforeCreate)},
		},
	})
}

func TestAccImportOnDigitalOcean(t *testing.T) {
	w := onDigitalOcean(t)
	if _, err := w.Plant("digitalocean", "certificates", emulator.Fields{"name": "www", "dns_names": []string{"www.example.com"}}); err != nil {
		t.Fatal(err)
	}
	config := w.droplets(`kind = "managed"
  domains = ["www.example.com"]`)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), CheckDestroy: w.leavesNothing,
		Steps: []resource.TestStep{
			{
				Config: config + `
import {
  to = bettercompute_certificate.www
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "www")
}
`,
				ConfigStateChecks: []statecheck.StateCheck{holds("managed", knownvalue.Bool(true))},
			},
			{Config: config, ConfigPlanChecks: empty()},
		},
	})
}

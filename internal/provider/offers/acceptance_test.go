// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// config is both data sources over an account that is a resource or a data source.
func config(e *emulator.Emulator, keyword, account, offer string) string {
	return fmt.Sprintf(`
%s "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = { token = "env://%s", endpoint = %q }
}
data "bettercompute_offers" "all" {
  provider_account = %[4]s
  min_vcpu         = 4
}
data "bettercompute_offer" "one" {
  provider_account = %[4]s
  %[5]s
}
`, keyword, variable, e.Hetzner.Endpoint, account, offer)
}

func run(t *testing.T, step func(*emulator.Emulator) resource.TestStep) {
	t.Helper()
	providertest.NeedCLI(t)
	e := emulator.Start(t, emulator.Options{})
	t.Setenv(variable, e.Hetzner.Token)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), Steps: []resource.TestStep{step(e)},
	})
}

const (
	fromData     = "data.bettercompute_provider_account.main"
	fromResource = "bettercompute_provider_account.main"
)

func TestAccOffersOfAnAccountThatIsKnown(t *testing.T) {
	run(t, func(e *emulator.Emulator) resource.TestStep {
		return resource.TestStep{
			Config: config(e, "data", fromData, "min_vcpu = 4"),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.CompareValuePairs("data.bettercompute_offers.all", tfjsonpath.New("offers").AtSliceIndex(0).AtMapKey("id"),
					"data.bettercompute_offer.one", tfjsonpath.New("id"), same{}),
				statecheck.CompareValuePairs("data.bettercompute_offers.all", tfjsonpath.New("offers").AtSliceIndex(0).AtMapKey("price_per_hour"),
					"data.bettercompute_offer.one", tfjsonpath.New("price_per_hour"), same{}),
				statecheck.ExpectKnownValue("data.bettercompute_offer.one", tfjsonpath.New("region"), knownvalue.StringExact("fsn1")),
				statecheck.ExpectKnownValue("data.bettercompute_offer.one", tfjsonpath.New("currency"), knownvalue.StringExact("EUR")),
			},
		}
	})
}

// same compares the values of two attributes.
type same struct{}

// CompareValues finds fault with values that differ.
func (same) CompareValues(values ...any) error {
	for _, value := range values[1:] {
		if fmt.Sprint(value) != fmt.Sprint(values[0]) {
			return fmt.Errorf("%v is not %v", value, values[0])
		}
	}
	return nil
}

func TestAccOffersWaitForAnAccountThatIsPlanned(t *testing.T) {
	run(t, func(e *emulator.Emulator) resource.TestStep {
		return resource.TestStep{
			Config: config(e, "resource", fromResource, `id = "cx23"`),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue("data.bettercompute_offer.one", tfjsonpath.New("price_per_hour")),
				},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		}
	})
}

func TestAccOfferThatIsNotSold(t *testing.T) {
	run(t, func(e *emulator.Emulator) resource.TestStep {
		return resource.TestStep{
			Config:      config(e, "data", fromData, `id = "cx24"`),
			ExpectError: regexp.MustCompile(`(?s)cx24.*INVALID_INPUT.*cx2`),
		}
	})
}

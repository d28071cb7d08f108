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
func config(vendor providertest.Vendor, e *emulator.Emulator, keyword, account, offer string) string {
	return fmt.Sprintf(`
%s "bettercompute_provider_account" "main" {
  name = "main"
  %s
}
data "bettercompute_offers" "all" {
  provider_account = %[3]s
  min_vcpu         = 4
}
data "bettercompute_offer" "one" {
  provider_account = %[3]s
  %[4]s
}
`, keyword, vendor.BlockOn(e, "env://"+variable), account, offer)
}

func run(t *testing.T, vendor providertest.Vendor, step func(*emulator.Emulator) resource.TestStep) {
	t.Helper()
	providertest.NeedCLI(t)
	e := emulator.Start(t, emulator.Options{})
	t.Setenv(variable, vendor.Of(e).Token)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), Steps: []resource.TestStep{step(e)},
	})
}

// currency is what an offer of the vendor shows: null where it has no prices.
func currency(vendor providertest.Vendor) knownvalue.Check {
	if vendor.Currency == "" {
		return knownvalue.Null()
	}
	return knownvalue.StringExact(vendor.Currency)
}

const (
	fromData     = "data.bettercompute_provider_account.main"
	fromResource = "bettercompute_provider_account.main"
)

func TestAccOffersOfAnAccountThatIsKnown(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		run(t, vendor, func(e *emulator.Emulator) resource.TestStep {
			return resource.TestStep{
				Config: config(vendor, e, "data", fromData, "min_vcpu = 4"),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.CompareValuePairs("data.bettercompute_offers.all", tfjsonpath.New("offers").AtSliceIndex(0).AtMapKey("id"),
						"data.bettercompute_offer.one", tfjsonpath.New("id"), same{}),
					statecheck.CompareValuePairs("data.bettercompute_offers.all", tfjsonpath.New("offers").AtSliceIndex(0).AtMapKey("price_per_hour"),
						"data.bettercompute_offer.one", tfjsonpath.New("price_per_hour"), same{}),
					statecheck.ExpectKnownValue("data.bettercompute_offer.one", tfjsonpath.New("region"), knownvalue.StringExact(vendor.Region)),
					statecheck.ExpectKnownValue("data.bettercompute_offer.one", tfjsonpath.New("currency"), currency(vendor)),
				},
			}
		})
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
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		run(t, vendor, func(e *emulator.Emulator) resource.TestStep {
			return resource.TestStep{
				Config: config(vendor, e, "resource", fromResource, `id = "`+vendor.Offer+`"`),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectUnknownValue("data.bettercompute_offer.one", tfjsonpath.New("price_per_hour")),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			}
		})
	})
}

func TestAccOfferThatIsNotSold(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		run(t, vendor, func(e *emulator.Emulator) resource.TestStep {
			return resource.TestStep{
				Config:      config(vendor, e, "data", fromData, `id = "`+vendor.Offer+`x"`),
				ExpectError: regexp.MustCompile(`(?s)INVALID_INPUT.*` + vendor.Offer),
			}
		})
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const address = "bettercompute_instance.web"

var providers = map[string]func() (tfprotov6.ProviderServer, error){
	"bettercompute": func() (tfprotov6.ProviderServer, error) { return provider.NewServer("test")(), nil },
}

// account is the configuration of the account, as a data source.
func (w *world) accountBlock() string {
	return fmt.Sprintf(`
data "bettercompute_provider_account" "main" {
  name = "main"
  %s
}
`, w.accountArgument(tokenVariable))
}

// accountArgument is the vendor's argument of an account, with the token in a variable.
func (w *world) accountArgument(variable string) string {
	return w.vendor.BlockOn(w.emulator, "env://"+variable)
}

// machine is the account and a machine with the required arguments and more.
func (w *world) machine(more string) string {
	return w.accountBlock() + fmt.Sprintf(`
resource "bettercompute_instance" "web" {
  provider_account = data.bettercompute_provider_account.main
  offer_id         = "OFFER"
  %s
}
`, more)
}

// run runs steps on the CLI, and expects nothing to be left at the vendor.
func (w *world) run(steps ...resource.TestStep) {
	w.t.Helper()
	for i := range steps {
		steps[i].Config = w.vendor.Fill(steps[i].Config)
	}
	resource.Test(w.t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps:                    steps,
		CheckDestroy: func(*terraform.State) error {
			if servers := w.servers(); len(servers) > 0 {
				return fmt.Errorf("left at the vendor: %+v", servers)
			}
			return nil
		},
	})
}

func does(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

func holds(name string, value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(name), value)
}

func TestAccChangesInPlace(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		same := statecheck.CompareValue(compareSame{})
		id := func() statecheck.StateCheck { return same.AddStateValue(address, tfjsonpath.New("machine_id")) }
		off := `
		name             = "api"
		image            = "IMAGE"
		power            = "off"
		shutdown_timeout = "0s"
	`
		w.run(
			resource.TestStep{
				Config: w.machine(`
				name  = "web"
				image = "IMAGE"`),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
					plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringRegexp(regexp.MustCompile("^inst_"))),
					plancheck.ExpectKnownValue(address, tfjsonpath.New("region"), knownvalue.StringExact(vendor.Region)),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					id(), holds("state", knownvalue.StringExact("running")), holds("vcpu", knownvalue.Int64Exact(2)),
					holds("memory_gib", knownvalue.Int64Exact(4)), holds("disk_gib", knownvalue.Int64Exact(vendor.DiskGiB)),
					holds("managed", knownvalue.Bool(true)), holds("power", knownvalue.Null()), holds("ipv4_address", knownvalue.NotNull()),
					holds("addresses", knownvalue.ListSizeExact(vendor.Addresses)),
				},
			},
			resource.TestStep{
				Config:            w.machine(off + `labels = { team = "shop" }`),
				ConfigPlanChecks:  does(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{id(), holds("state", knownvalue.StringExact("stopped"))},
			},
			resource.TestStep{
				Config:           w.machine(off + `timeouts = { create = "1h" }`),
				ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			},
			resource.TestStep{
				PreConfig:         func() { w.patch(w.only().ID, emulator.Fields{"status": vendor.Running}) },
				Config:            w.machine(off),
				ConfigPlanChecks:  does(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{id(), holds("state", knownvalue.StringExact("stopped"))},
			},
		)
	})
}

func TestAccReplacementAndDisappearance(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		debian := w.machine(`
		name  = "web"
		image = "OTHER_IMAGE"`)
		w.run(
			resource.TestStep{
				Config: w.machine(`
				name  = "web"
				image = "IMAGE"`),
			},
			resource.TestStep{
				Config:            debian,
				ConfigPlanChecks:  does(plancheck.ResourceActionDestroyBeforeCreate),
				ConfigStateChecks: []statecheck.StateCheck{holds("state", knownvalue.StringExact("running"))},
			},
			resource.TestStep{
				PreConfig: func() {
					w.vanish(w.only().ID)
					// Something else of this account shows that the token is of the right project.
					w.plant("witness", nil, map[string]string{"managed": "true", "account": fmt.Sprint(w.account["id"])})
				},
				Config:           debian,
				ConfigPlanChecks: does(plancheck.ResourceActionCreate),
			},
			resource.TestStep{
				PreConfig:    func() { w.vanish(w.servers()[0].ID) },
				RefreshState: true,
			},
		)
	})
}

// compareSame expects all values to be equal.
type compareSame struct{}

// CompareValues compares the values of one attribute over the steps.
func (compareSame) CompareValues(values ...any) error {
	for _, value := range values {
		if value != values[0] {
			return fmt.Errorf("%v became %v", values[0], value)
		}
	}
	return nil
}

func TestAccArgumentsThatAreKnownInTheApplyOnly(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		if vendor.OtherRegion == "" {
			t.Skip("the vendor has one region only")
		}
		w := newWorld(t, vendor)
		config := w.accountBlock() + `
resource "terraform_data" "late" {
  input = { name = "web", offer = "OFFER", image = "IMAGE", region = "OTHER_REGION", power = "on", label = "shop", data = "#cloud-config\n", keep = "ignore", time = "30m" }
}

resource "bettercompute_instance" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = terraform_data.late.output.name
  offer_id         = terraform_data.late.output.offer
  image            = terraform_data.late.output.image
  region           = terraform_data.late.output.region
  user_data        = terraform_data.late.output.data
  power            = terraform_data.late.output.power
  labels           = { team = terraform_data.late.output.label }
  on_change        = { image = terraform_data.late.output.keep }
  timeouts         = { create = terraform_data.late.output.time }
}
`
		w.run(
			resource.TestStep{
				Config: config,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")),
					plancheck.ExpectUnknownValue(address, tfjsonpath.New("region")),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					holds("region", knownvalue.StringExact(vendor.OtherRegion)), holds("id", knownvalue.StringRegexp(regexp.MustCompile("^inst_"))),
				},
			},
			resource.TestStep{
				// All values are unknown in this plan, and only one of them turns out to differ.
				Config:           strings.Replace(config, `time = "30m"`, `time = "40m"`, 1),
				ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
			},
			resource.TestStep{
				Config:      strings.Replace(config, `region = "OTHER_REGION"`, `region = "REGION"`, 1),
				ExpectError: regexp.MustCompile("inconsistent final plan"),
			},
			resource.TestStep{
				Config:            config,
				ConfigStateChecks: []statecheck.StateCheck{holds("region", knownvalue.StringExact(vendor.OtherRegion))},
			},
		)
	})
}

// accountResource is the account as a resource, whose token is behind a variable, and a machine of an offer.
func (w *world) accountResource(variable, offer string) string {
	return fmt.Sprintf(`
resource "bettercompute_provider_account" "main" {
  name = "main"
  %s
}

data "bettercompute_offer" "small" {
  provider_account = bettercompute_provider_account.main
  min_vcpu         = 2
}

resource "bettercompute_instance" "web" {
  provider_account = bettercompute_provider_account.main
  name             = "web"
  offer_id         = %s
  image            = "IMAGE"
}
`, w.accountArgument(variable), offer)
}

func TestAccAnAccountThatChangesTakesNothingWithIt(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for name, test := range map[string]struct {
			offer  string
			action plancheck.ResourceActionType
		}{
			"the machine's arguments are known":          {`"OFFER"`, plancheck.ResourceActionNoop},
			"an argument comes from a data source on it": {"data.bettercompute_offer.small.id", plancheck.ResourceActionUpdate},
		} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, vendor)
				t.Setenv("INSTANCE_TEST_RENAMED", vendor.Of(w.emulator).Token)
				same := statecheck.CompareValue(compareSame{})
				id := func() statecheck.StateCheck { return same.AddStateValue(address, tfjsonpath.New("machine_id")) }
				w.run(
					resource.TestStep{Config: w.accountResource(tokenVariable, test.offer), ConfigStateChecks: []statecheck.StateCheck{id()}},
					resource.TestStep{
						PreConfig:         func() { t.Setenv(tokenVariable, "") },
						Config:            w.accountResource("INSTANCE_TEST_RENAMED", test.offer),
						ConfigPlanChecks:  does(test.action),
						ConfigStateChecks: []statecheck.StateCheck{id()},
					},
				)
			})
		}
	})
}

func TestAccACreateThatFailsIsTaintedAndReplaced(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		w.slow(vendor.CreateOperation)
		// Long enough for a machine to be made on a computer that is busy: a create that has none yet leaves nothing to taint.
		config := w.machine(`
		name     = "web"
		image    = "IMAGE"
		timeouts = { create = "10s" }`)
		w.run(
			resource.TestStep{Config: config, ExpectError: regexp.MustCompile(`(?s)\(TIMEOUT\).*untaint`)},
			resource.TestStep{
				PreConfig: func() {
					w.anHourPasses()
					w.set(func(s *emulator.Settings) { s.ActionTimes = nil })
				},
				Config:            strings.Replace(config, `"10s"`, `"10m"`, 1),
				ConfigPlanChecks:  does(plancheck.ResourceActionDestroyBeforeCreate),
				ConfigStateChecks: []statecheck.StateCheck{holds("state", knownvalue.StringExact("running"))},
			},
		)
	})
}

func TestAccImportBlock(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		planted := w.plant("web", nil, nil)
		w.anHourPasses()
		config := w.machine(`
		name  = "web"
		image = "IMAGE"`)
		w.run(
			resource.TestStep{
				Config: config + `
import {
  to = bettercompute_instance.web
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "web")
}
`,
				ConfigPlanChecks: does(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					holds("managed", knownvalue.Bool(true)), holds("machine_id", knownvalue.StringExact(planted.ID)),
				},
			},
			resource.TestStep{Config: config, ConfigPlanChecks: does(plancheck.ResourceActionNoop)},
		)
	})
}

func TestAccTwoMachinesOfOneName(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		w.run(resource.TestStep{
			Config: w.accountBlock() + `
resource "bettercompute_instance" "web" {
  count            = 2
  provider_account = data.bettercompute_provider_account.main
  name             = "web"
  offer_id         = "OFFER"
  image            = "IMAGE"
}
`,
			ExpectError: regexp.MustCompile(`\(CONFLICT\)`),
		})
		if writes := w.writes(); len(writes) > 0 {
			t.Errorf("the plan has written: %v", writes)
		}
	})
}

func TestAccWriteOnlyUserDataAndCreateBeforeDestroy(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		config := func(name, version string) string {
			return w.machine(fmt.Sprintf(`
			name                 = %q
			image                = "IMAGE"
			user_data_wo         = "#cloud-config\n# %[2]s\n"
			user_data_wo_version = %[2]s
			lifecycle { create_before_destroy = true }`, name, version))
		}
		// Where names are unique the old machine is in the way when the new one of the same name is made.
		third := resource.TestStep{Config: config("web-2", "3"), ConfigPlanChecks: does(plancheck.ResourceActionCreateBeforeDestroy)}
		if vendor.UniqueNames {
			third = resource.TestStep{Config: config("web-2", "3"), ExpectError: regexp.MustCompile(`\(CONFLICT\)`)}
		}
		w.run(
			resource.TestStep{
				Config:            config("web", "1"),
				ConfigStateChecks: []statecheck.StateCheck{holds("user_data_wo", knownvalue.Null()), holds("user_data_wo_version", knownvalue.StringExact("1"))},
			},
			resource.TestStep{Config: config("web-2", "2"), ConfigPlanChecks: does(plancheck.ResourceActionCreateBeforeDestroy)},
			third,
		)
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// answered is as much of the vendor's answers about projects as these tests read.
type answered struct {
	Project   struct{ ID string }
	Resources []struct{ URN string }
}

// asOthers sends a request to the emulated DigitalOcean, as others would.
func asOthers(t *testing.T, e *emulator.Emulator, method, path, body string) answered {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSuffix(e.DigitalOcean.Endpoint, "/")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+e.DigitalOcean.Token)
	response, err := e.DigitalOcean.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var got answered
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil || response.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %s, %v", method, path, response.Status, err)
	}
	return got
}

func newProject(t *testing.T, e *emulator.Emulator, name string) string {
	t.Helper()
	return asOthers(t, e, http.MethodPost, "/v2/projects", `{"name":"`+name+`","purpose":"Service or API"}`).Project.ID
}

func TestAMachineOfAnotherProjectIsRefusedInThePlan(t *testing.T) {
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, e.DigitalOcean.Token)
	shop := newProject(t, e, "shop")
	inside, outside := plantDroplet(t, e, "inside"), plantDroplet(t, e, "outside")
	asOthers(t, e, http.MethodPost, "/v2/projects/"+shop+"/resources", `{"resources":["do:droplet:`+inside+`"]}`)
	config := manifest.Values{"token": "env://" + tokenVariable, "endpoint": e.DigitalOcean.Endpoint, "region": "nyc3", "project_id": shop}
	withProject := accountOf(t, "digitalocean", config)
	delete(config, "project_id")
	without := accountOf(t, "digitalocean", config)
	without["id"] = "pacct_" + strings.Repeat("a", 52)
	for name, test := range map[string]struct {
		account, holder providertest.Attributes
		machine         string
		refused         bool
	}{
		"both in the account's project":            {withProject, withProject, inside, false},
		"made before the account had a project":    {withProject, withProject, outside, true},
		"through an account without a project":     {withProject, without, outside, true},
		"the address's account has no project":     {without, withProject, inside, true},
		"neither has one":                          {without, without, outside, false},
		"another account, but in the same project": {withProject, without, inside, false},
	} {
		t.Run(name, func(t *testing.T) {
			planned := providertest.Serve(t, nil).Plan(typeName, tftypes.Value{}, providertest.Attributes{
				"provider_account": test.account, "name": "web",
				"instance": providertest.Attributes{
					"id": "inst_a", "tenant_id": "root", "machine_id": test.machine, "region": "nyc3",
					"provider_account": providertest.Attributes{"id": test.holder["id"], "kind": "digitalocean"},
				},
			})
			faults := planned.Diagnostics.Errors()
			if refused := len(faults.At("instance")) > 0 && strings.Contains(faults.String(), "(INVALID_INPUT)"); refused != test.refused || len(faults) > 0 != test.refused {
				t.Errorf("refused at the instance: %t, want %t; the plan says: %s", refused, test.refused, planned.Diagnostics)
			}
		})
	}
}

// TestAProjectThatIsWrittenForTheMachineIsKnownInThePlan: the machine is planned before its address, in the same process. What
// is written decides, whatever project the machine is in now.
func TestAProjectThatIsWrittenForTheMachineIsKnownInThePlan(t *testing.T) {
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, e.DigitalOcean.Token)
	shop, blog := newProject(t, e, "shop"), newProject(t, e, "blog")
	outside := plantDroplet(t, e, "outside")
	config := manifest.Values{"token": "env://" + tokenVariable, "endpoint": e.DigitalOcean.Endpoint, "region": "nyc3"}
	without := accountOf(t, "digitalocean", config)
	config["project_id"] = shop
	withProject := accountOf(t, "digitalocean", config)
	for name, test := range map[string]struct {
		account providertest.Attributes
		project any
		machine any
		refused bool
	}{
		"another one, before it is made":    {withProject, "blog", providertest.Unknown, true},
		"another one, of a machine there":   {withProject, blog, outside, true},
		"the account's, which it moves to":  {withProject, "shop", outside, false},
		"the account has none":              {without, "shop", providertest.Unknown, true},
		"the default one, account has none": {without, "main", providertest.Unknown, false},
		"not written":                       {withProject, nil, providertest.Unknown, false},
		"not known":                         {withProject, providertest.Unknown, providertest.Unknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := providertest.Serve(t, nil)
			machine := server.Plan("bettercompute_instance", tftypes.Value{}, providertest.Attributes{
				"provider_account": test.account, "name": "web", "offer_id": "s-1vcpu-1gb", "image": "debian-13-x64",
				"digitalocean": providertest.Attributes{"project_id": test.project},
			})
			if faults := machine.Diagnostics.Errors(); len(faults) > 0 {
				t.Fatal(faults)
			}
			planned := server.Plan(typeName, tftypes.Value{}, providertest.Attributes{
				"provider_account": test.account, "name": "web",
				"instance": providertest.Attributes{
					"id": providertest.Text(t, machine.State, "id"), "tenant_id": "root", "machine_id": test.machine, "region": "nyc3",
					"provider_account": providertest.Attributes{"id": test.account["id"], "kind": "digitalocean"},
				},
			})
			faults := planned.Diagnostics.Errors()
			if refused := len(faults.At("instance")) > 0 && strings.Contains(faults.String(), "Leave the machine's project_id out"); refused != test.refused || len(faults) > 0 != test.refused {
				t.Errorf("refused at the instance: %t, want %t; the plan says: %s", refused, test.refused, planned.Diagnostics)
			}
		})
	}
}

func plantDroplet(t *testing.T, e *emulator.Emulator, name string) string {
	t.Helper()
	planted, err := e.Plant("digitalocean", "droplets", emulator.Fields{"name": name, "region": "nyc3"})
	if err != nil {
		t.Fatal(err)
	}
	return planted.ID
}

// TestAccAMachineAndItsAddressAreMadeInAProject, after a plan for another project that is refused: the next plan is empty, and
// what is moved by hand is left where it is.
func TestAccAMachineAndItsAddressAreMadeInAProject(t *testing.T) {
	w := digitalOcean(t, "")
	shop := newProject(t, w.Emulator, "shop")
	w.account = strings.Replace(w.account, `region = "nyc3"`, fmt.Sprintf("region = \"nyc3\", project_id = %q", shop), 1)
	config := w.config(w.instance("blue", ""), address(on("blue")))
	resources := "/v2/projects/" + shop + "/resources"
	elsewhere := w.config(w.instance("blue", `digitalocean = { project_id = "main" }`), address(on("blue")))
	w.run(
		resource.TestStep{Config: elsewhere, ExpectError: regexp.MustCompile(`Leave\s+the\s+machine's\s+project_id\s+out`)},
		resource.TestStep{Config: config, Check: func(*terraform.State) error {
			held := asOthers(t, w.Emulator, http.MethodGet, resources, "").Resources
			if len(held) != 2 || held[0].URN != "do:droplet:"+w.Objects("digitalocean", "droplets")[0].ID || held[1].URN != "do:floatingip:"+w.only().ID {
				return fmt.Errorf("the project holds %+v", held)
			}
			asOthers(t, w.Emulator, http.MethodPost, "/v2/projects/default/resources", `{"resources":["`+held[0].URN+`"]}`)
			return nil
		}},
		resource.TestStep{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
	)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// importable is an object at the vendor that a configuration imports.
type importable struct {
	resource, name string
	// arguments are those besides account and name.
	arguments string
	// by is the attribute whose value names the object.
	by string
	// object is that value; id is our id, the same after the import.
	object, id string
}

const machineArguments = `
  offer_id  = "OFFER"
  image     = "IMAGE"
  user_data = "#cloud-config\n{}\n"
  labels    = { role = "web" }`

// lost makes everything that an import can name, as a state that was lost has left it, and one machine that others have
// made: that one is not marked.
func lost(s *providertest.Scene) []*importable {
	s.T.Helper()
	var all []*importable
	for _, by := range []string{"id", "machine_id", "name", "ipv4_address"} {
		name := "by-" + strings.ReplaceAll(by, "_", "-")
		all = append(all, &importable{resource: instanceType, name: name, arguments: machineArguments, by: by})
	}
	if s.Vendor.Addresses > 1 {
		all = append(all,
			&importable{resource: addressType, name: "front", by: "address"},
			&importable{resource: certificateType, name: "www", arguments: "\n  kind    = \"managed\"\n  domains = [\"www.example.com\"]", by: "certificate_id"})
	}
	for _, one := range all {
		config := providertest.Attributes{"provider_account": s.Account, "name": one.name}
		switch one.resource {
		case instanceType:
			config = s.Machine(providertest.Attributes{"name": one.name, "user_data": "#cloud-config\n{}\n", "labels": providertest.Attributes{"role": "web"}})
		case certificateType:
			config["kind"], config["domains"] = "managed", []any{"www.example.com"}
		}
		state := s.Apply(one.resource, s.Begin().Nothing(one.resource), config)
		one.object, one.id = providertest.Text(s.T, state.Value, one.by), providertest.Text(s.T, state.Value, "id")
	}
	planted, err := s.Vendor.Plant(s.Emulator, "theirs", map[string]string{"role": "web"}, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	return append(all, &importable{resource: instanceType, name: "theirs", arguments: machineArguments, object: planted.ID})
}

func (i *importable) address() string { return i.resource + "." + i.name }

func (i *importable) block(importing bool) string {
	block := fmt.Sprintf(`
resource %q %q {
  provider_account = data.bettercompute_provider_account.main
  name             = %q%s
}
`, i.resource, i.name, i.name, i.arguments)
	if importing {
		block += fmt.Sprintf(`
import {
  to = %s
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, %q)
}
`, i.address(), i.object)
	}
	return block
}

// estate is the configuration of everything, with import blocks for all but the first, which the command imports.
func estate(s *providertest.Scene, all []*importable, importing bool) string {
	config := fmt.Sprintf("data \"bettercompute_provider_account\" \"main\" {\n  name = \"main\"\n  %s\n}\n", s.Vendor.BlockOn(s.Emulator, "env://"+providertest.SceneVariable))
	for i, one := range all {
		config += one.block(importing && i > 0)
	}
	return s.Vendor.Fill(config)
}

// importID is what the function import_id gives for an object: what the command takes.
func importID(s *providertest.Scene, object string) string {
	s.T.Helper()
	id, failed := s.Begin().Call("import_id", s.Account, object)
	if failed != nil {
		s.T.Fatal(failed.Text)
	}
	return id
}

// takes are the checks of the plan that imports: nothing is made, replaced or removed.
func takes(all []*importable) resource.ConfigPlanChecks {
	var checks []plancheck.PlanCheck
	for _, one := range all {
		checks = append(checks, plancheck.ExpectResourceAction(one.address(), plancheck.ResourceActionUpdate))
	}
	return resource.ConfigPlanChecks{PreApply: checks}
}

// TestAccAnImportByEachKindOfId: one configuration imports everything there is, one machine by the command and the others
// by blocks, each by another kind of id. Its plan replaces nothing, its apply marks the machine that bore no marks and sends
// the vendor nothing else, and the plan after it is empty.
func TestAccAnImportByEachKindOfId(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		all := lost(s)
		var same []statecheck.StateCheck
		for _, one := range all {
			if one.id != "" {
				same = append(same, statecheck.ExpectKnownValue(one.address(), tfjsonpath.New("id"), knownvalue.StringExact(one.id)))
			}
		}
		theirs := all[len(all)-1]
		same = append(same,
			statecheck.ExpectKnownValue(theirs.address(), tfjsonpath.New("managed"), knownvalue.Bool(true)),
			statecheck.ExpectKnownValue(theirs.address(), tfjsonpath.New("machine_id"), knownvalue.StringExact(theirs.object)))
		resource.Test(t, resource.TestCase{
			ProtoV6ProviderFactories: providertest.Factories(),
			Steps: []resource.TestStep{
				{
					PreConfig: s.Emulator.ClearJournal,
					Config:    estate(s, all, false), ResourceName: all[0].address(), ImportState: true, ImportStatePersist: true,
					ImportStateId: importID(s, all[0].object),
				},
				{
					Config: estate(s, all, true), ConfigPlanChecks: takes(all), ConfigStateChecks: same,
					Check: func(*terraform.State) error {
						for _, write := range s.Writes() {
							if !vendor.Marks(write) {
								t.Errorf("the import has written: %s", write)
							}
						}
						return nil
					},
				},
			},
		})
		if left := vendor.Machines(s.Emulator); len(left) > 0 {
			t.Errorf("the destroy has left %v", left)
		}
	})
}

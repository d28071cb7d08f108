// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package sealedsecret_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

const address = typeName + ".token"

// configuration is a provider block for a file, and a secret with further arguments.
func configuration(file secret.SealedFile, arguments string) string {
	return fmt.Sprintf(`
provider "bettercompute" {
  secret_store = {
    path     = %q
    identity = "env://%s"
  }
}

resource "bettercompute_secret" "token" {
  %s
}
`, file.Path, variable, arguments)
}

// opens checks what secret://root/token is.
func opens(t *testing.T, file secret.SealedFile, want string) resource.TestCheckFunc {
	t.Helper()
	return func(*terraform.State) error {
		got, err := secret.Resolver{Sealed: &file}.ResolveText(t.Context(), "secret://root/token")
		if err == nil && got != want {
			err = errors.New("another value: " + got)
		}
		return err
	}
}

func action(of plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, of)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
}

func TestAccASecretThroughItsLife(t *testing.T) {
	providertest.NeedCLI(t)
	file := newFile(t)
	reference := func(want string) []statecheck.StateCheck {
		return []statecheck.StateCheck{
			statecheck.ExpectKnownValue(address, tfjsonpath.New("ref"), knownvalue.StringExact(want)),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("value_wo"), knownvalue.Null()),
		}
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(),
		Steps: []resource.TestStep{
			{
				Config: configuration(file, `name = "token"`+"\n"+`value_wo = "first"`), ConfigPlanChecks: action(plancheck.ResourceActionCreate),
				ConfigStateChecks: reference("secret://root/token"), Check: opens(t, file, "first"),
			},
			{
				Config: configuration(file, `name = "token"`+"\n"+`value_wo = "second"`), ConfigPlanChecks: action(plancheck.ResourceActionNoop),
				Check: opens(t, file, "first"),
			},
			{
				Config: configuration(file, `name = "token"`+"\n"+`value_wo = "second"`+"\n"+`value_wo_version = 2`), ConfigPlanChecks: action(plancheck.ResourceActionUpdate),
				ConfigStateChecks: reference("secret://root/token"), Check: opens(t, file, "second"),
			},
			{
				Config: configuration(file, `name = "other"`+"\n"+`value_wo = "third"`), ConfigPlanChecks: action(plancheck.ResourceActionDestroyBeforeCreate),
				ConfigStateChecks: reference("secret://root/other"),
			},
		},
	})
	wantGone(t, file, "token")
	wantGone(t, file, "other")
}

func TestAccASecretThatWasPutByHandIsImported(t *testing.T) {
	providertest.NeedCLI(t)
	file := newFile(t)
	if err := file.Put(t.Context(), secret.Entry{Tenant: "root", Name: "token"}, planted); err != nil {
		t.Fatal(err)
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(),
		Steps: []resource.TestStep{
			{
				Config:       configuration(file, `name = "token"`+"\n"+`value_wo = "another"`),
				ResourceName: address, ImportState: true, ImportStateId: "secret://root/token", ImportStateKind: resource.ImportBlockWithID,
			},
			{
				Config: configuration(file, `name = "token"`+"\n"+`value_wo = "another"`) + `
import {
  to = bettercompute_secret.token
  id = "secret://root/token"
}
`, Check: opens(t, file, planted),
			},
		},
	})
	wantGone(t, file, "token")
}

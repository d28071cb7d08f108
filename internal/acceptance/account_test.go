// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const accountResource = `
resource "bettercompute_provider_account" "main" {
  name = "main"
  ACCOUNT
}
`

// renamed is a configuration whose account has its token in another variable.
func renamed(cloud *Cloud, configuration string) string {
	return strings.ReplaceAll(configuration, "ACCOUNT", cloud.Block("env://RENAMED_TOKEN", "var.endpoint", ""))
}

func TestTheVariableBehindTheTokenIsRenamed(t *testing.T) {
	for name, account := range map[string]string{"resource": accountResource, "data source": accountMain} {
		t.Run(name, func(t *testing.T) {
			OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
				reference := "data.bettercompute_provider_account.main"
				if name == "resource" {
					reference = "bettercompute_provider_account.main"
				}
				instance := strings.ReplaceAll(instanceWeb, "data.bettercompute_provider_account.main", reference)
				workspace := NewWorkspace(t, cloud, cli)
				workspace.Write(header + account + instance)
				workspace.Init()
				workspace.Must("apply")

				workspace.Environment["RENAMED_TOKEN"] = workspace.Environment[cloud.TokenVariable]
				delete(workspace.Environment, cloud.TokenVariable)
				workspace.Write(header + renamed(cloud, account) + instance)
				before := last(cloud)
				out := workspace.Must("plan")
				if strings.Contains(out, "bettercompute_instance.web will be") {
					t.Errorf("the machine is in the plan:\n%s", out)
				}
				workspace.Must("apply")
				if sent := writes(cloud, before); len(sent) != 0 {
					t.Errorf("the rename sent %+v", sent)
				}
				workspace.MustBeEmpty()
				workspace.Must("destroy")
				wantServers(t, cloud, 0)
			})
		})
	}
}

// Account changed while offer and image come from data sources on it: their values are unknown in the plan, and nothing
// is destroyed for that.
func TestTheAccountChangesUnderDataSources(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		configuration := accountResource + `
data "bettercompute_offer" "small" {
  provider_account = bettercompute_provider_account.main
  min_vcpu         = 2
  min_memory_gib   = 4
}

resource "bettercompute_instance" "web" {
  provider_account = bettercompute_provider_account.main
  name             = "web"
  offer_id         = data.bettercompute_offer.small.id
  image            = data.bettercompute_offer.small.vcpu > 0 ? "IMAGE" : "OTHER_IMAGE"
}
`
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + configuration)
		workspace.Init()
		workspace.Must("apply")
		machine := servers(t, cloud)[0].ID

		workspace.Environment["RENAMED_TOKEN"] = workspace.Environment[cloud.TokenVariable]
		delete(workspace.Environment, cloud.TokenVariable)
		workspace.Write(header + renamed(cloud, configuration))
		before := last(cloud)
		out := workspace.Must("apply")
		for _, entry := range writes(cloud, before) {
			t.Errorf("the change sent %s %s\n%s", entry.Method, entry.Path, out)
		}
		if strings.Contains(out, "must be replaced") || servers(t, cloud)[0].ID != machine {
			t.Errorf("the machine is replaced:\n%s", out)
		}
		workspace.MustBeEmpty()
	})
}

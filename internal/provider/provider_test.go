// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestTenantComesFromTheBlockThenTheEnvironment(t *testing.T) {
	tests := map[string]struct {
		block       providertest.Attributes
		environment string
		want        string
	}{
		"neither":                            {want: "root"},
		"environment":                        {environment: "shop", want: "shop"},
		"block wins over the environment":    {block: providertest.Attributes{"tenant_id": "team"}, environment: "shop", want: "team"},
		"unknown is not the environment's":   {block: providertest.Attributes{"tenant_id": providertest.Unknown}, environment: "shop", want: ""},
		"another argument unknown waits too": {block: providertest.Attributes{"owner": providertest.Unknown}, environment: "shop", want: ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("BETTERCOMPUTE_TENANT_ID", test.environment)
			server := providertest.Serve(t, test.block)
			planned := server.Plan("bettercompute_provider_account", tftypes.Value{}, providertest.Attributes{
				"name": "main", "verify": false, "hetzner_cloud": providertest.Attributes{"token": "env://HCLOUD_TOKEN"},
			})
			if len(planned.Diagnostics) > 0 {
				t.Fatal(planned.Diagnostics)
			}
			tenant := providertest.Fields(t, planned.State)["tenant_id"]
			if !tenant.IsKnown() {
				if test.want != "" {
					t.Errorf("the tenant is unknown, want %q", test.want)
				}
				return
			}
			if got := providertest.Text(t, planned.State, "tenant_id"); got != test.want {
				t.Errorf("the tenant is %q, want %q", got, test.want)
			}
		})
	}
}

func TestFaultsOfTheProviderBlock(t *testing.T) {
	tests := map[string]struct {
		arguments   map[string]any
		environment string
		at          string
	}{
		"sound":                     {arguments: map[string]any{"tenant_id": "team", "max_retries": 0, "requests_per_second": 2.5, "preflight": false}},
		"tenant with a space":       {arguments: map[string]any{"tenant_id": "my team"}, at: "tenant_id"},
		"tenant of the environment": {environment: "my team", at: "tenant_id"},
		"negative retries":          {arguments: map[string]any{"max_retries": -1}, at: "max_retries"},
		"negative rate":             {arguments: map[string]any{"requests_per_second": -0.5}, at: "requests_per_second"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("BETTERCOMPUTE_TENANT_ID", test.environment)
			faults := providerFaults(t, test.arguments)
			if test.at == "" {
				if len(faults) > 0 {
					t.Errorf("got:\n%s", faults)
				}
				return
			}
			if len(faults) != 1 || len(faults.At(test.at)) != 1 || !strings.HasSuffix(faults[0].Summary, "(INVALID_INPUT)") {
				t.Errorf("want one INVALID_INPUT at %s, got:\n%s", test.at, faults)
			}
		})
	}
}

// providerFaults validates the provider block and, as a CLI does, goes on to configure only where that finds nothing.
func providerFaults(t *testing.T, arguments map[string]any) providertest.Diagnostics {
	t.Helper()
	server := provider.NewServer("test")()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	attributes := map[string]tftypes.Value{}
	for _, attribute := range schemas.Provider.Block.Attributes {
		attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), arguments[attribute.Name])
	}
	config := dynamic(t, tftypes.NewValue(schemas.Provider.ValueType(), attributes))
	validated, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	if len(validated.Diagnostics) > 0 {
		return validated.Diagnostics
	}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	return configured.Diagnostics
}

// TestEverythingIsDocumented holds the schema to what the documentation is made of.
func TestEverythingIsDocumented(t *testing.T) {
	schemas, err := provider.NewServer("test")().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	documented(t, "provider", schemas.Provider.Block)
	for name, schema := range schemas.ResourceSchemas {
		documented(t, name, schema.Block)
	}
	for name, schema := range schemas.DataSourceSchemas {
		documented(t, "data."+name, schema.Block)
	}
}

func documented(t *testing.T, name string, block *tfprotov6.SchemaBlock) {
	t.Helper()
	if block.Description == "" {
		t.Errorf("%s has no description", name)
	}
	attributesDocumented(t, name, block.Attributes)
}

func attributesDocumented(t *testing.T, name string, attributes []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, attribute := range attributes {
		if !strings.HasSuffix(strings.TrimSpace(attribute.Description), ".") {
			t.Errorf("%s.%s is documented as %q, which is no full sentence", name, attribute.Name, attribute.Description)
		}
		if attribute.NestedType != nil {
			attributesDocumented(t, name+"."+attribute.Name, attribute.NestedType.Attributes)
		}
	}
}

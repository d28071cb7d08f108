// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/provideraccount"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// kindly is a provider with accounts of two made-up kinds and nothing else. It has no accounts to open: what is planned
// here follows from the arguments alone.
type kindly struct{}

func (kindly) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "bettercompute"
}

func (kindly) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (kindly) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (kindly) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (kindly) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{provideraccount.NewResource([]driver.Kind{kindNamed("red-cloud"), kindNamed("blue-cloud")})}
}

func kindNamed(name string) driver.Kind {
	return driver.Kind{Manifest: manifest.Manifest{
		Kind: name, Attribute: strings.ReplaceAll(name, "-", "_"), Title: name, Doc: "A kind.",
		Fields: []manifest.Field{{Name: "token", Type: manifest.String, Required: true, Secret: true, Doc: "Token."}},
	}}
}

func serveKinds(t *testing.T) *providertest.Server {
	t.Helper()
	return providertest.Speak(t, providerserver.NewProtocol6(kindly{})(), nil)
}

var token = attributes{"token": "env://TOKEN"}

func TestAnAccountIsOfOneKind(t *testing.T) {
	tests := map[string]struct {
		written attributes
		at      []string
		kind    string
	}{
		"one":                      {written: attributes{"red_cloud": token}, kind: "red-cloud"},
		"the other":                {written: attributes{"blue_cloud": token}, kind: "blue-cloud"},
		"both":                     {written: attributes{"red_cloud": token, "blue_cloud": token}, at: []string{"blue_cloud"}},
		"neither":                  {at: []string{""}},
		"one, and one unknown":     {written: attributes{"red_cloud": token, "blue_cloud": providertest.Unknown}, kind: "?"},
		"faults in both, and both": {written: attributes{"red_cloud": attributes{"token": "x"}, "blue_cloud": attributes{"token": "x"}}, at: []string{"red_cloud.token", "blue_cloud.token", "blue_cloud"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			written := attributes{"name": "main", "tenant_id": "root"}
			for attribute, value := range test.written {
				written[attribute] = value
			}
			server := serveKinds(t)
			faults := server.Validate(typeName, written)
			planned := server.Plan(typeName, tftypes.Value{}, written)
			for _, found := range []providertest.Diagnostics{faults, planned.Diagnostics} {
				if len(found) != len(test.at) || slices.ContainsFunc(test.at, func(path string) bool { return len(found.At(path)) != 1 }) {
					t.Errorf("want faults at %q, got:\n%s", test.at, found)
				}
			}
			if test.kind != "" && shown(t, planned.State)["kind"] != test.kind {
				t.Errorf("kind is %s, want %s", shown(t, planned.State)["kind"], test.kind)
			}
		})
	}
}

func TestAnotherKindReplaces(t *testing.T) {
	server := serveKinds(t)
	red := server.Plan(typeName, tftypes.Value{}, attributes{"name": "main", "tenant_id": "root", "red_cloud": token})
	if len(red.Diagnostics) > 0 {
		t.Fatal(red.Diagnostics)
	}
	blue := server.Plan(typeName, red.State, attributes{"name": "main", "tenant_id": "root", "blue_cloud": token})
	if !slices.Equal(blue.Replaces, []string{"kind"}) || shown(t, blue.State)["id"] == shown(t, red.State)["id"] {
		t.Errorf("replaces for %v, id %s after %s:\n%s", blue.Replaces, shown(t, blue.State)["id"], shown(t, red.State)["id"], blue.Diagnostics)
	}
	same := server.Plan(typeName, red.State, attributes{"name": "other", "tenant_id": "root", "red_cloud": token})
	if len(same.Replaces) > 0 || shown(t, same.State)["id"] != shown(t, red.State)["id"] {
		t.Errorf("a new name replaces for %v", same.Replaces)
	}
}

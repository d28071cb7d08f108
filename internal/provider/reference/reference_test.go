// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package reference_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var hetzner = compute.Reference{
	ID: compute.AccountID("root", "hetzner-cloud", "main", ""), TenantID: "root", Kind: "hetzner-cloud",
	Config: `{"config":{"token":"env://HCLOUD_TOKEN"},"format":1}`,
}

func TestObjectRoundTrip(t *testing.T) {
	decoded, known, diags := reference.Decode(t.Context(), reference.Object(hetzner))
	if diags.HasError() || !known || decoded != hetzner {
		t.Errorf("got %+v, known %t, %v; want %+v", decoded, known, diags, hetzner)
	}
}

func TestDecodeWaitsForWhatIsNotKnown(t *testing.T) {
	partly := reference.Object(hetzner).Attributes()
	partly["config"] = types.StringUnknown()
	missing := reference.Object(hetzner).Attributes()
	missing["kind"] = types.StringNull()
	tests := map[string]types.Object{
		"wholly unknown":    types.ObjectUnknown(reference.Types),
		"config unknown":    types.ObjectValueMust(reference.Types, partly),
		"kind null":         types.ObjectValueMust(reference.Types, missing),
		"null":              types.ObjectNull(reference.Types),
		"of another schema": types.ObjectUnknown(map[string]attr.Type{"x": types.StringType}),
	}
	for name, object := range tests {
		t.Run(name, func(t *testing.T) {
			decoded, known, diags := reference.Decode(t.Context(), object)
			if known || diags.HasError() || decoded != (compute.Reference{}) {
				t.Errorf("got %+v, known %t, %v; want nothing, not known, no error", decoded, known, diags)
			}
		})
	}
}

func TestBothFlavoursDeclareTheSameObject(t *testing.T) {
	want := types.ObjectType{AttrTypes: reference.Types}
	if got := reference.ResourceAttribute().GetType(); !got.Equal(want) {
		t.Errorf("resource attribute is %s, want %s", got, want)
	}
	if got := reference.DataSourceAttribute().GetType(); !got.Equal(want) {
		t.Errorf("data source attribute is %s, want %s", got, want)
	}
}

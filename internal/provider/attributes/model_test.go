// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package attributes_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

type model struct {
	Name   types.String `tfsdk:"name"`
	Count  types.Int64  `tfsdk:"count"`
	Labels types.Map    `tfsdk:"labels"`
	Inner  types.Object `tfsdk:"inner"`
}

var inner = map[string]attr.Type{"id": types.StringType}

func newState(t *testing.T) tfsdk.State {
	t.Helper()
	of := schema.Schema{Attributes: map[string]schema.Attribute{
		"name":   schema.StringAttribute{Required: true},
		"count":  schema.Int64Attribute{Computed: true},
		"labels": schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"inner": schema.SingleNestedAttribute{
			Optional: true, Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Required: true}},
		},
	}}
	return tfsdk.State{Schema: of, Raw: tftypes.NewValue(of.Type().TerraformType(t.Context()), nil)}
}

func TestAModelIsReadAndWrittenAsTheFrameworkDoesIt(t *testing.T) {
	object := types.ObjectValueMust(inner, map[string]attr.Value{"id": types.StringValue("1")})
	labels := types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringValue("b"), "c": types.StringUnknown()})
	tests := map[string]model{
		"known":   {types.StringValue("web"), types.Int64Value(2), labels, object},
		"null":    {types.StringNull(), types.Int64Null(), types.MapNull(types.StringType), types.ObjectNull(inner)},
		"unknown": {types.StringUnknown(), types.Int64Unknown(), types.MapUnknown(types.StringType), types.ObjectUnknown(inner)},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			theirs, ours := newState(t), newState(t)
			faults := theirs.Set(t.Context(), want)
			faults.Append(ours.Set(t.Context(), attributes.Object(t.Context(), want))...)
			if !ours.Raw.Equal(theirs.Raw) {
				t.Errorf("written is %s, want %s", ours.Raw, theirs.Raw)
			}
			got := attributes.Read[model](t.Context(), theirs, &faults)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if !got.Name.Equal(want.Name) || !got.Count.Equal(want.Count) || !got.Labels.Equal(want.Labels) || !got.Inner.Equal(want.Inner) {
				t.Errorf("read is %v, want %v", got, want)
			}
		})
	}
}

// A CLI plans the destruction of what is gone already: then not even a prior state is there.
func TestAModelOfNothingIsNull(t *testing.T) {
	var faults diag.Diagnostics
	got := attributes.Read[model](t.Context(), newState(t), &faults)
	if len(faults) > 0 || !got.Name.IsNull() || !got.Count.IsNull() || !got.Labels.IsNull() || !got.Inner.IsNull() {
		t.Errorf("read is %v, %v", got, faults)
	}
}

func TestAValueOfAnotherSchemaIsRefused(t *testing.T) {
	state := newState(t)
	faults := state.Set(t.Context(), attributes.Object(t.Context(), struct {
		Name types.Int64 `tfsdk:"name"`
	}{types.Int64Value(1)}))
	if !faults.HasError() {
		t.Error("a state took a value that its schema does not have")
	}
	defer func() {
		if recover() == nil {
			t.Error("a model took the place of another one's")
		}
	}()
	var none diag.Diagnostics
	empty := newState(t)
	none.Append(empty.Set(t.Context(), attributes.Object(t.Context(), model{
		types.StringValue("web"), types.Int64Null(), types.MapNull(types.StringType), types.ObjectNull(inner),
	}))...)
	attributes.Read[struct {
		Other types.String `tfsdk:"other"`
	}](t.Context(), empty, &none)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package reference holds the provider_account argument: the account object { id, tenant_id, kind, config } that
// everything takes which needs an account. It is data or a resource of the same name, passed whole; Terraform drops the
// attributes that are not declared here.
package reference

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

// Name is the name of the argument.
const Name = "provider_account"

// Types are the attributes of the account object.
var Types = map[string]attr.Type{
	"id":        types.StringType,
	"tenant_id": types.StringType,
	"kind":      types.StringType,
	"config":    types.StringType,
}

const (
	accountDoc = "The provider account to use: pass the whole `bettercompute_provider_account`, the data source or the " +
		"resource, as in `provider_account = data.bettercompute_provider_account.main`."
	idDoc     = "Id of the account: `pacct_` and 52 characters."
	tenantDoc = "Tenant that owns the account."
	kindDoc   = "Kind of the account, such as `hetzner-cloud`."
	configDoc = "Config of the account as canonical JSON. It holds references to secrets, never secrets."
)

var idPattern = regexp.MustCompile(`^pacct_[0-9a-hjkmnp-tv-z]{52}$`)

func idValidators() []validator.String {
	return []validator.String{validators.Matching(idPattern, "the id of a bettercompute_provider_account, pacct_ and 52 characters; "+
		"pass the whole account, as in provider_account = data.bettercompute_provider_account.main")}
}

// ResourceAttribute is the argument of a resource.
func ResourceAttribute() resourceschema.SingleNestedAttribute {
	return resourceschema.SingleNestedAttribute{
		Required:            true,
		MarkdownDescription: accountDoc + " A change to an account of the same kind is made in place, one of another kind replaces.",
		Attributes: map[string]resourceschema.Attribute{
			"id":        resourceschema.StringAttribute{Required: true, MarkdownDescription: idDoc, Validators: idValidators()},
			"tenant_id": resourceschema.StringAttribute{Required: true, MarkdownDescription: tenantDoc, Validators: validators.Tenant()},
			"kind":      resourceschema.StringAttribute{Required: true, MarkdownDescription: kindDoc},
			"config":    resourceschema.StringAttribute{Required: true, MarkdownDescription: configDoc},
		},
	}
}

// DataSourceAttribute is the argument of a data source.
func DataSourceAttribute() datasourceschema.SingleNestedAttribute {
	return datasourceschema.SingleNestedAttribute{
		Required:            true,
		MarkdownDescription: accountDoc,
		Attributes: map[string]datasourceschema.Attribute{
			"id":        datasourceschema.StringAttribute{Required: true, MarkdownDescription: idDoc, Validators: idValidators()},
			"tenant_id": datasourceschema.StringAttribute{Required: true, MarkdownDescription: tenantDoc, Validators: validators.Tenant()},
			"kind":      datasourceschema.StringAttribute{Required: true, MarkdownDescription: kindDoc},
			"config":    datasourceschema.StringAttribute{Required: true, MarkdownDescription: configDoc},
		},
	}
}

// model is the account object with all its attributes there.
type model struct {
	ID       types.String `tfsdk:"id"`
	TenantID types.String `tfsdk:"tenant_id"`
	Kind     types.String `tfsdk:"kind"`
	Config   types.String `tfsdk:"config"`
}

// Decode reads the account object. Known is false when the object or a part of it is unknown or null: a whole account may
// be unknown in a plan, and that a part of it is missing is told by the schema.
func Decode(ctx context.Context, object types.Object) (reference compute.Reference, known bool, diags diag.Diagnostics) {
	if object.IsUnknown() || object.IsNull() {
		return compute.Reference{}, false, nil
	}
	var account model
	diags = object.As(ctx, &account, basetypes.ObjectAsOptions{})
	if diags.HasError() {
		return compute.Reference{}, false, diags
	}
	for _, part := range []types.String{account.ID, account.TenantID, account.Kind, account.Config} {
		if part.IsUnknown() || part.IsNull() {
			return compute.Reference{}, false, diags
		}
	}
	return compute.Reference{
		ID:       account.ID.ValueString(),
		TenantID: account.TenantID.ValueString(),
		Kind:     account.Kind.ValueString(),
		Config:   account.Config.ValueString(),
	}, true, diags
}

// Object is the account object of a reference.
func Object(reference compute.Reference) types.Object {
	return types.ObjectValueMust(Types, map[string]attr.Value{
		"id":        types.StringValue(reference.ID),
		"tenant_id": types.StringValue(reference.TenantID),
		"kind":      types.StringValue(reference.Kind),
		"config":    types.StringValue(reference.Config),
	})
}

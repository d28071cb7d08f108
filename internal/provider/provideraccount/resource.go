// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package provideraccount is bettercompute_provider_account, resource and data source: an account at a vendor as a value
// that can be passed whole. It holds references to secrets, never secrets, and makes nothing at the vendor.
package provideraccount

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// Resource is the resource bettercompute_provider_account.
type Resource struct {
	kinds    []driver.Kind
	accounts *cloud.Accounts
}

var (
	_ resource.ResourceWithConfigure      = &Resource{}
	_ resource.ResourceWithValidateConfig = &Resource{}
	_ resource.ResourceWithModifyPlan     = &Resource{}
	_ resource.ResourceWithImportState    = &Resource{}
)

// NewResource makes the resource for the given kinds of accounts.
func NewResource(kinds []driver.Kind) func() resource.Resource {
	return func() resource.Resource { return &Resource{kinds: kinds} }
}

// Metadata tells the resource's name.
func (r *Resource) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_provider_account"
}

// Schema tells the attributes, one for each kind of account among them.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = resourceSchema(r.kinds)
}

// Configure takes the accounts of the process. There are none before the provider is configured, nor while its block has
// unknown arguments.
func (r *Resource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.accounts, _ = request.ProviderData.(*cloud.Accounts)
}

// ValidateConfig reports all faults of the config together.
func (r *Resource) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	written, diags := readArguments(ctx, request.Config, r.kinds)
	response.Diagnostics.Append(diags...)
	if !diags.HasError() {
		response.Diagnostics.Append(written.validate()...)
	}
}

// Create puts the account into the state once the vendor has accepted its token.
func (r *Resource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	response.Diagnostics.Append(r.settle(ctx, request.Plan)...)
	if !response.Diagnostics.HasError() {
		response.State.Raw = request.Plan.Raw
	}
}

// Update is Create for an account that is in the state.
func (r *Resource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	response.Diagnostics.Append(r.settle(ctx, request.Plan)...)
	if !response.Diagnostics.HasError() {
		response.State.Raw = request.Plan.Raw
	}
}

// settle announces and verifies a planned account, all of which is known.
func (r *Resource) settle(ctx context.Context, plan attributes) diag.Diagnostics {
	planned, diags := readPrior(ctx, plan)
	written, more := readArguments(ctx, plan, r.kinds)
	diags.Append(more...)
	if diags.HasError() {
		return diags
	}
	reference, known := planned.reference()
	chosen, one := written.chosen()
	if r.accounts == nil || !known || !one {
		diagnostics.NotConfigured(&diags, path.Empty())
		return diags
	}
	diags.Append(announce(r.accounts, reference)...)
	if !diags.HasError() && written.verifies() {
		diags.Append(verify(ctx, r.accounts, reference, chosen, applying)...)
	}
	return diags
}

// Read keeps the state, which is all there is of an account, and announces it to what depends on the account.
func (r *Resource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	before, diags := readPrior(ctx, request.State)
	response.Diagnostics.Append(diags...)
	if reference, known := before.reference(); known && r.accounts != nil {
		r.accounts.Announce(reference)
	}
}

// Delete drops the account from the state and warns of what still bears its mark. It never refuses.
func (r *Resource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	before, diags := readPrior(ctx, request.State)
	written, more := readArguments(ctx, request.State, r.kinds)
	diags.Append(more...)
	response.Diagnostics.Append(diags...)
	reference, known := before.reference()
	if diags.HasError() || !known || r.accounts == nil {
		return
	}
	response.Diagnostics.Append(leftovers(ctx, r.accounts, reference, written.name.ValueString())...)
}

// ImportState says why there is nothing to import.
func (r *Resource) ImportState(_ context.Context, _ resource.ImportStateRequest, response *resource.ImportStateResponse) {
	diagnostics.Error(&response.Diagnostics, path.Empty(), driver.Unsupported, "An account cannot be imported",
		"A bettercompute_provider_account exists in configuration and state only: nothing of it is kept at the vendor that could be looked up. "+
			"Write the resource and apply it: its id follows from tenant, kind and name, so an account that was lost from a state comes back the same.")
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package instance is the resource bettercompute_instance: a machine at any of the vendors. What a plan decides is a
// function of configuration, state and private state; what the vendor knows enters a plan as errors and warnings only.
package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

// Resource is bettercompute_instance.
type Resource struct {
	accounts accounts.Opener
}

// NewResource makes the resource for the provider's list.
func NewResource() resource.Resource { return &Resource{} }

// Metadata names the resource's type.
func (r *Resource) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_instance"
}

// Configure takes the accounts that the provider has made for this command.
func (r *Resource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	r.accounts.Take(request.ProviderData, &response.Diagnostics)
}

// open makes an account ready; nil without an error means that it is not known yet.
func (r *Resource) open(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	return r.accounts.Open(ctx, object, diags)
}

// mustOpen is open for operations that cannot go on without the account.
func (r *Resource) mustOpen(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	return r.accounts.MustOpen(ctx, object, diags)
}

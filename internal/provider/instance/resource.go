// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package instance is the resource bettercompute_instance: a machine at any of the vendors. What a plan decides is a
// function of configuration, state and private state; what the vendor knows enters a plan as errors and warnings only.
package instance

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

// Resource is bettercompute_instance.
type Resource struct {
	// accounts is nil until the provider is configured, and stays nil where validation alone is asked for.
	accounts *cloud.Accounts
}

// NewResource makes the resource for the provider's list.
func NewResource() resource.Resource { return &Resource{} }

// Metadata names the resource's type.
func (r *Resource) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_instance"
}

// Configure takes the accounts that the provider has made for this command.
func (r *Resource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	if request.ProviderData == nil {
		return
	}
	accounts, ok := request.ProviderData.(*cloud.Accounts)
	if !ok {
		response.Diagnostics.AddError("Unexpected provider data",
			fmt.Sprintf("The instance resource was given %T. Please report this to the provider's authors.", request.ProviderData))
		return
	}
	r.accounts = accounts
}

// open makes the account ready that an argument or a state names, with the newest config that was announced for it. It
// makes no request. Nil without an error means that the account is not known yet.
func (r *Resource) open(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	named, known, problems := reference.Decode(ctx, object)
	diags.Append(problems...)
	if problems.HasError() || !known || r.accounts == nil {
		return nil
	}
	account, err := r.accounts.Open(ctx, named)
	if err != nil {
		diagnostics.Append(diags, err, path.Root(reference.Name), nil)
		return nil
	}
	return account
}

// mustOpen is open for operations that cannot go on without the account.
func (r *Resource) mustOpen(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	account := r.open(ctx, object, diags)
	if account == nil && !diags.HasError() {
		diagnostics.Error(diags, path.Root(reference.Name), driver.InvalidConfig, "The provider account is not known",
			"The provider is not configured, or provider_account has no value. Pass the whole bettercompute_provider_account.")
	}
	return account
}

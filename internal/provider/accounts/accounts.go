// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package accounts opens the provider account that a resource or a data source names, with the accounts that the provider
// has made for the command.
package accounts

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Opener opens accounts. It is empty until the provider is configured, and stays so where validation alone is asked for.
type Opener struct {
	*cloud.Accounts
}

// Take takes what the provider hands to everything that it serves.
func (o *Opener) Take(data any, diags *diag.Diagnostics) {
	if data == nil {
		return
	}
	accounts, ok := data.(*cloud.Accounts)
	if !ok {
		diags.AddError("Unexpected provider data", fmt.Sprintf("The provider handed over %T. Please report this to its authors.", data))
		return
	}
	o.Accounts = accounts
}

// Tenant is the provider's, which owns what is made; empty while it is not known.
func (o *Opener) Tenant() string {
	if o.Accounts == nil {
		return ""
	}
	return o.TenantID()
}

// RememberClaim keeps the claim of an object that a read has found: see cloud.Accounts.Remember.
func (o *Opener) RememberClaim(claim string, names ...types.String) {
	if o.Accounts != nil {
		o.Remember(claim, o.texts(names)...)
	}
}

// RecallClaim answers the claim of an object whose replacement is planned without its private state; empty: there is none.
func (o *Opener) RecallClaim(names ...types.String) string {
	if o.Accounts == nil {
		return ""
	}
	return o.Recall(o.texts(names)...)
}

func (o *Opener) texts(names []types.String) []string {
	var known []string
	for _, name := range names {
		if name.ValueString() != "" {
			known = append(known, name.ValueString())
		}
	}
	return known
}

// Preflight says whether plans may ask the vendor.
func (o *Opener) Preflight() bool { return o.Accounts != nil && o.Accounts.Preflight() }

// Open makes the account ready that an argument or a state names, with the newest config that was announced for it. It
// makes no request. Nil without an error means that the account is not known yet.
func (o *Opener) Open(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	named, known, problems := reference.Decode(ctx, object)
	diags.Append(problems...)
	if problems.HasError() || !known || o.Accounts == nil {
		return nil
	}
	account, err := o.Accounts.Open(ctx, named)
	if err != nil {
		diagnostics.Append(diags, err, path.Root(reference.Name), nil)
		return nil
	}
	return account
}

// MustOpen is Open for operations that cannot go on without the account.
func (o *Opener) MustOpen(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	account := o.Open(ctx, object, diags)
	if account == nil && !diags.HasError() {
		diagnostics.Error(diags, path.Root(reference.Name), driver.InvalidConfig, "The provider account is not known",
			"The provider is not configured, or provider_account has no value. Pass the whole bettercompute_provider_account.")
	}
	return account
}

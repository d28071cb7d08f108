// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package provideraddress is the resource bettercompute_provider_address, a public address that is reserved at a vendor and
// put on machines, and the data source bettercompute_provider_addresses.
package provideraddress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var (
	_ resource.ResourceWithConfigure   = (*Resource)(nil)
	_ resource.ResourceWithImportState = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan  = (*Resource)(nil)
)

// typeName is the resource's, for messages.
const typeName = "bettercompute_provider_address"

// Resource is bettercompute_provider_address.
type Resource struct {
	accounts accounts.Opener
}

// NewResource makes the resource for the provider's list.
func NewResource() resource.Resource { return &Resource{} }

// Metadata names the resource's type.
func (r *Resource) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_provider_address"
}

// Configure takes the accounts that the provider has made for this command.
func (r *Resource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	r.accounts.Take(request.ProviderData, &response.Diagnostics)
}

// argumentPaths are the arguments that errors of compute name.
func argumentPaths() map[string]path.Path {
	paths := map[string]path.Path{}
	for _, name := range []string{
		reference.Name, "name", "description", "region", "family", "prefix", "instance", "reverse_dns", "idempotency_key",
	} {
		paths[name] = path.Root(name)
	}
	return paths
}

// life is whose steps are logged: one line at INFO for each step of an address's life takes the place of an event.
type life struct {
	account     *compute.Account
	id, address string
}

// log writes one line: the step, or "error" where it failed.
func (l life) log(ctx context.Context, step string, err error) {
	fields := map[string]any{"id": l.id, "address": l.address, "provider_account": l.account.Reference().ID}
	if err != nil {
		fields["step"], fields["code"], fields["error"] = step, string(compute.CodeOf(err)), err.Error()
		step = "error"
	}
	tflog.Info(ctx, "address "+step, fields)
}

// logMove writes a line where an address has come to another machine, or failed to.
func (l life) logMove(ctx context.Context, from, to string, err error) {
	switch {
	case from == to && err == nil:
	case to == "":
		l.log(ctx, "unassigned", err)
	default:
		l.log(ctx, "assigned", err)
	}
}

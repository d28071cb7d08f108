// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ModifyPlan makes everything about the account known in the plan as soon as it can be told, so that what depends on the
// account can be checked against the vendor before the account is in any state. A destroy needs no working account.
func (r *Resource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() {
		return
	}
	written, diags := readArguments(ctx, request.Config, r.kinds)
	response.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	response.Diagnostics.Append(written.validate()...)
	if response.Diagnostics.HasError() {
		return
	}
	planned, err := written.computed(providerTenant(r.accounts))
	if err != nil {
		response.Diagnostics.AddError("The config cannot be written as JSON (INVALID_INPUT)", err.Error())
		return
	}
	if !request.State.Raw.IsNull() {
		planned = written.change(ctx, planned, request, response)
	}
	response.Diagnostics.Append(planned.set(ctx, &response.Plan)...)
	r.look(ctx, written, planned, response)
}

// look announces the planned account and tries its token, unless something that takes part is unknown.
func (r *Resource) look(ctx context.Context, written arguments, planned computed, response *resource.ModifyPlanResponse) {
	reference, known := planned.reference()
	chosen, one := written.chosen()
	if response.Diagnostics.HasError() || r.accounts == nil || !known || !one {
		return
	}
	response.Diagnostics.Append(announce(r.accounts, reference)...)
	if !response.Diagnostics.HasError() && written.verifies() {
		response.Diagnostics.Append(verify(ctx, r.accounts, reference, chosen, planning)...)
	}
}

// change answers what becomes of an account that is in the state: the same one in place, or another one in its place.
func (a arguments) change(
	ctx context.Context, planned computed, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse,
) computed {
	before, diags := readPrior(ctx, request.State)
	response.Diagnostics.Append(diags...)
	if diags.HasError() {
		return planned
	}
	if a.tenantID.IsNull() {
		planned.tenantID = before.tenantID
	}
	planned.tenantID = stay(attributeTenantID, planned.tenantID, before.tenantID, response)
	planned.kind = stay(attributeKind, planned.kind, before.kind, response)
	key := stay(attributeIdempotencyKey, a.idempotencyKey, before.idempotencyKey, response)

	var replacing []path.Path
	if !planned.tenantID.Equal(before.tenantID) {
		replacing = append(replacing, path.Root(attributeTenantID))
	}
	if !planned.kind.Equal(before.kind) {
		replacing = append(replacing, path.Root(attributeKind))
	}
	if key.ValueString() != before.idempotencyKey.ValueString() {
		replacing = append(replacing, path.Root(attributeIdempotencyKey))
	}
	if len(replacing) == 0 {
		return planned.after(before)
	}
	response.RequiresReplace = append(response.RequiresReplace, replacing...)
	planned.id = a.id(planned.tenantID, planned.kind)
	return planned
}

// stay keeps the value of the state for an argument that would replace the account and is not known yet: an unknown value
// never replaces. Terraform stops the apply if the value then turns out to differ.
func stay(attribute string, planned, before types.String, response *resource.ModifyPlanResponse) types.String {
	if !planned.IsUnknown() {
		return planned
	}
	response.Diagnostics.AddAttributeWarning(path.Root(attribute), fmt.Sprintf("%s is known only after the apply", attribute),
		fmt.Sprintf("The plan goes on with the %s that the account has, %q. If it turns out to be another one, the apply stops before the account is "+
			"changed. To see the whole change in the plan, apply first what gives the value, with -target.", attribute, before.ValueString()))
	return before
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package sealedsecret

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// ModifyPlan fills in the tenant, keeps the reference of a secret that is there, and looks whether the file can be written.
func (r *Resource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() {
		return
	}
	var written, planned model
	response.Diagnostics.Append(request.Config.Get(ctx, &written)...)
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	if response.Diagnostics.HasError() {
		return
	}
	planned.TenantID, planned.Ref = written.TenantID, types.StringUnknown()
	if written.TenantID.IsNull() {
		planned.TenantID = r.tenant()
	}
	puts := true
	if !request.State.Raw.IsNull() {
		var before model
		response.Diagnostics.Append(request.State.Get(ctx, &before)...)
		puts = change(written, before, &planned, response)
	}
	response.Diagnostics.Append(response.Plan.Set(ctx, planned)...)
	if puts && !response.Diagnostics.HasError() {
		r.look(ctx, planned, request.State.Raw.IsNull(), response)
	}
}

// tenant is the provider's: unknown as long as its block is.
func (r *Resource) tenant() types.String {
	if r.accounts == nil {
		return types.StringUnknown()
	}
	return types.StringValue(r.accounts.TenantID())
}

// change plans what becomes of a secret that is there, and answers whether its value is put anew. An unknown argument never
// replaces it: the CLI stops the apply should the argument then differ.
func change(written, before model, planned *model, response *resource.ModifyPlanResponse) (puts bool) {
	if written.TenantID.IsNull() || written.TenantID.IsUnknown() {
		planned.TenantID = before.TenantID
	}
	for attribute, unknown := range map[string]bool{attributeName: written.Name.IsUnknown(), attributeTenant: written.TenantID.IsUnknown()} {
		if unknown {
			response.Diagnostics.AddAttributeWarning(path.Root(attribute), attribute+" is not known yet",
				fmt.Sprintf("The plan goes on the assumption that it stays what it is. If it changes, which would replace %s, the apply stops; plan again then.", before.Ref.ValueString()))
		}
	}
	if !written.Name.IsUnknown() && !written.Name.Equal(before.Name) {
		response.RequiresReplace.Append(path.Root(attributeName))
	}
	if !planned.TenantID.Equal(before.TenantID) {
		response.RequiresReplace.Append(path.Root(attributeTenant))
	}
	if len(response.RequiresReplace) > 0 {
		return true
	}
	planned.Ref = before.Ref
	return !planned.ValueWOVersion.Equal(before.ValueWOVersion)
}

// look finds what would make the apply fail, and what it would write over.
func (r *Resource) look(ctx context.Context, planned model, creates bool, response *resource.ModifyPlanResponse) {
	if r.accounts == nil || planned.Name.IsUnknown() || planned.TenantID.IsUnknown() {
		return
	}
	file, ok := r.file(&response.Diagnostics)
	if !ok {
		return
	}
	if err := file.CheckPut(ctx); err != nil {
		report(&response.Diagnostics, path.Root(attributeName), fmt.Sprintf("%s cannot be put into the sealed file", planned.entry()), err)
		return
	}
	if !creates {
		return
	}
	if !r.accounts.Note("secret", planned.entry().String()) {
		diagnostics.Error(&response.Diagnostics, path.Root(attributeName), driver.Conflict, fmt.Sprintf("Two secrets are planned as %s", planned.entry()),
			"Another bettercompute_secret of this configuration has the same name and tenant. Give one of them another name.")
		return
	}
	if there, err := file.Has(planned.entry()); err == nil && there {
		response.Diagnostics.AddAttributeWarning(path.Root(attributeName), fmt.Sprintf("%s is in the sealed file already", planned.entry()),
			fmt.Sprintf("The apply replaces its value in %s. If the value was put there by somebody else, choose another name; to keep it, import it:\n\n"+
				"  terraform import ADDRESS %s", file.Path, planned.entry()))
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package sealedsecret is the resource bettercompute_secret: a value in the sealed file behind secret:// references. The
// value is written and never read back; the state holds the reference to it.
package sealedsecret

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// made is what the command remembers of the entries that it has put for new resources.
const made = "secret made"

var (
	_ resource.ResourceWithConfigure   = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan  = (*Resource)(nil)
	_ resource.ResourceWithImportState = (*Resource)(nil)
)

// Resource is bettercompute_secret.
type Resource struct {
	// accounts is nil until the provider is configured, and stays nil where validation alone is asked for.
	accounts *cloud.Accounts
}

// NewResource makes the resource for the provider's list.
func NewResource() resource.Resource { return &Resource{} }

// Metadata names the resource's type.
func (r *Resource) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_secret"
}

// Configure takes the accounts of the command, which know the sealed file.
func (r *Resource) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.accounts, _ = request.ProviderData.(*cloud.Accounts)
}

// Create puts the value into the file. A value that is there already, of a create that was killed for example, is replaced.
func (r *Resource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var planned, written model
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(request.Config.Get(ctx, &written)...)
	if response.Diagnostics.HasError() || !r.put(ctx, planned, written.ValueWO, &response.Diagnostics) {
		return
	}
	r.accounts.Note(made, planned.entry().String())
	planned.Ref = types.StringValue(planned.entry().String())
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

// Update puts the value anew where its version has changed.
func (r *Resource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var planned, written, before model
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(request.Config.Get(ctx, &written)...)
	response.Diagnostics.Append(request.State.Get(ctx, &before)...)
	if response.Diagnostics.HasError() {
		return
	}
	if !planned.ValueWOVersion.Equal(before.ValueWOVersion) && !r.put(ctx, planned, written.ValueWO, &response.Diagnostics) {
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

func (r *Resource) put(ctx context.Context, planned model, value types.String, diags *diag.Diagnostics) bool {
	file, ok := r.file(diags)
	if !ok {
		return false
	}
	err := file.Put(ctx, planned.entry(), value.ValueString())
	report(diags, path.Root(attributeValue), fmt.Sprintf("%s is not put into the sealed file", planned.entry()), err)
	if err == nil {
		tflog.Info(ctx, "secret put", map[string]any{"ref": planned.entry().String()})
	}
	return err == nil
}

// Read looks whether the entry is there; its value is not looked at.
func (r *Resource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var before model
	response.Diagnostics.Append(request.State.Get(ctx, &before)...)
	if response.Diagnostics.HasError() || r.accounts == nil {
		return
	}
	file, ok := r.file(&response.Diagnostics)
	if !ok {
		return
	}
	there, err := file.Has(before.entry())
	if err != nil {
		report(&response.Diagnostics, path.Root(attributeName), fmt.Sprintf("%s cannot be looked for", before.entry()), err)
		return
	}
	if !there {
		response.Diagnostics.AddWarning(fmt.Sprintf("%s is no longer there", before.entry()),
			fmt.Sprintf("The sealed file %s does not have it: it was removed, or the file is not the one that it was put into, as in a fresh checkout of a "+
				"file that was never committed. The plan puts it there again.", file.Path))
		response.State.RemoveResource(ctx)
	}
}

// Delete takes the entry out of the file. One that is gone is done. One that this command has put anew is kept: it belongs
// to the replacement that create_before_destroy has made.
func (r *Resource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var before model
	response.Diagnostics.Append(request.State.Get(ctx, &before)...)
	if response.Diagnostics.HasError() {
		return
	}
	file, ok := r.file(&response.Diagnostics)
	if !ok || r.accounts.Noted(made, before.entry().String()) {
		return
	}
	_, err := file.Remove(ctx, before.entry())
	report(&response.Diagnostics, path.Root(attributeName), fmt.Sprintf("%s is not removed from the sealed file", before.entry()), err)
	if err == nil {
		tflog.Info(ctx, "secret removed", map[string]any{"ref": before.entry().String()})
	}
}

// ImportState takes a reference, secret://TENANT/NAME, to an entry that is there.
func (r *Resource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	entry, err := secret.ParseEntry(request.ID)
	if err != nil {
		report(&response.Diagnostics, path.Empty(), "The import id is no reference to a secret", err)
		return
	}
	file, ok := r.file(&response.Diagnostics)
	if !ok {
		return
	}
	there, err := file.Has(entry)
	report(&response.Diagnostics, path.Empty(), fmt.Sprintf("%s cannot be looked for", entry), err)
	if err != nil {
		return
	}
	if !there {
		diagnostics.Error(&response.Diagnostics, path.Empty(), driver.NotFound, fmt.Sprintf("There is no %s", entry),
			fmt.Sprintf("The sealed file %s does not have it. Its entries are listed by the subcommand secret list.", file.Path))
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, model{
		Name: types.StringValue(entry.Name), TenantID: types.StringValue(entry.Tenant), Ref: types.StringValue(entry.String()),
	})...)
}

// file answers the sealed file, or says that there is none.
func (r *Resource) file(diags *diag.Diagnostics) (*secret.SealedFile, bool) {
	if r.accounts == nil {
		diagnostics.NotConfigured(diags, path.Empty())
		return nil, false
	}
	file := r.accounts.Secrets()
	if file == nil {
		diagnostics.Error(diags, path.Empty(), driver.InvalidConfig, "There is no sealed file",
			"The provider argument secret_store, which names the file that bettercompute_secret writes, is not set.")
	}
	return file, file != nil
}

// report adds what went wrong with the file, if anything, in the code of its kind.
func report(diags *diag.Diagnostics, where path.Path, what string, err error) {
	failure, ok := errors.AsType[*secret.Error](err)
	if !ok {
		diagnostics.Append(diags, err, where, nil)
		return
	}
	code := driver.InvalidInput
	if failure.NotConfigured {
		code = driver.InvalidConfig
	}
	diagnostics.Error(diags, where, code, what, failure.Message)
}

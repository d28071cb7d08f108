// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Delete removes the machine and returns when it is gone. An error, an interrupt included, keeps it in the state.
func (r *Resource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	diags := &response.Diagnostics
	state, known := read(ctx, request.State, diags), readPrivate(ctx, request.Private, diags)
	if diags.HasError() {
		return
	}
	known = known.of(state.MachineID)
	switch {
	case known.Unmarked != "":
		refuseUnmarked(diags, "destroy")
		return
	case known.Claim == "":
		accounts.RefuseUnknownClaim(diags, noun, state.Name.ValueString())
		return
	case state.protected(known):
		refuseProtected(diags, "destroy", state.Name.ValueString())
		return
	}
	account := r.mustOpen(ctx, state.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, state.allowed("delete", defaultDelete))
	defer done()
	shutdown := time.Duration(0)
	if state.ShutdownBeforeDestroy.ValueBool() {
		shutdown = state.shutdownTimeout()
	}
	notices, err := account.Delete(limited, known.held(state), shutdown)
	life{account: account, id: state.ID.ValueString(), machine: state.MachineID.ValueString()}.log(ctx, "deleted", err)
	diagnostics.Warn(diags, notices, nil)
	diagnostics.Append(diags, err, path.Empty(), map[string]path.Path{reference.Name: accountPath()})
}

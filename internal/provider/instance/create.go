// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
)

// Create makes the machine, or carries on or adopts what bears its id already.
func (r *Resource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	diags := &response.Diagnostics
	plan, config := read(ctx, request.Plan, diags), read(ctx, request.Config, diags)
	if diags.HasError() {
		return
	}
	account := r.mustOpen(ctx, plan.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, plan.allowed("create", createTimeout(account)))
	defer done()
	made, err := account.Create(limited, plan.wish(config))
	diagnostics.Warn(diags, made.Notices, argumentPaths(config))
	step := life{account: account, id: plan.ID.ValueString(), machine: made.Machine.ID}
	step.log(ctx, "created", err)
	if made.Machine.ID == "" {
		// Nothing is known at the vendor: nothing is saved, and the next apply creates under the same id.
		diagnostics.Append(diags, importid.WithBlock(err, "bettercompute_instance"), path.Empty(), argumentPaths(config))
		return
	}
	saved := private{Claim: made.Claim, Proof: made.Proof, UUID: made.Machine.UUID, Unfinished: err != nil || made.Unfinished}
	if saved.Unfinished {
		plan = plan.begun(made.Machine, &made.Offer)
	} else {
		plan = plan.completed(shown(made), optionsOf(ctx, account, made.Machine), &made.Offer)
		step.log(ctx, "ready", nil)
	}
	saved.Protected = plan.protected(saved)
	saved.write(ctx, response.Private, diags)
	plan.write(ctx, &response.State, diags)
	reportCreate(diags, err, argumentPaths(config))
}

// reportCreate tells of a create that left a machine behind which is not finished. An interrupt is a warning, since after
// an error the CLIs would taint the machine and replace it.
func reportCreate(diags *diag.Diagnostics, err error, paths map[string]path.Path) {
	if errors.Is(err, compute.ErrInterrupted) {
		diags.AddWarning("The machine is not finished",
			"The command was interrupted while the machine was being made. It is in the state; the next apply carries its creation to the end in place.")
		return
	}
	diagnostics.Append(diags, importid.WithAdvice(err, "The machine is there and is saved as tainted, so the next apply would replace it. "+
		"To have the next apply carry its creation to the end instead, run `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) first, "+
		"with this resource's address."), path.Empty(), paths)
}

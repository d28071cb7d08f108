// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// Update changes the address in place. What is the state's own affair (timeouts, another text of the account's config, a
// machine that only its own attributes changed of) makes no call.
func (r *Resource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	diags := &response.Diagnostics
	known := readPrivate(ctx, request.Private, diags)
	prior, plan, config := read(ctx, request.State, diags), read(ctx, request.Plan, diags), read(ctx, request.Config, diags)
	if diags.HasError() {
		return
	}
	change, needed := changeOf(prior, plan, known)
	if !needed && !known.Unfinished && !known.Imported {
		diags.Append(response.State.Set(ctx, plan)...)
		return
	}
	account := r.accounts.MustOpen(ctx, plan.ProviderAccount, diags)
	if account == nil {
		return
	}
	if known.Unmarked != "" {
		change.ForgetIntent = plannedID(prior.TenantID.ValueString(), config).ValueString()
	}
	limited, done := context.WithTimeout(ctx, plan.allowed("update", defaultChange))
	defer done()
	made, err := update(limited, account, known, prior, plan, change)
	diagnostics.Warn(diags, made.Notices, argumentPaths())
	step := life{account: account, id: prior.ID.ValueString(), address: prior.Address.ValueString()}
	step.logMove(ctx, prior.machineID().ValueString(), plan.machineID().ValueString(), err)
	known.keep(made)
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), argumentPaths())
		known.write(ctx, response.Private, diags)
		diags.Append(response.State.Set(ctx, prior.truth(plan, made, err))...)
		return
	}
	step.log(ctx, "changed", nil)
	known.Unfinished, known.Imported = made.Unfinished, false
	known.write(ctx, response.Private, diags)
	diags.Append(response.State.Set(ctx, plan.completed(made.Address))...)
}

// update carries a create that was cut short to its end, and changes what differs.
func update(
	ctx context.Context, account *compute.Account, known private, prior, plan model, change compute.AddressChange,
) (compute.AddressMade, error) {
	held := known.held(prior)
	held.Prefix = plan.Prefix.ValueString()
	if known.Unfinished {
		wish := plan.wish()
		wish.Key = held.Key
		made, err := account.FinishAddress(ctx, held, wish)
		if err != nil {
			return made, err
		}
		held.Placed = made.Placed
	}
	return account.UpdateAddress(ctx, held, change)
}

// truth answers the state after an update that failed: what was there before, with what the address shows by then.
func (m model) truth(plan model, made compute.AddressMade, failed error) model {
	if made.Address.ID == "" {
		return m
	}
	message := plan.failed(made.Address, failed)
	m = m.observed(made.Address).held(made.Address)
	if message.AssignmentState.ValueString() == stateError {
		m.AssignmentState, m.AssignmentMessage = message.AssignmentState, message.AssignmentMessage
	}
	return m
}

// changeOf answers what an update has to do at the vendor; needed is false where that is nothing. What is still unknown in
// a plan counts as no change.
func changeOf(prior, plan model, known private) (change compute.AddressChange, needed bool) {
	change.Name, change.Description = plan.Name.ValueString(), plan.Description.ValueString()
	renamed := !plan.Name.IsUnknown() && !attributes.SameText(prior.Name, plan.Name)
	described := !plan.Description.IsUnknown() && !attributes.SameText(prior.Description, plan.Description)
	change.Describe = !plan.Name.IsUnknown() && !plan.Description.IsUnknown()
	target := plan.machineID()
	// Where it is already what is written, by somebody else's hand or by an import, it is this resource's from now on.
	change.Move = !target.IsUnknown() && (!attributes.SameText(prior.machineID(), target) || target.ValueString() != known.Placed)
	change.MachineID = target.ValueString()
	if !plan.ReverseDNS.IsUnknown() && !attributes.SameText(prior.ReverseDNS, plan.ReverseDNS) {
		change.ReverseDNS = new(plan.ReverseDNS.ValueString())
	}
	unmarked := prior.State.ValueString() == statePending
	return change, renamed || described || change.Move || change.ReverseDNS != nil || unmarked || accountMoves(prior, plan)
}

func accountMoves(prior, plan model) bool {
	before, after := attributes.TextOf(prior.ProviderAccount, "id"), attributes.TextOf(plan.ProviderAccount, "id")
	return !after.IsUnknown() && !attributes.SameText(before, after)
}

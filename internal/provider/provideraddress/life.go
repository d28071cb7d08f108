// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Create reserves the address and puts it on its machine, or carries on or adopts what bears its id already.
func (r *Resource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	diags := &response.Diagnostics
	plan := read(ctx, request.Plan, diags)
	if diags.HasError() {
		return
	}
	account := r.accounts.MustOpen(ctx, plan.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, plan.allowed("create", defaultChange))
	defer done()
	made, err := account.CreateAddress(limited, plan.wish())
	diagnostics.Warn(diags, made.Notices, argumentPaths())
	step := life{account: account, id: plan.ID.ValueString(), address: made.Address.Address}
	step.log(ctx, "created", err)
	if made.Address.ID == "" {
		// Nothing is known at the vendor: nothing is saved, and the next apply creates under the same id.
		diagnostics.Append(diags, importid.WithBlock(err, typeName), path.Empty(), argumentPaths())
		return
	}
	step.logMove(ctx, "", made.Placed, nil)
	saved := private{Claim: made.Claim, Unfinished: err != nil || made.Unfinished}
	saved.keep(made)
	saved.write(ctx, response.Private, diags)
	if saved.Unfinished {
		plan = plan.begun(made.Address, err)
	} else {
		plan = plan.completed(made.Address)
	}
	diags.Append(response.State.Set(ctx, plan)...)
	if errors.Is(err, compute.ErrInterrupted) {
		diags.AddWarning("The address is not finished",
			"The command was interrupted while the address was being made ready. It is in the state; the next apply carries its creation to the end in place.")
		return
	}
	diagnostics.Append(diags, importid.WithAdvice(err, "The address is reserved and is saved as tainted, so the next apply would release it and reserve another one. "+
		"To keep it and have the next apply finish it instead, run `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) first, with this resource's address."),
		path.Empty(), argumentPaths())
}

// Read brings what the vendor shows into the state. It never writes at the vendor.
func (r *Resource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	diags := &response.Diagnostics
	state, known := read(ctx, request.State, diags), readPrivate(ctx, request.Private, diags)
	if diags.HasError() {
		return
	}
	account := r.accounts.MustOpen(ctx, state.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, state.allowed("read", defaultRead))
	defer done()
	seen, err := account.ReadAddress(limited, known.held(state))
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), argumentPaths())
		return
	}
	diagnostics.Warn(diags, seen.Notices, nil)
	if seen.Gone {
		life{account: account, id: state.ID.ValueString(), address: state.Address.ValueString()}.log(ctx, "deleted", nil)
		response.State.RemoveResource(ctx)
		return
	}
	if !r.noteRead(account, known, diags) {
		return
	}
	if known.Proof != seen.Proof {
		known.Proof = seen.Proof
		known.write(ctx, response.Private, diags)
	}
	r.noteHeld(state.ID)
	r.accounts.KeepPrivate(noun, known, replacementNames(state)...)
	// The copy of the account may be an old one: the newest is what a delete in the apply, another process, will need.
	state.ProviderAccount = reference.Object(account.Reference())
	state = state.refreshed(account, seen, known)
	diags.Append(response.State.Set(ctx, attributes.Object(ctx, state))...)
}

// refreshed answers the state with what a person may have changed at the vendor.
func (m model) refreshed(account *compute.Account, seen compute.AddressSeen, known private) model {
	failedBefore, message := m.AssignmentState.ValueString() == stateError, m.AssignmentMessage
	m = m.observed(seen.Address).held(seen.Address)
	if failedBefore && seen.Address.Holder == "" {
		m.AssignmentState, m.AssignmentMessage = types.StringValue(stateError), message
	}
	if known.Unfinished || !seen.Managed {
		m.State = types.StringValue(statePending)
	}
	if m.Region.IsNull() {
		m.Region = types.StringValue(seen.Address.Region)
	}
	if rules, ok := account.AddressRules(); ok && rules.Described {
		m = m.described(seen.Address)
	}
	return m
}

// described takes name and description from a vendor that keeps them. Null and empty are the same.
func (m model) described(address driver.ReservedAddress) model {
	m.Name = types.StringValue(compute.AddressName(address))
	if m.Description.ValueString() != address.Description {
		m.Description = types.StringValue(address.Description)
	}
	return m
}

// Delete takes the address off its machine and releases it. An error, an interrupt included, keeps it in the state.
func (r *Resource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	diags := &response.Diagnostics
	state, known := read(ctx, request.State, diags), readPrivate(ctx, request.Private, diags)
	if diags.HasError() {
		return
	}
	if known.Unmarked != "" {
		refuseUnmarked(diags, "destroy")
		return
	}
	if known.AddressID == "" {
		accounts.RefuseUnknownClaim(diags, noun, state.Name.ValueString())
		return
	}
	account := r.accounts.MustOpen(ctx, state.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, state.allowed("delete", defaultChange))
	defer done()
	notices, err := account.DeleteAddress(limited, known.held(state))
	life{account: account, id: state.ID.ValueString(), address: state.Address.ValueString()}.log(ctx, "deleted", err)
	diagnostics.Warn(diags, notices, nil)
	diagnostics.Append(diags, err, path.Empty(), argumentPaths())
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// updating is one update in place.
type updating struct {
	account             *compute.Account
	prior, plan, config model
	private             private
	diags               *diag.Diagnostics
}

// Update changes the machine in place. What is the state's own affair (timeouts, on_change, another text of the account's
// config) makes no call.
func (r *Resource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	diags := &response.Diagnostics
	u := &updating{diags: diags, private: readPrivate(ctx, request.Private, diags)}
	u.prior, u.plan, u.config = read(ctx, request.State, diags), read(ctx, request.Plan, diags), read(ctx, request.Config, diags)
	if diags.HasError() {
		return
	}
	change, needed := changeOf(u.prior, u.plan, u.config, u.private)
	if !needed && !u.private.Unfinished && !u.private.Imported {
		u.private.Protected = u.plan.protected(u.private)
		u.private.write(ctx, response.Private, diags)
		u.plan.write(ctx, &response.State, diags)
		return
	}
	u.account = r.mustOpen(ctx, u.plan.ProviderAccount, diags)
	if u.account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, u.plan.allowed("update", defaultUpdate))
	defer done()
	state := u.carryOut(limited, change, needed)
	u.private.Protected = state.protected(u.private)
	u.private.write(ctx, response.Private, diags)
	state.write(ctx, &response.State, diags)
}

// carryOut does what the update has to do and answers the state that is true afterwards.
func (u *updating) carryOut(ctx context.Context, change compute.Change, needed bool) model {
	made, err := u.finish(ctx)
	if err == nil && needed {
		offer := made.Offer
		made, err = u.account.Update(ctx, u.private.held(u.prior), change)
		if made.Offer.ID == "" {
			made.Offer = offer
		}
		u.step(ctx, "changed", err)
		diagnostics.Warn(u.diags, made.Notices, argumentPaths(u.config))
	}
	u.keep(made)
	if err != nil {
		diagnostics.Append(u.diags, err, path.Empty(), argumentPaths(u.config))
		return u.truth(made, u.trueOptions(ctx, made.Machine))
	}
	offer := u.offer(ctx, made)
	u.private.Imported = false
	if made.Machine.ID == "" {
		made.Machine.ID = u.prior.MachineID.ValueString()
	}
	return u.plan.completed(shown(made), optionsOf(ctx, u.account, made.Machine), offer)
}

// finish carries a create that was cut short to its end; without one there is nothing to do.
func (u *updating) finish(ctx context.Context) (compute.Made, error) {
	if !u.private.Unfinished {
		return compute.Made{}, nil
	}
	made, err := u.account.Finish(ctx, u.private.held(u.prior), u.plan.wish(u.config))
	u.step(ctx, "ready", err)
	diagnostics.Warn(u.diags, made.Notices, argumentPaths(u.config))
	if err == nil {
		u.keep(made)
		u.private.Unfinished = made.Unfinished
	}
	return made, err
}

func (u *updating) step(ctx context.Context, name string, err error) {
	life{account: u.account, id: u.prior.ID.ValueString(), machine: u.prior.MachineID.ValueString()}.log(ctx, name, err)
}

// keep brings the private state to what the machine bears by now.
func (u *updating) keep(made compute.Made) {
	if u.private.Unmarked != "" && made.Machine.Marks.Claim == u.private.Unmarked {
		u.private.Claim, u.private.Unmarked = u.private.Unmarked, ""
	}
	if made.Proof != "" {
		u.private.Proof = made.Proof
	}
	if made.Machine.UUID != "" {
		u.private.UUID = made.Machine.UUID
	}
	if made.Machine.ID != "" {
		u.private.Stopped = made.Machine.Marks.Stopped
	}
}

// offer answers the offer whose price the state is to show. That of an imported machine, and of one whose resize an earlier
// apply has carried out, is that of today, where it is still sold.
func (u *updating) offer(ctx context.Context, made compute.Made) *driver.Offer {
	if made.Offer.ID != "" || !u.plan.PricePerHour.IsUnknown() {
		return &made.Offer
	}
	offers, err := u.account.Offers(ctx, driver.OfferQuery{Region: u.prior.Region.ValueString()})
	if err != nil {
		diagnostics.AppendWarning(u.diags, err, path.Root("price_per_hour"), nil)
		return nil
	}
	for _, offer := range offers {
		if offer.ID == u.plan.OfferID.ValueString() {
			return &offer
		}
	}
	return nil
}

// truth answers the state after an update that failed: what was there before, with what the machine shows by then. The
// disk's content stays as before, so that the next plan repeats a reinstall that may not have happened.
func (u *updating) truth(made compute.Made, showing options) model {
	if made.Machine.ID == "" {
		return u.prior
	}
	state := u.prior.observed(made.Machine)
	state.ImageID = u.prior.ImageID
	state.Managed = types.BoolValue(made.Machine.Marks.Key == u.prior.ID.ValueString())
	state.Name = types.StringValue(made.Machine.Name)
	if made.Machine.OfferID != "" {
		state.OfferID = types.StringValue(made.Machine.OfferID)
	}
	if made.Offer.ID != "" && made.Offer.ID == made.Machine.OfferID {
		state.PricePerHour, state.Currency = decimal(made.Offer.PricePerHour), attributes.Text(made.Offer.Currency)
	}
	state.Labels = shownLabels(bothLabels(u.prior.Labels, u.plan.Labels), made.Machine.Labels)
	if !u.prior.Power.IsNull() {
		state.Power = shownPower(u.prior.Power, made.Machine.State)
	}
	state.Options = showing
	return state
}

// bothLabels answers the labels that were or are to be under management: an update that failed may have left either.
func bothLabels(prior, plan types.Map) types.Map {
	if prior.IsNull() && plan.IsNull() {
		return prior
	}
	both := map[string]attr.Value{}
	maps.Copy(both, prior.Elements())
	maps.Copy(both, plan.Elements())
	return types.MapValueMust(types.StringType, both)
}

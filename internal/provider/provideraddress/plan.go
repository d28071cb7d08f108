// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// planning is one plan of an address that is reserved, replaced or changed.
type planning struct {
	resource            *Resource
	config, prior, plan model
	private             private
	replace             path.Paths
	diags               *diag.Diagnostics
}

// ModifyPlan decides between create, replacement, change in place and nothing. It runs again in the apply, which is
// another process: planned values come from configuration, state and private state only.
func (r *Resource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	known := readPrivate(ctx, request.Private, &response.Diagnostics)
	if request.Plan.Raw.IsNull() {
		if known.Unmarked != "" {
			refuseUnmarked(&response.Diagnostics, "destroy")
		}
		return
	}
	p := &planning{resource: r, private: known, diags: &response.Diagnostics}
	p.config = read(ctx, request.Config, p.diags)
	p.plan = read(ctx, request.Plan, p.diags)
	if p.diags.HasError() {
		return
	}
	ctx, done := context.WithTimeout(ctx, p.plan.allowed("read", defaultRead))
	defer done()
	if request.State.Raw.IsNull() {
		p.create(ctx)
		var kept private
		if known.Claim == "" && r.accounts.KeptPrivate(noun, &kept, replacementNames(p.plan)...) {
			kept.write(ctx, response.Private, p.diags)
		}
	} else {
		p.prior = read(ctx, request.State, p.diags)
		p.update(ctx)
		response.RequiresReplace = p.replace
	}
	response.Diagnostics.Append(response.Plan.Set(ctx, attributes.Object(ctx, p.plan))...)
}

// refuseUnmarked: an address without marks may be anybody's until an apply has marked it.
func refuseUnmarked(diags *diag.Diagnostics, deed string) {
	accounts.RefuseUnmarked(diags, "an address", deed, "state turns ready")
}

// heldObjects is the sort of note for ids of objects that the state of this command holds.
const heldObjects = "address in state"

func (r *Resource) noteHeld(id types.String) {
	if r.accounts.Accounts != nil {
		r.accounts.Note(heldObjects, id.ValueString())
	}
}

func (r *Resource) holds(id types.String) bool {
	return r.accounts.Accounts != nil && !id.IsUnknown() && r.accounts.Noted(heldObjects, id.ValueString())
}

// create plans an address that is not there, or the new one of a replacement: both come with a null state. The private
// state is the old address's then, and tells one thing only: whether the old one may go.
func (p *planning) create(ctx context.Context) {
	if p.private.Unmarked != "" {
		refuseUnmarked(p.diags, "replace")
		return
	}
	tenant := p.resource.accounts.Tenant()
	p.plan.TenantID = types.StringUnknown()
	if tenant != "" {
		p.plan.TenantID = types.StringValue(tenant)
	}
	p.plan.ID = plannedID(tenant, p.config)
	account := p.resource.accounts.Open(ctx, p.plan.ProviderAccount, p.diags)
	if account != nil && account.Region() != "" && p.config.Region.IsNull() {
		p.plan.Region = types.StringValue(account.Region())
	}
	if p.config.ReverseDNS.IsNull() {
		p.plan.ReverseDNS = types.StringNull()
	}
	p.refuseDuplicates(tenant)
	if p.resource.holds(p.plan.ID) {
		p.diags.AddAttributeWarning(path.Root("name"), "The replacement has the id of the address that it replaces",
			"No argument that the id is made of has changed. Without create_before_destroy this address is released and another one reserved. "+
				"With create_before_destroy nothing would be replaced: the create would find the old address under this id and keep it. "+
				"If this resource has create_before_destroy, change idempotency_key.")
	}
	if account == nil || p.diags.HasError() {
		return
	}
	p.check(ctx, account)
}

// refuseDuplicates finds two addresses of one name, or of one id, in one configuration. A create is planned once in each
// command.
func (p *planning) refuseDuplicates(tenant string) {
	account := attributes.TextOf(p.plan.ProviderAccount, "id")
	if p.resource.accounts.Accounts == nil || tenant == "" || account.IsUnknown() {
		return
	}
	name := p.plan.Name.ValueString()
	if name != "" && !p.resource.accounts.Note("address name", strings.Join([]string{account.ValueString(), tenant, name}, " ")) {
		diagnostics.Error(p.diags, path.Root("name"), driver.Conflict, "Two addresses are planned with the name "+name,
			fmt.Sprintf("The configuration plans more than one address named %q on account %s for tenant %s. Give each its own name.", name, account.ValueString(), tenant))
		return
	}
	if p.plan.ID.IsUnknown() || p.resource.accounts.Note("address id", p.plan.ID.ValueString()) {
		return
	}
	diagnostics.Error(p.diags, path.Root("idempotency_key"), driver.Conflict, "Two addresses are planned with one idempotency_key",
		fmt.Sprintf("The configuration plans more than one address with the id %s, which comes from tenant, account and idempotency_key. "+
			"Give each its own idempotency_key, or none.", p.plan.ID.ValueString()))
}

// update plans an address that the state holds: nothing, a change in place, or a replacement, which is then planned once
// more with a null state.
func (p *planning) update(ctx context.Context) {
	p.resource.noteHeld(p.prior.ID)
	p.keepComputed()
	if p.private.Imported {
		p.takeWritten()
	} else {
		p.findReplacement()
	}
	if len(p.replace) > 0 || p.diags.HasError() {
		return
	}
	if p.private.Unfinished || p.private.Imported || p.prior.State.ValueString() == statePending {
		p.plan.State = types.StringUnknown()
	}
	target := p.plan.machineID()
	if target.IsUnknown() || !attributes.SameText(p.prior.machineID(), target) || p.private.Unfinished {
		p.plan.AssignmentState, p.plan.AssignmentMessage = types.StringUnknown(), types.StringUnknown()
	}
	_, needed := changeOf(p.prior, p.plan, p.private)
	if !needed && !target.IsUnknown() {
		return
	}
	account := p.resource.accounts.Open(ctx, p.plan.ProviderAccount, p.diags)
	if account == nil {
		return
	}
	if accountMoves(p.prior, p.plan) {
		p.checkNewAccount(ctx, account)
	}
	p.checkReverseDNS(account)
	p.checkHolder(ctx, account)
}

// keepComputed gives the plan what the state has: the framework makes it all unknown as soon as anything changes.
func (p *planning) keepComputed() {
	prior := p.prior
	p.plan.ID, p.plan.TenantID, p.plan.Address, p.plan.ReservedAt = prior.ID, prior.TenantID, prior.Address, prior.ReservedAt
	p.plan.State, p.plan.AssignmentState, p.plan.AssignmentMessage = prior.State, prior.AssignmentState, prior.AssignmentMessage
	if p.config.Region.IsNull() {
		p.plan.Region = prior.Region
	}
	if p.config.ReverseDNS.IsNull() {
		p.plan.ReverseDNS = prior.ReverseDNS
	}
}

// findReplacement collects the arguments whose change replaces the address.
func (p *planning) findReplacement() {
	p.replaceOn(path.Root(reference.Name), attributes.TextOf(p.prior.ProviderAccount, "kind"), attributes.TextOf(p.plan.ProviderAccount, "kind"))
	if !p.config.Region.IsNull() {
		p.replaceOn(path.Root("region"), p.prior.Region, p.plan.Region)
	}
	p.replaceOn(path.Root("family"), p.prior.Family, p.plan.Family)
	p.replaceOn(path.Root("prefix"), p.prior.Prefix, p.plan.Prefix)
	p.replaceOn(path.Root("idempotency_key"), p.prior.IdempotencyKey, p.plan.IdempotencyKey)
	if len(p.replace) > 0 && p.private.Unmarked != "" {
		refuseUnmarked(p.diags, "replace")
	}
}

func (p *planning) replaceOn(argument path.Path, before, after types.String) {
	switch {
	case after.IsUnknown():
		p.diags.AddAttributeWarning(argument, "Not known until apply: "+argument.String(),
			"Whether "+argument.String()+" changes is not known yet. A change replaces the address. Nothing is replaced by this plan. "+
				"If the value turns out to differ, the apply stops before it touches the address; plan again then. A data source in place of a resource for the account keeps such values known.")
	case !attributes.SameText(before, after):
		p.replace.Append(argument)
	}
}

// takeWritten plans the first change after an import: what is written must be the address, though.
func (p *planning) takeWritten() {
	for argument, values := range map[string][2]types.String{
		reference.Name: {attributes.TextOf(p.prior.ProviderAccount, "kind"), attributes.TextOf(p.plan.ProviderAccount, "kind")},
		"family":       {p.prior.Family, p.plan.Family},
		"region":       {p.prior.Region, p.plan.Region},
	} {
		before, after := values[0], values[1]
		if before.IsNull() || after.IsUnknown() || attributes.SameText(before, after) {
			continue
		}
		diagnostics.Error(p.diags, path.Root(argument), driver.InvalidInput, "The imported address is another one than what is written",
			fmt.Sprintf("The address that was imported has %s, the configuration says %s. Write what the address is: an import never replaces.",
				before.ValueString(), after.ValueString()))
	}
}

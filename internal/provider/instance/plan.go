// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
)

// planning is one plan of a machine that is created, replaced or changed.
type planning struct {
	resource *Resource
	// config is what is written, write-only values included. prior is null-valued for a create.
	config, prior, plan model
	private             private
	changes             []contentChange
	options             []optionChange
	replace             path.Paths
	diags               *diag.Diagnostics
}

// ModifyPlan decides between create, replacement, change in place and nothing. It runs again in the apply, which is
// another process: planned values come from configuration, state and private state only.
func (r *Resource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	known := readPrivate(ctx, request.Private, &response.Diagnostics)
	if request.Plan.Raw.IsNull() {
		planDestroy(known, read(ctx, request.State, &response.Diagnostics), &response.Diagnostics)
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
	p.checkOptions()
	if request.State.Raw.IsNull() {
		p.create(ctx)
		p.handOver(ctx, response.Private)
	} else {
		p.prior = read(ctx, request.State, p.diags)
		p.update(ctx)
		response.RequiresReplace = p.replace
	}
	p.keepProject()
	p.plan.write(ctx, &response.Plan, p.diags)
}

// keepProject leaves word of the project that is written for the machine, for the plans of its addresses.
func (p *planning) keepProject() {
	kind, _ := kindOf(p.config)
	if option, has := kind.ProjectOption(); has {
		values, _ := p.config.Options.values(kind)
		p.resource.accounts.KeepProject(p.plan.ID, values.String(option.Name))
	}
}

func planDestroy(known private, state model, diags *diag.Diagnostics) {
	switch {
	case known.Unmarked != "":
		refuseUnmarked(diags, "destroy")
	case state.protected(known):
		refuseProtected(diags, "destroy", state.Name.ValueString())
	}
}

// refuseUnmarked: a machine without marks may be anybody's until an apply has marked it.
func refuseUnmarked(diags *diag.Diagnostics, deed string) {
	accounts.RefuseUnmarked(diags, "a machine", deed, "managed turns true")
}

// tenant is the provider's, which owns what is made; empty while it is not known.
func (r *Resource) tenant() string { return r.accounts.Tenant() }

// preflight says whether plans may ask the vendor.
func (r *Resource) preflight() bool { return r.accounts.Preflight() }

// heldObjects is the sort of note for ids of objects that the state of this command holds.
const heldObjects = "instance in state"

// noteHeld notes that the state holds an object of this id.
func (r *Resource) noteHeld(id types.String) {
	if r.accounts.Accounts != nil {
		r.accounts.Note(heldObjects, id.ValueString())
	}
}

// holds answers whether the state is known to hold an object of this id.
func (r *Resource) holds(id types.String) bool {
	return r.accounts.Accounts != nil && !id.IsUnknown() && r.accounts.Noted(heldObjects, id.ValueString())
}

// paths are the arguments that errors of compute name.
func (p *planning) paths() map[string]path.Path { return argumentPaths(p.config) }

// argumentPaths maps the fields that compute names to our arguments. What is said of an option that is not written, or not
// known yet, is about the account.
func argumentPaths(config model) map[string]path.Path {
	paths := map[string]path.Path{}
	for _, name := range []string{
		"name", "image", "user_data", "ssh_authorized_keys", "labels", "power", "max_price_per_hour",
		"idempotency_key", allowStopping,
	} {
		paths[name] = path.Root(name)
	}
	paths["offer_id"], paths["region"] = offerPath(config), regionPath(config)
	kind, _ := kindOf(config)
	for _, option := range kind.Options {
		if value := config.Options.value(kind, option); !value.IsNull() && !value.IsUnknown() {
			paths[option.Name] = optionPath(kind, option)
		}
	}
	if !config.UserDataWO.IsNull() {
		paths["user_data"] = path.Root("user_data_wo")
	}
	return paths
}

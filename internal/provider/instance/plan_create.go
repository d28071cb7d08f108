// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// create plans a machine that is not there, or the new one of a replacement: both come with a null state. The private
// state is the old machine's then, and tells one thing only: whether the old one may go.
func (p *planning) create(ctx context.Context) {
	if p.private.Unmarked != "" {
		refuseUnmarked(p.diags, "replace")
		return
	}
	tenant := p.resource.tenant()
	p.plan.TenantID = types.StringUnknown()
	if tenant != "" {
		p.plan.TenantID = types.StringValue(tenant)
	}
	p.plan.ID = plannedID(tenant, p.config)
	p.refuseProtectedReplacement()
	p.plan.Managed = types.BoolValue(true)
	account := p.resource.open(ctx, p.plan.ProviderAccount, p.diags)
	p.openChoice(account)
	p.openOptions()
	p.warnOfNoWayIn()
	p.refuseDuplicates(tenant)
	p.warnOfAdoption()
	if account == nil || p.diags.HasError() {
		return
	}
	p.checkCreate(ctx, account)
}

// refuseDuplicates finds two machines of one name, or of one id, in one configuration: the second would take over the
// first. A create is planned once in each command.
func (p *planning) refuseDuplicates(tenant string) {
	account := attributes.TextOf(p.plan.ProviderAccount, "id")
	if p.resource.accounts.Accounts == nil || tenant == "" || account.IsUnknown() {
		return
	}
	name := strings.ToLower(p.plan.Name.ValueString())
	if name != "" && !p.resource.accounts.Note("instance name", strings.Join([]string{account.ValueString(), tenant, name}, " ")) {
		diagnostics.Error(p.diags, path.Root("name"), driver.Conflict, "Two machines are planned with the name "+name,
			fmt.Sprintf("The configuration plans more than one machine named %q on account %s for tenant %s. "+
				"A name is unique for a tenant on an account: give each machine its own name.", name, account.ValueString(), tenant))
		return
	}
	if p.plan.ID.IsUnknown() || p.resource.accounts.Note("instance id", p.plan.ID.ValueString()) {
		return
	}
	diagnostics.Error(p.diags, path.Root("idempotency_key"), driver.Conflict, "Two machines are planned with one idempotency_key",
		fmt.Sprintf("The configuration plans more than one machine with the id %s, which comes from tenant, account and idempotency_key. "+
			"Give each machine its own idempotency_key, or none.", p.plan.ID.ValueString()))
}

// warnOfAdoption: with create_before_destroy the create of a replacement that has the id of the old machine finds that
// machine and takes it over. A plan does not learn of create_before_destroy, only that the state holds this id.
func (p *planning) warnOfAdoption() {
	if !p.resource.holds(p.plan.ID) {
		return
	}
	p.diags.AddAttributeWarning(path.Root("name"), "The replacement has the id of the machine that it replaces",
		"No argument that the id is made of has changed. Without create_before_destroy this machine is destroyed and made anew. "+
			"With create_before_destroy nothing would be replaced: the create would find the old machine under this id and keep it. "+
			"If this resource has create_before_destroy, change idempotency_key (and, where names are unique at the vendor, the name too).")
}

// warnUnknown: what is unknown never forces a replacement.
func (p *planning) warnUnknown(argument path.Path, consequence string) {
	p.diags.AddAttributeWarning(argument, "Not known until apply: "+argument.String(),
		"Whether "+argument.String()+" changes is not known yet. "+consequence+
			" Nothing is replaced by this plan. If the value turns out to differ, the apply stops before it touches the machine; "+
			"plan again then. A data source in place of a resource for the account keeps such values known.")
}

func accountPath() path.Path { return path.Root(reference.Name) }

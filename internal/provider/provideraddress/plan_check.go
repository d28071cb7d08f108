// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// check asks whether the address can be reserved: what the vendor lacks, what it would refuse, and, with preflight,
// whether region and prefix are there.
func (p *planning) check(ctx context.Context, account *compute.Account) {
	wish := p.plan.wish()
	var old private
	wish.Replaces = p.private.Claim != "" || p.resource.accounts.KeptPrivate(noun, &old, replacementNames(p.plan)...)
	if err := account.CheckAddress(wish); err != nil {
		diagnostics.Append(p.diags, err, path.Root(reference.Name), argumentPaths())
		return
	}
	p.checkHolder(ctx, account)
	if !p.resource.accounts.Preflight() || p.plan.Region.IsUnknown() || p.diags.HasError() {
		return
	}
	diagnostics.Report(p.diags, account.PreflightAddress(ctx, wish), path.Root(reference.Name), argumentPaths())
}

// checkReverseDNS refuses a host name where the vendor has none for addresses.
func (p *planning) checkReverseDNS(account *compute.Account) {
	diagnostics.Append(p.diags, account.CheckReverseDNS(p.plan.wish()), path.Root(reference.Name), argumentPaths())
}

// checkHolder judges the machine that the address is to be put on, by what is known of it.
func (p *planning) checkHolder(ctx context.Context, account *compute.Account) {
	if p.plan.Instance.IsNull() || p.plan.Instance.IsUnknown() {
		return
	}
	own := account.Reference()
	holder := attributes.ObjectOf(p.plan.Instance, reference.Name, holderAccount)
	kind, tenant := attributes.TextOf(holder, "kind"), attributes.TextOf(p.plan.Instance, "tenant_id")
	if differs(kind, own.Kind) {
		p.refuseHolder(driver.InvalidInput, fmt.Sprintf("The machine is on an account of kind %s, the address on one of kind %s.", kind.ValueString(), own.Kind),
			"Use a machine of the address's own account.")
		return
	}
	if !p.plan.TenantID.IsUnknown() && differs(tenant, p.plan.TenantID.ValueString()) {
		p.refuseHolder(driver.AccessDenied, fmt.Sprintf("The machine belongs to tenant %s, the address to tenant %s.", tenant.ValueString(), p.plan.TenantID.ValueString()),
			"An address goes only on machines of its own tenant.")
		return
	}
	region := attributes.TextOf(p.plan.Instance, "region")
	if rules, ok := account.AddressRules(); ok && rules.SameRegion && !p.plan.Region.IsUnknown() && differs(region, p.plan.Region.ValueString()) {
		p.refuseHolder(driver.InvalidInput, fmt.Sprintf("The machine is in region %s, the address in %s; the vendor keeps both in one region.", region.ValueString(), p.plan.Region.ValueString()),
			"Use a machine in the address's region, or reserve the address in the machine's.")
		return
	}
	p.checkPlace(ctx, account, attributes.TextOf(holder, "id"))
}

// differs says whether a value is known to be another one.
func differs(value types.String, wanted string) bool {
	return !value.IsUnknown() && !value.IsNull() && value.ValueString() != wanted
}

// checkPlace looks whether a machine is in the account's place and project, or will be, as far as its own plan has told.
func (p *planning) checkPlace(ctx context.Context, account *compute.Account, made types.String) {
	if !p.resource.accounts.Preflight() {
		return
	}
	findings := account.PreflightHolder(ctx, compute.Holder{
		MachineID: p.plan.machineID().ValueString(), OfOther: differs(made, account.Reference().ID),
		Project: p.resource.accounts.KeptProject(attributes.TextOf(p.plan.Instance, "id")),
	})
	diagnostics.Report(p.diags, findings, path.Root("instance"), nil)
}

func (p *planning) refuseHolder(code driver.Code, what, next string) {
	diagnostics.Error(p.diags, path.Root("instance"), code, "The address cannot be put on this machine", what+" "+next)
}

// checkNewAccount looks the address up through an account that it was not reserved by.
func (p *planning) checkNewAccount(ctx context.Context, account *compute.Account) {
	seen, err := account.ReadAddress(ctx, p.private.held(p.prior))
	if err != nil {
		diagnostics.Append(p.diags, err, path.Root(reference.Name), argumentPaths())
		return
	}
	if !seen.Gone {
		return
	}
	diagnostics.Error(p.diags, path.Root(reference.Name), driver.NotFound, "The address is not visible through the new account",
		fmt.Sprintf("Address %s is not this resource's as account %s sees it. A change of provider_account keeps the address, so the new account "+
			"must be of the same place. Keep the old account, or change idempotency_key as well to have another address reserved through the new one.",
			p.prior.Address.ValueString(), account.Reference().ID))
}

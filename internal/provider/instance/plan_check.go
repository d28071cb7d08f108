// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// checkCreate asks whether the machine can be made: what the vendor lacks, what it would refuse, and, with preflight,
// whether it sells what is planned.
func (p *planning) checkCreate(ctx context.Context, account *compute.Account) {
	p.checkCapabilities(account)
	look := compute.Preflight{Labels: p.plan.knownLabels(), UserDataBytes: p.userDataBytes(), HasUserData: p.hasUserData(), MaxPricePerHour: decimalText(p.plan.MaxPricePerHour)}
	if !p.resource.preflight() {
		p.report(account.Preflight(ctx, look))
		return
	}
	look.Image, look.CheckImage = p.plan.Image.ValueString(), true
	if !p.plan.Region.IsUnknown() || p.choosesKnown() {
		look.Options = p.config.optionValues()
	}
	look.Creates, look.Key = !p.replacing(), p.plan.ID.ValueString()
	switch {
	case p.choosesKnown():
		look.CheckOffer = true
		p.report(account.PreflightChoices(ctx, p.plan.wish(p.config), look))
		return
	case p.plan.Region.IsUnknown():
		look.Image = ""
	default:
		look.Region, look.OfferID, look.CheckOffer = p.plan.Region.ValueString(), p.plan.OfferID.ValueString(), true
	}
	p.report(account.Preflight(ctx, look))
}

// replacing says whether another machine of this resource goes for the one that is planned. The plan of a tainted one's
// replacement has no private state.
func (p *planning) replacing() bool {
	var known private
	return p.private.Claim != "" || p.resource.accounts.KeptPrivate(noun, &known, replacementNames(p.plan)...)
}

// checkUpdate asks the same for a change in place, of what changes only: nothing is asked for a machine that stays.
func (p *planning) checkUpdate(ctx context.Context) {
	change, needed := changeOf(p.prior, p.plan, p.config, p.private)
	moved := !attributes.TextOf(p.plan.ProviderAccount, "id").IsUnknown() && accountMoves(p.prior, p.plan)
	if !needed && !moved {
		return
	}
	account := p.resource.open(ctx, p.plan.ProviderAccount, p.diags)
	if account == nil {
		return
	}
	if moved {
		p.checkNewAccount(ctx, account)
	}
	p.checkCapabilities(account)
	if change.OfferID != "" && p.resource.preflight() {
		p.report(account.PreflightResize(ctx, compute.ResizeCheck{
			Held: p.private.held(p.prior), OfferID: change.OfferID, MaxPricePerHour: decimalText(p.plan.MaxPricePerHour),
		}))
	}
	look := compute.Preflight{}
	if change.ChangeLabels {
		look.Labels = change.Labels
	}
	if change.Reinstall != nil {
		look.UserDataBytes, look.HasUserData = p.userDataBytes(), p.hasUserData()
		if p.resource.preflight() {
			look.Region, look.OfferID = p.plan.Region.ValueString(), p.plan.OfferID.ValueString()
			look.Image, look.CheckImage = p.plan.Image.ValueString(), true
		}
	}
	if p.resource.preflight() {
		look.Region, look.Options = p.plan.Region.ValueString(), change.Options.Written
	}
	p.report(account.Preflight(ctx, look))
}

// checkNewAccount looks the machine up through an account that it was not made by.
func (p *planning) checkNewAccount(ctx context.Context, account *compute.Account) {
	seen, err := account.Read(ctx, p.private.held(p.prior))
	if err != nil {
		diagnostics.Append(p.diags, err, accountPath(), nil)
		return
	}
	if !seen.Gone {
		return
	}
	diagnostics.Error(p.diags, accountPath(), driver.NotFound, "The machine is not visible through the new account",
		fmt.Sprintf("Machine %s (id %s) is not this resource's as account %s sees it. A change of provider_account keeps the machine, so the new account "+
			"must be of the same place. Keep the old account, or change idempotency_key as well to have a new machine made through the new one.",
			p.prior.Name.ValueString(), p.prior.MachineID.ValueString(), account.Reference().ID))
}

// checkCapabilities refuses what the account's vendor has not, with no call made.
func (p *planning) checkCapabilities(account *compute.Account) {
	wants := p.plan.policies()
	rename := !p.prior.Name.IsNull() && !p.plan.Name.IsUnknown() && !attributes.SameText(p.prior.Name, p.plan.Name)
	for _, need := range []struct {
		wanted     bool
		capability compute.Capability
		argument   path.Path
		what       string
	}{
		{!p.plan.Power.IsNull(), compute.CapabilityPower, path.Root("power"), "switch machines on and off"},
		{len(p.plan.Labels.Elements()) > 0, compute.CapabilityMark, path.Root("labels"), "label machines"},
		{rename, compute.CapabilityRename, path.Root("name"), "rename machines in place"},
		{changesOffer(p.prior, p.plan), compute.CapabilityResize, offerPath(p.config), "change the offer of machines in place"},
		{
			wants.Image == reinstall || wants.UserData == reinstall || wants.SSHAuthorizedKeys == reinstall,
			compute.CapabilityReinstall, path.Root("on_change"), "reinstall machines",
		},
	} {
		if need.wanted && !account.Has(need.capability) {
			kind := account.Reference().Kind
			diagnostics.Error(p.diags, need.argument, driver.Unsupported, "An account of kind "+kind+" cannot "+need.what,
				"The vendor has no such capability. Leave the argument out or as it was, or use an account of another kind.")
		}
	}
	p.checkFixedUserData(account, wants)
}

// checkFixedUserData refuses a reinstall that could not put changed user data on the machine.
func (p *planning) checkFixedUserData(account *compute.Account, wants policies) {
	for setting, wanted := range map[string]policy{"user_data": wants.UserData, "ssh_authorized_keys": wants.SSHAuthorizedKeys} {
		if wanted == reinstall && account.Has(compute.CapabilityReinstall) && account.Limits().FixedUserData {
			diagnostics.Error(p.diags, path.Root("on_change").AtName(setting), driver.Unsupported,
				"An account of kind "+account.Reference().Kind+" cannot reinstall machines with other user data",
				"The vendor puts an image afresh on a machine's disk, but always with the user data that the machine was made with; SSH keys are part of that. "+
					"Choose \"replace\" or \"ignore\" for "+setting+". A change of the image alone can be a reinstall.")
		}
	}
}

// userDataBytes answers the size with the keys merged in, 0 while it is not known; what cannot be merged is an error.
func (p *planning) userDataBytes() int {
	data, dataKnown := p.config.userData()
	keys, keysKnown := p.plan.keys()
	if !dataKnown || !keysKnown {
		return 0
	}
	merged, err := compute.MergeUserData(data, keys)
	if err != nil {
		diagnostics.Append(p.diags, err, path.Root("ssh_authorized_keys"), p.paths())
		return 0
	}
	return len(merged)
}

// hasUserData says whether there is user data besides keys, as far as it is known.
func (p *planning) hasUserData() bool {
	data, known := p.config.userData()
	return known && len(data) > 0
}

func (p *planning) report(findings []compute.Finding) {
	diagnostics.Report(p.diags, findings, accountPath(), p.paths())
}

func accountMoves(prior, plan model) bool {
	return !attributes.SameText(attributes.TextOf(prior.ProviderAccount, "id"), attributes.TextOf(plan.ProviderAccount, "id"))
}

// changeOf answers what an update has to do at the vendor; needed is false where that is nothing. What is still unknown
// in a plan counts as no change.
func changeOf(prior, plan, config model, known private) (change compute.Change, needed bool) {
	change.ShutdownTimeout = plan.shutdownTimeout()
	if !plan.Name.IsUnknown() && !attributes.SameText(prior.Name, plan.Name) {
		change.Name = plan.Name.ValueString()
	}
	before, after := prior.knownLabels(), plan.knownLabels()
	if !plan.Labels.Equal(prior.Labels) && len(before)+len(after) > 0 {
		change.ChangeLabels, change.PriorLabels, change.Labels = true, before, after
	}
	if changesOffer(prior, plan) {
		change.OfferID, change.AllowStopping = plan.OfferID.ValueString(), plan.AllowStopping.ValueBool()
	}
	stops := setOptions(&change, prior, config)
	if stops {
		change.AllowStopping = plan.AllowStopping.ValueBool()
	}
	if powerChanges(prior, plan) || change.OfferID != "" || stops || known.Stopped {
		change.Power = plan.Power.ValueString()
	}
	if reinstalls(contentChanges(prior, plan), known) {
		wish := plan.wish(config)
		change.Reinstall = &wish
	}
	moved := !attributes.TextOf(plan.ProviderAccount, "id").IsUnknown() && accountMoves(prior, plan)
	change.RestoreMarks = known.Unmarked != "" || moved || prior.Managed.Equal(types.BoolValue(false))
	needed = change.Name != "" || change.ChangeLabels || change.Power != "" || change.Reinstall != nil || change.RestoreMarks ||
		change.OfferID != "" || len(change.Options.Written) > 0 || known.Stopped
	return change, needed
}

// setOptions puts the options that differ into a change, and answers whether the machine has to be off for one. What is the
// state's own affair is left out.
func setOptions(change *compute.Change, prior, config model) (stops bool) {
	kind, _ := kindOf(config)
	for _, one := range optionChanges(prior, config) {
		if one.unknown || one.Local {
			continue
		}
		if change.Options.Written == nil {
			change.Options = compute.OptionChange{Written: manifest.Values{}, Prior: manifest.Values{}}
			change.Options.All, _ = config.Options.values(kind)
		}
		change.Options.Written[one.Name] = one.after
		if one.before != nil {
			change.Options.Prior[one.Name] = one.before
		}
		stops = stops || one.effect() == driver.Restarts
	}
	return stops
}

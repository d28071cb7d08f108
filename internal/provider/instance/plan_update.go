// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

// update plans a machine that the state holds: nothing, a change in place, or a replacement, which is then planned once
// more with a null state.
func (p *planning) update(ctx context.Context) {
	p.resource.noteHeld(p.prior.ID)
	p.keepComputed()
	p.changes, p.options = contentChanges(p.prior, p.plan), optionChanges(p.prior, p.config)
	if p.private.Imported {
		p.takeWritten(ctx)
	} else {
		p.findReplacement(ctx)
	}
	if len(p.replace) > 0 {
		if p.prior.protected(p.private) {
			refuseProtected(p.diags, "replace", p.prior.Name.ValueString())
		}
		return
	}
	p.refuseProtectedDisk()
	p.warnOfStopped()
	p.planOffer()
	p.planOptions(ctx)
	p.warnOfContent()
	p.warnOfPower()
	p.openComputed()
	if p.diags.HasError() {
		return
	}
	p.checkUpdate(ctx)
}

// keepComputed gives the plan what the state has: the framework makes it all unknown as soon as anything changes.
func (p *planning) keepComputed() {
	prior := p.prior
	p.plan.ID, p.plan.TenantID, p.plan.MachineID = prior.ID, prior.TenantID, prior.MachineID
	p.plan.State, p.plan.ImageID, p.plan.Addresses = prior.State, prior.ImageID, prior.Addresses
	p.plan.IPv4Address, p.plan.IPv6Address = prior.IPv4Address, prior.IPv6Address
	p.plan.VCPU, p.plan.MemoryGiB, p.plan.DiskGiB = prior.VCPU, prior.MemoryGiB, prior.DiskGiB
	p.plan.PricePerHour, p.plan.Currency, p.plan.CreatedAt = prior.PricePerHour, prior.Currency, prior.CreatedAt
	p.keepChoice()
	p.keepOptions()
	// Where the marks are missing the plan shows them being restored.
	p.plan.Managed = types.BoolValue(true)
}

// findReplacement collects the arguments whose change replaces the machine.
func (p *planning) findReplacement(ctx context.Context) {
	before, after := attributes.TextOf(p.prior.ProviderAccount, "kind"), attributes.TextOf(p.plan.ProviderAccount, "kind")
	p.replaceOn(accountPath(), before, after, "A change to an account of another kind replaces the machine.")
	if !p.config.Region.IsNull() {
		p.replaceOn(path.Root("region"), p.prior.Region, p.plan.Region, changeReplaces)
	}
	p.replaceOnRegions()
	p.replaceOn(path.Root("idempotency_key"), p.prior.IdempotencyKey, p.plan.IdempotencyKey, changeReplaces)
	for _, change := range p.changes {
		if change.Policy == replace && !change.Unknown {
			p.replace.Append(change.Argument)
		}
	}
	p.replaceOnOptions(ctx)
	if len(p.replace) > 0 && p.private.Unmarked != "" {
		refuseUnmarked(p.diags, "replace")
	}
}

const changeReplaces = "A change replaces the machine."

func (p *planning) replaceOn(argument path.Path, before, after types.String, consequence string) {
	switch {
	case after.IsUnknown():
		p.warnUnknown(argument, consequence)
	case !attributes.SameText(before, after):
		p.replace.Append(argument)
	}
}

// warnOfContent tells what a change of image, user data or keys does that does not replace the machine.
func (p *planning) warnOfContent() {
	if p.private.Imported {
		return
	}
	for _, change := range p.changes {
		name := change.Argument.String()
		switch {
		case change.Unknown && change.Policy == ignore:
		case change.Unknown, change.Policy == undecided:
			p.warnUnknown(change.Argument, "A change replaces or reinstalls the machine, as on_change says.")
		case change.Policy == reinstall:
			p.diags.AddAttributeWarning(change.Argument, "The disk of "+p.prior.Name.ValueString()+" will be erased",
				fmt.Sprintf("%s changes and on_change.%s is \"reinstall\": the apply puts the image afresh on the machine's disk, with the user data "+
					"and the keys of this configuration. All data on that disk is lost; id, addresses and name stay.", name, change.Setting))
		case change.Policy == ignore:
			p.diags.AddAttributeWarning(change.Argument, "A change of "+name+" that changes nothing on the machine",
				fmt.Sprintf("on_change.%s is \"ignore\": the new value is stored in the state, and nothing is done on the machine. "+
					"It takes effect with the next machine or reinstall. \"replace\" or \"reinstall\" would put it on the machine.", change.Setting))
		}
	}
}

// openComputed makes unknown what the apply will change or learn.
func (p *planning) openComputed() {
	if p.private.Unfinished {
		p.openUnfinished()
	}
	if p.private.Imported {
		// The price at the create is not known of an imported machine: the apply takes the price of today. That makes
		// the first plan after an import a change in place, which is what ends the import.
		p.plan.PricePerHour, p.plan.Currency = types.NumberUnknown(), types.StringUnknown()
	}
	if powerChanges(p.prior, p.plan) || p.private.Stopped {
		p.plan.State = types.StringUnknown()
	}
	if p.plan.OfferID.IsUnknown() || changesOffer(p.prior, p.plan) {
		p.plan.VCPU, p.plan.MemoryGiB, p.plan.DiskGiB = types.Int64Unknown(), types.NumberUnknown(), types.NumberUnknown()
		p.plan.PricePerHour, p.plan.Currency = types.NumberUnknown(), types.StringUnknown()
	}
	if !p.private.Imported && p.mayReinstall() {
		p.plan.State, p.plan.ImageID = types.StringUnknown(), types.StringUnknown()
	}
}

// openUnfinished: a create that was cut short has left nulls, and may have left values that were not final.
func (p *planning) openUnfinished() {
	p.plan.State = types.StringUnknown()
	p.plan.Addresses = types.ListUnknown(addressType)
	p.plan.IPv4Address, p.plan.IPv6Address = types.StringUnknown(), types.StringUnknown()
	for _, value := range []*types.String{&p.plan.Region, &p.plan.ImageID, &p.plan.Currency, &p.plan.CreatedAt} {
		if value.IsNull() {
			*value = types.StringUnknown()
		}
	}
	for _, value := range []*types.Number{&p.plan.MemoryGiB, &p.plan.DiskGiB, &p.plan.PricePerHour} {
		if value.IsNull() {
			*value = types.NumberUnknown()
		}
	}
	if p.plan.VCPU.IsNull() {
		p.plan.VCPU = types.Int64Unknown()
	}
}

// mayReinstall is reinstalls for a plan in which something is still unknown.
func (p *planning) mayReinstall() bool {
	for _, change := range p.changes {
		if change.Policy == reinstall || change.Policy == undecided {
			return true
		}
	}
	return false
}

// powerChanges: power that is not set, or not any more, is left as it is.
func powerChanges(prior, plan model) bool {
	return !plan.Power.IsNull() && !attributes.SameText(prior.Power, plan.Power)
}

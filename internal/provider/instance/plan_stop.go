// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

const allowStopping = "allow_stopping_for_update"

// stateStopped is the state of a machine that is off.
const stateStopped = string(driver.StateStopped)

// changesOffer says whether an update gives the machine another offer.
func changesOffer(prior, plan model) bool {
	return !plan.OfferID.IsUnknown() && !prior.OfferID.IsNull() && !attributes.SameText(prior.OfferID, plan.OfferID)
}

// planOffer says what another offer does to the machine.
func (p *planning) planOffer() {
	before, after := p.prior.OfferID, p.plan.OfferID
	switch {
	case after.IsUnknown() && !before.IsNull():
		p.diags.AddAttributeWarning(offerPath(p.config), "Not known until apply: offer_id",
			"Whether offer_id changes is not known yet. If it does, the apply gives "+p.prior.Name.ValueString()+" the other offer in place. "+
				"The machine has to be off for that: where "+allowStopping+" is true the apply stops it and switches it on again, else it fails before it touches the machine.")
	case changesOffer(p.prior, p.plan) && !p.private.Imported:
		p.mustStop(offerPath(p.config), fmt.Sprintf("The offer changes from %s to %s", before.ValueString(), after.ValueString()),
			"What is on its disk stays. The disk grows with the offer where that has a larger one, and never shrinks again.",
			fmt.Sprintf(" If it was resized outside and is to stay so, write the offer that it has now, %s.", before.ValueString()))
	}
}

// mustStop says that a change of an argument stops the machine, or, where the plan does not allow that, that the apply would
// have to. What is the change as a sentence, effect what more there is to know of it, instead the last of the ways out.
func (p *planning) mustStop(argument path.Path, what, effect, instead string) {
	name, allowed := p.prior.Name.ValueString(), p.plan.AllowStopping
	isOff := p.prior.State.ValueString() == stateStopped
	goesOff := powerChanges(p.prior, p.plan) && p.plan.Power.ValueString() == powerOff
	patience := fmt.Sprintf("the guest is asked to stop, and its power is cut after %s (shutdown_timeout)", p.plan.shutdownTimeout())
	switch {
	case isOff && !p.private.Stopped:
		p.diags.AddAttributeWarning(argument, name+" will be changed while it is off",
			what+". The machine is off and will be off afterwards; a vendor that starts it after such a change has it switched off again. "+effect)
	case isOff, goesOff:
		p.diags.AddAttributeWarning(argument, name+" will be changed while it is off", what+", for which the machine has to be off: "+patience+". "+effect)
	case allowed.ValueBool(), allowed.IsUnknown():
		p.diags.AddAttributeWarning(argument, name+" will be stopped and started again",
			what+", for which the machine has to be off: "+patience+"; afterwards it is switched on again. "+effect)
	default:
		diagnostics.Error(p.diags, path.Root(allowStopping), driver.InvalidInput, "Unable to change "+argument.String()+" of "+name+" without stopping it",
			what+", for which the machine has to be off. Set "+allowStopping+" = true: "+patience+"; afterwards it is switched on again. "+
				"Or switch it off first."+instead)
	}
}

// warnOfPower says in words that a machine goes off or on.
func (p *planning) warnOfPower() {
	name, wanted, isOff := p.prior.Name.ValueString(), p.plan.Power.ValueString(), p.prior.State.ValueString() == stateStopped
	switch {
	case !powerChanges(p.prior, p.plan):
	case wanted == powerOff && !isOff:
		p.diags.AddAttributeWarning(path.Root("power"), name+" will be switched off",
			fmt.Sprintf("The guest is asked to stop, and its power is cut after %s (shutdown_timeout).", p.plan.shutdownTimeout()))
	case wanted == powerOn && isOff:
		p.diags.AddAttributeWarning(path.Root("power"), name+" will be switched on", "The machine is off, and power says \"on\".")
	}
}

// warnOfStopped says that an update which was broken off has left the machine off, or at least says so.
func (p *planning) warnOfStopped() {
	if !p.private.Stopped {
		return
	}
	after := "switches it on again, if it is off"
	if p.plan.Power.ValueString() == powerOff {
		after = "leaves it off, as power says"
	}
	p.diags.AddWarning("An update of "+p.prior.Name.ValueString()+" did not come to its end",
		"An apply that was interrupted had stopped the machine for a change, to switch it on again afterwards. This apply brings that to its end: it makes the changes that are planned here and "+
			after+".")
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// protected says whether a state shows the machine protected: by the configuration, or by a person at the vendor. What only
// plans honour protects nothing before the create has come to its end.
func (m model) protected(known private) bool {
	kind, _ := kindOf(m)
	option, has := kind.Option(driver.OptionDeleteProtection)
	if !has || option.Local && known.Unfinished {
		return false
	}
	return m.Options.value(kind, option).Equal(types.BoolValue(true))
}

// refuseProtected refuses to end a protected machine, by a plan, and by an apply that no plan has stopped. Nothing has been
// sent by then.
func refuseProtected(diags *diag.Diagnostics, deed, name string) {
	diagnostics.Error(diags, path.Root(driver.OptionDeleteProtection), driver.InvalidState, "Refusing to "+deed+" machine "+name+", which is protected",
		"Its delete_protection is true: the configuration says so, or somebody has set the protection at the vendor. Nothing was changed. "+
			"Where it is meant to go, set delete_protection = false and apply that first, with all else as it is; then "+deed+" it. A machine that is tainted needs `untaint` before that. "+
			"To let go of it without touching it, remove it from the state with a `removed` block or `state rm`.")
}

// refuseProtectedReplacement: the old machine of a replacement cannot go as long as it is protected. The plan of the new one
// has a null state, so what is known comes from the private state, which a read keeps for a tainted machine's replacement.
func (p *planning) refuseProtectedReplacement() {
	known := p.private
	if known.Claim == "" {
		p.resource.accounts.KeptPrivate(noun, &known, replacementNames(p.plan)...)
	}
	if known.Protected {
		refuseProtected(p.diags, "replace", p.plan.Name.ValueString())
	}
}

// refuseProtectedDisk: a vendor that has a switch of its own refuses to write a protected machine's disk again.
func (p *planning) refuseProtectedDisk() {
	kind, _ := kindOf(p.prior)
	option, has := kind.Option(driver.OptionDeleteProtection)
	if !has || option.Local || !p.plan.protected(p.private) || !reinstalls(p.changes, p.private) {
		return
	}
	diagnostics.Error(p.diags, path.Root(driver.OptionDeleteProtection), driver.InvalidState,
		"Refusing to reinstall machine "+p.prior.Name.ValueString()+", which is protected",
		kind.Manifest.Title+" refuses to write the disk of a protected machine again. Set delete_protection = false in the same change: the protection is lifted first.")
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/privatestate"
)

// noun is the resource's in what accounts.KeepPrivate remembers.
const noun = "machine"

// keepForReplacement remembers the private state of a machine that the state holds: see accounts.KeepPrivate.
func (r *Resource) keepForReplacement(state model, known private) {
	known.Machine = state.MachineID.ValueString()
	r.accounts.KeepPrivate(noun, known, replacementNames(state)...)
}

// replacementNames: the replacement of a machine has its id, or at least its name on the same account.
func replacementNames(m model) []types.String {
	account := attributes.TextOf(m.ProviderAccount, "id")
	return []types.String{m.ID, types.StringValue(account.ValueString() + " " + m.Name.ValueString())}
}

// handOver puts the private state of the machine that a planned one replaces, if there is one, into the plan.
func (p *planning) handOver(ctx context.Context, to privatestate.Writer) {
	var known private
	if p.private.Claim == "" && p.resource.accounts.KeptPrivate(noun, &known, replacementNames(p.plan)...) {
		known.write(ctx, to, p.diags)
	}
}

// of answers the private state if it is about this machine, else an empty one.
func (p private) of(machine types.String) private {
	if p.Machine != "" && p.Machine != machine.ValueString() {
		return private{}
	}
	return p
}

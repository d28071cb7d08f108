// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/privatestate"
)

// A CLI plans what is tainted as something new, with no private state, and hands the private state of that plan to the
// destroy of the old machine: the claim would be lost on the way, and without it nothing may be deleted. So a read keeps it
// for the rest of the command, and the plan of a new machine that looks like its replacement hands it over.

// keptPrivate is the sort of what Keep remembers for handOver.
const keptPrivate = "private state of an instance"

// keepForReplacement remembers the private state of a machine that the state holds, by what its replacement is known by.
func (r *Resource) keepForReplacement(state model, known private) {
	if r.accounts.Accounts == nil {
		return
	}
	known.Machine = state.MachineID.ValueString()
	text, err := json.Marshal(known)
	if err != nil {
		panic("texts and flags can always be written as JSON: " + err.Error())
	}
	for _, name := range replacementNames(state) {
		r.accounts.Keep(keptPrivate, name, string(text))
	}
}

// replacementNames: the replacement of a machine has its id, or at least its name on the same account.
func replacementNames(m model) []string {
	account := attributes.TextOf(m.ProviderAccount, "id")
	return []string{m.ID.ValueString(), account.ValueString() + " " + m.Name.ValueString()}
}

// handOver puts the private state of the machine that a planned one replaces, if there is one, into the plan.
func (p *planning) handOver(ctx context.Context, to privatestate.Writer) {
	if p.private.Claim != "" || p.resource.accounts.Accounts == nil {
		return
	}
	for _, name := range replacementNames(p.plan) {
		text := p.resource.accounts.Kept(keptPrivate, name)
		if text == "" {
			continue
		}
		var known private
		if err := json.Unmarshal([]byte(text), &known); err == nil {
			known.write(ctx, to, p.diags)
		}
		return
	}
}

// of answers the private state if it is about this machine, else an empty one.
func (p private) of(machine types.String) private {
	if p.Machine != "" && p.Machine != machine.ValueString() {
		return private{}
	}
	return p
}

// refuseUnknownClaim: without the claim nothing shows whether another state has taken the machine over.
func refuseUnknownClaim(diags *diag.Diagnostics, state model) {
	diagnostics.Error(diags, path.Empty(), driver.InvalidState, "Unable to delete machine "+state.Name.ValueString()+": its claim is not known here",
		"The CLI has handed over none of what the provider had stored about the machine, which tells whether it still belongs to this state. "+
			"That happens when a tainted machine is replaced without a refresh, or by one with another name. Nothing was changed. "+
			"Apply without -refresh=false and with the name that the machine has, or run `untaint` and change idempotency_key, which replaces it too.")
}

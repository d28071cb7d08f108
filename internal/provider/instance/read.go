// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Read brings what the vendor shows into the state. It never writes at the vendor.
func (r *Resource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	diags := &response.Diagnostics
	state, known := read(ctx, request.State, diags), readPrivate(ctx, request.Private, diags)
	if diags.HasError() {
		return
	}
	account := r.mustOpen(ctx, state.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, state.allowed("read", defaultRead))
	defer done()
	seen, err := account.Read(limited, known.held(state))
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), map[string]path.Path{reference.Name: accountPath()})
		return
	}
	diagnostics.Warn(diags, seen.Notices, nil)
	if seen.Gone {
		life{account: account, id: state.ID.ValueString(), machine: state.MachineID.ValueString()}.log(ctx, "deleted", nil)
		response.State.RemoveResource(ctx)
		return
	}
	r.noteHeld(state.ID)
	// The copy of the account may be an old one: the newest is what a delete in the apply, another process, will need.
	state.ProviderAccount = reference.Object(account.Reference())
	state.Managed = types.BoolValue(seen.Managed)
	if seen.Regained != "" {
		known.Claim, known.Unfinished = seen.Regained, seen.Machine.Marks.Creating
		known.write(ctx, response.Private, diags)
	}
	if seen.Proof != known.Proof {
		known.Proof = seen.Proof
		known.write(ctx, response.Private, diags)
	}
	if seen.Ours && (seen.Machine.UUID != known.UUID || seen.Machine.Marks.Stopped != known.Stopped) {
		// An update that put the machine up afresh, or stopped it, may have been cut off before it could save this.
		known.UUID, known.Stopped = seen.Machine.UUID, seen.Machine.Marks.Stopped
		known.write(ctx, response.Private, diags)
	}
	showing, err := optionsAs(limited, account, seen.Machine, state)
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), argumentPaths(state))
		return
	}
	state = state.observed(seen.Machine).drifted(seen.Machine, showing, known)
	if protected := state.protected(known); protected != known.Protected {
		known.Protected = protected
		known.write(ctx, response.Private, diags)
	}
	r.keepForReplacement(state, known)
	state.write(ctx, &response.State, diags)
}

// drifted answers the state with the arguments that a person may have changed at the vendor. Image and region are kept as
// written: their spelling is the user's.
func (m model) drifted(machine driver.Machine, showing options, known private) model {
	m.Options = showing
	m.Name = types.StringValue(machine.Name)
	if machine.OfferID != "" { // a clone that is not through yet tells none, and an update never brings an offer from nothing
		m.OfferID = types.StringValue(machine.OfferID)
	}
	if m.Image.IsNull() {
		m.Image = attributes.Text(machine.Image)
	}
	if m.Region.IsNull() {
		m.Region = attributes.Text(machine.Region)
	}
	m.Labels = shownLabels(m.Labels, machine.Labels)
	if !m.Power.IsNull() && !known.Unfinished {
		m.Power = shownPower(m.Power, machine.State)
	}
	return m
}

// shownLabels keeps the labels that are under management, with the values that the vendor shows; others are left alone.
func shownLabels(managed types.Map, shown map[string]string) types.Map {
	if managed.IsNull() {
		return managed
	}
	elements := map[string]attr.Value{}
	for key := range managed.Elements() {
		if value, there := shown[key]; there {
			elements[key] = types.StringValue(value)
		}
	}
	return types.MapValueMust(types.StringType, elements)
}

// shownPower answers "on" or "off" as the machine is, and what was written while it is neither.
func shownPower(written types.String, state driver.State) types.String {
	switch state {
	case driver.StateRunning, driver.StateRescue:
		return types.StringValue(powerOn)
	case driver.StateStopped:
		return types.StringValue(powerOff)
	case driver.StatePending, driver.StateDeleting, driver.StateDeleted, driver.StateError, driver.StateUnknown:
	}
	return written
}

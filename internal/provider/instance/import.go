// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var importAdvice = importid.Advice("machine", "bettercompute_instance.web", "web",
	"our id (inst_ and 52 characters), the vendor's id of the machine, its name, or one of its addresses")

// ImportState takes a machine into the state that is at the vendor already. It writes nothing there: a machine without
// marks is marked by the apply that follows.
func (r *Resource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	diags := &response.Diagnostics
	account, object := r.accounts.Import(ctx, request.ID, importAdvice, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, defaultRead)
	defer done()
	machine, err := account.Lookup(limited, object)
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), nil)
		return
	}
	state, known := imported(account, machine, optionsOf(limited, account, machine), r.tenant())
	known.write(ctx, response.Private, diags)
	state.write(ctx, &response.State, diags)
}

// imported answers the state of a machine as it was found, and what the first plan has to know of it.
func imported(account *compute.Account, machine driver.Machine, showing options, tenant string) (model, private) {
	known := private{Imported: true, Claim: machine.Marks.Claim, UUID: machine.UUID, Unfinished: machine.Marks.Creating}
	state := model{
		ProviderAccount:   reference.Object(account.Reference()),
		SSHAuthorizedKeys: types.SetNull(types.StringType),
		OnChange: types.ObjectNull(map[string]attr.Type{
			"image": types.StringType, "user_data": types.StringType, "ssh_authorized_keys": types.StringType,
		}),
		OfferIDs:  types.ListNull(types.StringType),
		Regions:   types.ListNull(types.StringType),
		Labels:    types.MapNull(types.StringType),
		Addresses: types.ListNull(addressType),
		Timeouts:  attributes.NoTimeouts(),
		ID:        types.StringValue(machine.Marks.Key),
		TenantID:  types.StringValue(tenant),
	}
	marked := machine.Marks.Key != "" && compute.WellFormedClaim(machine.Marks.Claim)
	state.Managed = types.BoolValue(marked)
	if !marked {
		known.Claim, known.Unmarked = "", compute.NewClaim(account.Owner())
	}
	if machine.Marks.Key == "" {
		state.ID = types.StringValue(compute.UnmarkedInstanceID(account.Reference().ID, machine.ID))
	}
	return state.observed(machine).drifted(machine, showing, known), known
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
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

var importAdvice = importid.Advice("address", "bettercompute_provider_address.web", "203.0.113.7",
	"the address, our id (paddr_ and 52 characters), the vendor's id, or its name where the vendor keeps one")

// ImportState takes an address into the state that is at the vendor already. It writes nothing there: an address without
// marks is marked by the apply that follows.
func (r *Resource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	diags := &response.Diagnostics
	account, object := r.accounts.Import(ctx, request.ID, importAdvice, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, defaultRead)
	defer done()
	address, err := account.LookupAddress(limited, object)
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), nil)
		return
	}
	if !r.noteImport(account, address, diags) {
		return
	}
	state, known := imported(account, address, r.accounts.Tenant())
	known.write(ctx, response.Private, diags)
	diags.Append(response.State.Set(ctx, state)...)
}

// imported answers the state of an address as it was found, and what the first plan has to know of it.
func imported(account *compute.Account, address driver.ReservedAddress, tenant string) (model, private) {
	known := private{Imported: true, Claim: address.Marks.Claim, Unfinished: address.Marks.Creating}
	known.see(address)
	state := model{
		ProviderAccount: reference.Object(account.Reference()),
		Name:            attributes.Text(compute.AddressName(address)),
		Description:     attributes.Text(address.Description),
		Region:          attributes.Text(address.Region),
		Family:          types.StringValue(address.Family),
		Instance:        types.ObjectNull(holderTypes),
		Timeouts:        attributes.NoTimeouts(),
		ID:              types.StringValue(address.Marks.Key),
		TenantID:        types.StringValue(tenant),
	}
	marked := address.Marks.Key != "" && compute.WellFormedClaim(address.Marks.Claim)
	if !marked {
		known.Claim, known.Unmarked = "", compute.NewClaim(account.Owner())
	} else {
		// Whoever marked it has also put it where it is.
		known.Placed = address.Holder
	}
	if address.Marks.Key == "" {
		state.ID = types.StringValue(compute.UnmarkedAddressID(account.Reference().ID, address.ID))
	}
	state = state.observed(address).held(address)
	if !marked || known.Unfinished {
		state.State = types.StringValue(statePending)
	}
	return state, known
}

// The sorts of notes by which a command finds an address in two places of one state.
const (
	readAddress     = "address read"
	importedAddress = "address imported"
)

// place names an address within a command.
func place(account *compute.Account, id string) string { return account.Reference().ID + " " + id }

// noteImport refuses an address that this command has seen in the state already, or imports twice.
func (r *Resource) noteImport(account *compute.Account, address driver.ReservedAddress, diags *diag.Diagnostics) bool {
	name := place(account, address.ID)
	if r.accounts.Note(importedAddress, name) && !r.accounts.Noted(readAddress, name) {
		return true
	}
	refuseTwice(diags, address.Address)
	return false
}

// noteRead notices an address that was imported while another resource of the state holds it: each is read once in a
// command.
func (r *Resource) noteRead(account *compute.Account, known private, diags *diag.Diagnostics) bool {
	name := place(account, known.AddressID)
	first := r.accounts.Note(readAddress, name)
	if first || !r.accounts.Noted(importedAddress, name) {
		return true
	}
	refuseTwice(diags, known.AddressID)
	return false
}

func refuseTwice(diags *diag.Diagnostics, address string) {
	diagnostics.Error(diags, path.Empty(), driver.Conflict, "The address is in this state already",
		fmt.Sprintf("Another %s of this state holds address %s, or the configuration imports it twice. One address belongs to one resource: remove one of the import blocks. "+
			"If a block was renamed, add a `moved` block instead.", typeName, address))
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/privatestate"
)

// private is what a state knows besides its attributes. It holds no secret.
type private struct {
	// AddressID is the vendor's id, Fingerprint what tells the reservation from a later one of the same address.
	AddressID, Fingerprint string
	// Claim is the one that this state has put on the address, Proof what tells the right place by.
	Claim, Proof string
	// Placed is the machine that this state has put the address on, or the two of a move that was cut short; only from there
	// it is ever taken off.
	Placed string
	// Unfinished: the create has not come to its end; the next update carries it there.
	Unfinished bool
	// Unmarked is the claim to be written on an address that was imported without marks; empty: it has marks.
	Unmarked string
	// Imported: no update has been applied since the import, arguments take what is written.
	Imported bool
}

func (p *private) entries() privatestate.Entries {
	return privatestate.Entries{
		"address_id": &p.AddressID, "fingerprint": &p.Fingerprint, "claim": &p.Claim, "proof": &p.Proof, "placed": &p.Placed,
		"unfinished": &p.Unfinished, "unmarked": &p.Unmarked, "imported": &p.Imported,
	}
}

// noun is the resource's in what accounts.KeepPrivate remembers.
const noun = "address"

// replacementNames: the replacement of an address has its id, or at least its name on the same account.
func replacementNames(m model) []types.String {
	account := attributes.TextOf(m.ProviderAccount, "id")
	return []types.String{m.ID, types.StringValue(account.ValueString() + " " + m.Name.ValueString())}
}

func readPrivate(ctx context.Context, from privatestate.Reader, diags *diag.Diagnostics) private {
	var out private
	privatestate.Read(ctx, from, out.entries(), diags)
	return out
}

// write stores everything; what is empty is removed.
func (p private) write(ctx context.Context, to privatestate.Writer, diags *diag.Diagnostics) {
	privatestate.Write(ctx, to, p.entries(), diags)
}

// held is what compute judges the address by.
func (p private) held(state model) compute.AddressHeld {
	held := compute.AddressHeld{
		AddressID: p.AddressID, Address: state.Address.ValueString(), Key: state.ID.ValueString(), Name: state.Name.ValueString(),
		Claim: p.Claim, Proof: p.Proof, Fingerprint: p.Fingerprint, Placed: p.Placed, Prefix: state.Prefix.ValueString(),
	}
	if p.Unmarked != "" {
		held.Claim = p.Unmarked
	}
	return held
}

// keep brings the private state to what an operation has left behind.
func (p *private) keep(made compute.AddressMade) {
	if made.Address.ID == "" {
		return
	}
	p.Placed = made.Placed
	p.see(made.Address)
	if p.Unmarked != "" && made.Address.Marks.Claim == p.Unmarked {
		p.Claim, p.Unmarked = p.Unmarked, ""
	}
	if made.Proof != "" {
		p.Proof = made.Proof
	}
}

// see notes what identifies the reservation.
func (p *private) see(address driver.ReservedAddress) {
	p.AddressID, p.Fingerprint = address.ID, address.Fingerprint
}

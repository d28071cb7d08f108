// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// ReadAddress looks at an address that a state holds, by the vendor's id, and judges what it shows. It never writes.
// Absence is believed only of an account that can be shown to be the right one.
func (a *Account) ReadAddress(ctx context.Context, held AddressHeld) (AddressSeen, error) {
	action := "read " + held.object()
	seen, err := a.addresses.get(ctx, held.AddressID, age{since: a.settings.Opened})
	if err != nil {
		return a.absentAddress(ctx, held, err, action)
	}
	if reservedAnew(held, seen) {
		return AddressSeen{Gone: true, Notices: []Notice{a.anew(held, seen.ReservedAddress)}}, nil
	}
	judged := JudgeMarks(seen.Marks, held.Key, held.Claim, a.settings.Owner)
	read := AddressSeen{Address: seen.ReservedAddress, Managed: judged.Sight != SightUnmarked, Proof: held.Proof}
	switch judged.Read {
	case Remove:
		read.Gone = true
		read.Notices = []Notice{a.addressRemoved(held, seen.ReservedAddress)}
	case KeepAndWarn:
		read.Notices = []Notice{{
			Summary: "The address belongs to another state",
			Detail: fmt.Sprintf("%s bears this resource's key and another state's claim: %s. It is kept here, and nothing here changes it. Take it out of one of the two states.",
				capital(objectOfAddress(seen.ReservedAddress)), claimedAddress(seen.ReservedAddress).whose()),
		}}
	default:
	}
	if judged.Sight == SightOurs {
		a.sighted()
		read.Proof = a.proofSeen(ctx, held.Proof)
	}
	return read, nil
}

// reservedAnew says whether the vendor shows the same address from a later reservation.
func reservedAnew(held AddressHeld, seen reservation) bool {
	return held.Fingerprint != "" && seen.Fingerprint != "" && held.Fingerprint != seen.Fingerprint
}

func (a *Account) anew(held AddressHeld, now driver.ReservedAddress) Notice {
	return Notice{
		Summary: "The address was released and reserved again by somebody else",
		Detail: fmt.Sprintf("%s is another reservation at %s now (id %s%s): the one that this resource held was released outside. "+
			"It is dropped from the state and left alone: neither adopted nor released.", capital(held.object()), a.title(), now.ID, reservedAt(now)),
	}
}

func reservedAt(address driver.ReservedAddress) string {
	if address.ReservedAt.IsZero() {
		return ""
	}
	return ", reserved at " + address.ReservedAt.UTC().Format("2006-01-02 15:04:05 UTC")
}

func (a *Account) addressRemoved(held AddressHeld, seen driver.ReservedAddress) Notice {
	return Notice{
		Summary: "The address is no longer this resource's",
		Detail: fmt.Sprintf("%s now shows: %s. It is dropped from the state and left alone at the vendor.",
			capital(held.object()), claimedAddress(seen).whose()),
	}
}

// absentAddress decides what a failed read means: gone, or an error that keeps the state. Public addresses are there once
// in the world: where the account shows this one under another id, it is gone from wherever it was.
func (a *Account) absentAddress(ctx context.Context, held AddressHeld, err error, action string) (AddressSeen, error) {
	if ctx.Err() != nil || a.describe(err).Code != driver.NotFound {
		return AddressSeen{}, a.explain(ctx, err, action, held.object())
	}
	current, err := a.addresses.list(ctx, age{since: a.settings.Opened})
	if err != nil {
		return AddressSeen{}, a.explain(ctx, err, action, held.object())
	}
	for _, other := range current.ordered() {
		if other.ID != "" && other.Address == held.Address {
			return AddressSeen{Gone: true, Notices: []Notice{a.anew(held, other.ReservedAddress)}}, nil
		}
	}
	if err := a.proveAbsence(ctx, held.Proof, held.object(), action); err != nil {
		return AddressSeen{}, err
	}
	return AddressSeen{Gone: true, Notices: []Notice{{
		Summary: "The address is gone",
		Detail: fmt.Sprintf("%s was released outside; %s knows nothing of it in this account. It is dropped from the state.",
			capital(held.object()), a.title()),
	}}}, nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// AddressChange is what an update does to an address besides writing marks that are missing. Zero values change nothing.
type AddressChange struct {
	// Describe says that Name and Description are to be written where the vendor keeps them.
	Describe          bool
	Name, Description string
	// ForgetIntent is a key whose intent is taken back: what it may have reserved has been found.
	ForgetIntent string
	// Move says that MachineID is where the address is to be; empty: on no machine.
	Move      bool
	MachineID string
	// ReverseDNS is the host name that the address is to resolve to, "" for the vendor's own; nil leaves it as it is.
	ReverseDNS *string
}

// UpdateAddress changes an address in place. What differs in nothing, as after an import, is not written to. On an error,
// AddressMade says what is true by then.
func (a *Account) UpdateAddress(ctx context.Context, held AddressHeld, change AddressChange) (AddressMade, error) {
	action := "update " + held.object()
	leave, seen, err := a.openAddress(ctx, held, action)
	if err != nil {
		return AddressMade{}, err
	}
	defer leave()
	made := AddressMade{Address: seen.ReservedAddress, Claim: held.Claim, Proof: held.Proof, Placed: held.Placed}
	before := a.addresses.moment(held.AddressID)
	if err := a.changeAddressMarks(ctx, held, change, &seen); err != nil {
		return made, err
	}
	if err := a.nameAddress(ctx, &seen.ReservedAddress, change.ReverseDNS, action); err != nil {
		return made, err
	}
	made.Address = seen.ReservedAddress
	if change.ForgetIntent != "" && change.ForgetIntent != held.Key {
		if err := a.forgetIntent(ctx, change.ForgetIntent, action); err != nil {
			return made, err
		}
	}
	if change.Move {
		placed, err := a.place(ctx, held, change.MachineID, action, &seen.ReservedAddress)
		made.take(placed)
		if err != nil {
			return made, err
		}
	}
	if a.addresses.moment(held.AddressID) != before {
		a.leaveProof(ctx, &made)
	}
	return made, nil
}

// openAddress takes the address's turn, reads it as it is now and judges whether the state may change it.
func (a *Account) openAddress(ctx context.Context, held AddressHeld, action string) (leave func(), seen reservation, err error) {
	leave, err = a.queue.enter(ctx, held.AddressID)
	if err != nil {
		return nil, seen, a.ended(ctx, action, held.object(), nil)
	}
	seen, err = a.freshAddress(ctx, held.AddressID)
	if err != nil {
		leave()
		return nil, seen, a.explain(ctx, err, action, held.object())
	}
	other := claimedAddress(seen.ReservedAddress)
	if reservedAnew(held, seen) {
		leave()
		return nil, seen, a.notOurs(held.object(), action, other)
	}
	switch JudgeMarks(seen.Marks, held.Key, held.Claim, a.settings.Owner).Update {
	case GoOn, RestoreMarks:
		return leave, seen, nil
	case PlanAgain:
		leave()
		return nil, seen, a.planAgain(held.object(), action, other)
	default:
		leave()
		return nil, seen, a.notOurs(held.object(), action, other)
	}
}

func (a *Account) changeAddressMarks(ctx context.Context, held AddressHeld, change AddressChange, seen *reservation) error {
	name, description := seen.Name, seen.Description
	if rules, _ := a.AddressRules(); change.Describe && rules.Described {
		name, description = vendorName(change.Name, held.Key), change.Description
	}
	marked := JudgeMarks(seen.Marks, held.Key, held.Claim, a.settings.Owner).Sight == SightOurs
	if marked && name == seen.Name && description == seen.Description && !a.otherAccount(*seen) {
		return nil
	}
	return a.writeMarks(ctx, seen, name, description, a.marks(held.Key, held.Claim, seen.Marks.Creating && marked))
}

// otherAccount says whether the address bears the mark of another account of ours, as after a change of provider_account.
func (a *Account) otherAccount(seen reservation) bool {
	return seen.row == nil && seen.Marks.Account != a.settings.Reference.ID
}

// writeMarks writes marks on an address, or into its row. What the vendor keeps none of, such as a name, is left out.
func (a *Account) writeMarks(ctx context.Context, seen *reservation, name, description string, marks driver.Marks) error {
	action := "mark " + objectOfAddress(seen.ReservedAddress)
	defer a.addresses.wrote(seen.ID)
	if rows, ok := a.driver.(driver.Rows); ok {
		return a.writeRow(ctx, rows, seen, marks, action)
	}
	marker, err := capability[driver.MarkAddress](a, CapabilityAddresses, action)
	if err != nil {
		return err
	}
	return a.persistAgain(ctx, action, "", func(ctx context.Context) error {
		marked, err := marker.MarkAddress(ctx, seen.ReservedAddress, name, description, marks)
		if err == nil {
			seen.ReservedAddress = marked
		}
		return err
	})
}

func (a *Account) writeRow(ctx context.Context, rows driver.Rows, seen *reservation, marks driver.Marks, action string) error {
	record := driver.RecordOf(seen.ReservedAddress)
	var others []string
	if seen.row != nil {
		others = slices.DeleteFunc(slices.Clone(seen.row.Claims), func(claim string) bool { return claim == marks.Claim })
	}
	err := a.persistOnce(ctx, action, "", func(ctx context.Context) error {
		if seen.row == nil || seen.row.Key != marks.Key {
			if err := errors.Join(rows.OpenRow(ctx, marks.Key), rows.RecordRow(ctx, marks.Key, record)); err != nil {
				return err
			}
		}
		return rows.ClaimRow(ctx, marks.Key, marks.Claim, others)
	})
	if err == nil {
		seen.mark(driver.Row{Key: marks.Key, Records: []driver.Record{record}, Claims: []string{marks.Claim}})
	}
	return err
}

// forgetIntent takes an intent back whose address has been found. One with a record is no intent and stays.
func (a *Account) forgetIntent(ctx context.Context, key, action string) error {
	rows, ok := a.driver.(driver.Rows)
	if !ok {
		return nil
	}
	current, err := a.addresses.list(ctx, a.addresses.now())
	if err != nil {
		return a.explain(ctx, err, action, "")
	}
	intent, there := current.byID["row "+key]
	if !there || len(intent.row.Records) > 0 {
		return nil
	}
	return a.persistOnce(ctx, action, "", func(ctx context.Context) error { return rows.EraseRow(ctx, *intent.row) })
}

// FinishAddress carries on a create whose address a state holds already.
func (a *Account) FinishAddress(ctx context.Context, held AddressHeld, wish AddressWish) (AddressMade, error) {
	action := "create " + wish.object()
	leave, seen, err := a.openAddress(ctx, held, action)
	if err != nil {
		return AddressMade{}, err
	}
	defer leave()
	made := AddressMade{
		Address: seen.ReservedAddress, Claim: held.Claim, Proof: held.Proof, Placed: held.Placed, Unfinished: true, Adopted: true,
	}
	wish.Region = seen.Region
	order, err := a.prepareAddress(ctx, wish)
	if err != nil {
		return made, err
	}
	if seen.Marks.Claim != held.Claim {
		if err := a.writeMarks(ctx, &seen, seen.Name, seen.Description, a.marks(held.Key, held.Claim, true)); err != nil {
			return made, err
		}
		made.Address = seen.ReservedAddress
	}
	return a.settleAddress(ctx, order, made, nil)
}

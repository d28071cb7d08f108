// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"fmt"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// DeleteAddress takes an address off its machine, releases it, and returns when neither its id nor the list shows it. What
// is gone already is deleted; what is not ours any more is left alone, with a notice. An address on a machine that this
// state did not put it on is INVALID_STATE, and nothing is sent.
func (a *Account) DeleteAddress(ctx context.Context, held AddressHeld) ([]Notice, error) {
	action := "delete " + held.object()
	for _, lane := range []string{held.Key, held.AddressID} {
		leave, err := a.queue.enter(ctx, lane)
		if err != nil {
			return nil, a.ended(ctx, action, "", nil)
		}
		defer leave()
	}
	seen, err := a.freshAddress(ctx, held.AddressID)
	if err != nil {
		gone, err := a.absentAddress(ctx, held, err, action)
		return gone.Notices, err
	}
	if reservedAnew(held, seen) {
		return []Notice{a.anew(held, seen.ReservedAddress)}, nil
	}
	if JudgeMarks(seen.Marks, held.Key, held.Claim, a.settings.Owner).Delete == DropNoCall {
		return []Notice{a.addressRemoved(held, seen.ReservedAddress)}, nil
	}
	if err := a.release(ctx, held, action, &seen.ReservedAddress); err != nil {
		return nil, err
	}
	return nil, a.eraseRow(ctx, held, seen, action)
}

// release takes an address off the machine that this state put it on and gives it back. Known is as for place.
func (a *Account) release(ctx context.Context, held AddressHeld, action string, known *driver.ReservedAddress) error {
	api, err := capability[driver.Addresses](a, CapabilityAddresses, action)
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		placed, err := a.place(ctx, held, "", action, known)
		known = nil
		if a.isGone(err) {
			return nil
		}
		if err != nil {
			return notFreed(err)
		}
		if held.Prefix != "" {
			// It was never reserved: an address of the account's own prefix is free as soon as it is on no machine.
			return nil
		}
		err = a.persist(ctx, action, "", func(ctx context.Context) error { return api.Release(ctx, placed.address) })
		a.addresses.wrote(held.AddressID)
		if err == nil || a.isGone(err) {
			return a.awaitReleased(ctx, api, held, action)
		}
		if !a.mayRelease(err) || try >= fewTries {
			return err
		}
		if pause(ctx, interval(try)) != nil {
			return a.ended(ctx, action, held.object(), err)
		}
	}
}

// mayRelease says whether a refused release is worth another look: its answer was lost, or the vendor still sees the
// address on a machine.
func (a *Account) mayRelease(err error) bool {
	failure := a.describe(err)
	return failure.Outcome == driver.Unknown || failure.Code == driver.InvalidState
}

// notFreed makes the refusal to take an address off a foreign machine one of a destroy.
func notFreed(err error) error {
	if known, ok := errors.AsType[*Error](err); ok && known.Code == driver.Conflict && known.Status == 0 {
		known.Code = driver.InvalidState
		known.Advice = "Take it off that machine at the vendor if it is to be released, and destroy again. To keep it, take it out of the state (`removed` block or `state rm`)."
	}
	return err
}

// awaitReleased returns when neither the vendor's id nor its list shows the address.
func (a *Account) awaitReleased(ctx context.Context, api driver.Addresses, held AddressHeld, action string) error {
	for look := 0; ; look++ {
		gone, err := a.released(ctx, api, held)
		switch {
		case gone:
			return nil
		case err != nil && !a.passing(err):
			return a.explain(ctx, err, action, "")
		}
		if pause(ctx, interval(look)) != nil {
			return a.ended(ctx, action, held.object(), err)
		}
	}
}

func (a *Account) released(ctx context.Context, api driver.Addresses, held AddressHeld) (bool, error) {
	seen, err := api.GetAddress(ctx, held.AddressID)
	if err == nil {
		return reservedAnew(held, reservation{ReservedAddress: seen}), nil
	}
	if !a.isGone(err) {
		return false, err
	}
	current, err := a.addresses.list(ctx, a.addresses.now())
	if err != nil {
		return false, err
	}
	other, there := current.byID[held.AddressID]
	return !there || reservedAnew(held, other), nil
}

// eraseRow removes the row of an address that is gone.
func (a *Account) eraseRow(ctx context.Context, held AddressHeld, seen reservation, action string) error {
	rows, ok := a.driver.(driver.Rows)
	if !ok {
		return nil
	}
	row := driver.Row{Key: held.Key, Records: []driver.Record{driver.RecordOf(seen.ReservedAddress)}, Claims: []string{held.Claim}}
	if seen.row != nil {
		row = *seen.row
	}
	err := a.persistOnce(ctx, action, "", func(ctx context.Context) error { return rows.EraseRow(ctx, row) })
	a.addresses.wrote("row " + held.Key)
	return err
}

// addressesText names addresses for people.
func addressesText(addresses []driver.ReservedAddress) string {
	text := ""
	for i, address := range addresses {
		if i > 0 {
			text += ", "
		}
		text += address.Address
		if address.Holder != "" {
			text += fmt.Sprintf(" (on machine %s)", address.Holder)
		}
	}
	return text
}

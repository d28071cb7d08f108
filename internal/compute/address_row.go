// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// reserveInRow reserves at a vendor whose addresses bear no marks: an intent comes before the reserve, and the record
// after it. Nothing looks a lost answer up, so an intent without a record stops the create for as long as there are
// addresses that it may stand for.
func (a *Account) reserveInRow(ctx context.Context, order addressOrder, before *listing[reservation], found []reservation) (AddressMade, error) {
	rows, err := capability[driver.Rows](a, CapabilityRows, order.action)
	if err != nil {
		return AddressMade{}, err
	}
	// Only one reserve at a time leaves an address without a record in this process.
	leave, err := a.queue.enter(ctx, "reserve "+order.wish.Family+" in "+order.wish.Region)
	if err != nil {
		return AddressMade{}, a.ended(ctx, order.action, "", nil)
	}
	made, err := a.reserveRecorded(ctx, order, rows, before, found)
	leave()
	if err != nil || made.Adopted {
		return made, err
	}
	return a.settleAddress(ctx, order, made, nil)
}

func (a *Account) reserveRecorded(
	ctx context.Context, order addressOrder, rows driver.Rows, before *listing[reservation], found []reservation,
) (AddressMade, error) {
	for _, earlier := range found {
		appeared, err := a.clearEarlier(ctx, order, rows, *earlier.row)
		if err != nil {
			return AddressMade{}, err
		}
		if len(appeared) > 0 {
			return a.meetAddress(ctx, order, appeared)
		}
	}
	err := a.persist(ctx, order.action, "", func(ctx context.Context) error { return rows.OpenRow(ctx, order.wish.Key) })
	if err != nil {
		return AddressMade{}, err
	}
	reserved, err := a.draw(ctx, order, before)
	if err != nil {
		return AddressMade{}, a.afterLostReserve(ctx, order, rows, before, err)
	}
	made := madeOf(reserved, NewClaim(a.settings.Owner))
	made.Address.Marks = driver.Marks{Managed: true, Key: order.wish.Key, Creating: true}
	err = a.persistOnce(ctx, order.action, objectOfAddress(reserved.Address), func(ctx context.Context) error {
		return rows.RecordRow(ctx, order.wish.Key, driver.RecordOf(reserved.Address))
	})
	a.addresses.wrote(reserved.Address.ID)
	if err != nil {
		// The state that is saved now knows the address; what is missing of its row is written by the next update.
		return made, err
	}
	return made, nil
}

// persistOnce is persist for a write that does no harm when it is repeated: a lost answer is followed by one more try. It
// goes on when the command is interrupted: see surviving.
func (a *Account) persistOnce(ctx context.Context, action, object string, write func(context.Context) error) error {
	writing, done := surviving(ctx)
	defer done()
	var err error
	for range 2 {
		err = a.persist(writing, action, object, write)
		if err == nil || a.describe(err).Outcome != driver.Unknown {
			return err
		}
	}
	return err
}

// clearEarlier deals with the row that an earlier create has left: it waits until whatever that has reserved must show,
// refuses to go on at an intent that some address may belong to, answers the recorded address where it shows after all, and
// removes a row whose address is gone.
func (a *Account) clearEarlier(ctx context.Context, order addressOrder, rows driver.Rows, earlier driver.Row) ([]reservation, error) {
	intent := len(earlier.Records) == 0
	ends := time.Now().Add(a.Limits().IndexLag)
	for look := 0; ; look++ {
		current, err := a.addresses.list(ctx, a.addresses.now())
		if err != nil {
			return nil, a.explain(ctx, err, order.action, "")
		}
		if shown := sameKeyAddresses(current, order.wish.Key, ""); len(shown) > 0 {
			return shown, nil
		}
		if candidates := unrecorded(current, order, nil); intent && len(candidates) > 0 && order.prefix == nil {
			return nil, a.earlierReserve(order, candidates)
		}
		left := time.Until(ends)
		if left <= 0 || reservedByOthers(current, earlier) {
			break
		}
		if pause(ctx, min(left, interval(look))) != nil {
			return nil, a.ended(ctx, order.action, "", nil)
		}
	}
	if intent {
		return nil, nil
	}
	err := a.persistOnce(ctx, order.action, "", func(ctx context.Context) error { return rows.EraseRow(ctx, earlier) })
	a.addresses.wrote("row " + earlier.Key)
	return nil, err
}

// reservedByOthers says whether what a row records is there from another reservation: then there is nothing to wait for.
func reservedByOthers(current *listing[reservation], row driver.Row) bool {
	for _, record := range row.Records {
		if _, there := current.byID[record.Object]; !there {
			return false
		}
	}
	return len(row.Records) > 0
}

// unrecorded answers the addresses that a lost reserve may have made: of the same family and region, without a record,
// and not there before where that is known.
func unrecorded(current *listing[reservation], order addressOrder, before *listing[reservation]) []driver.ReservedAddress {
	var found []driver.ReservedAddress
	for _, r := range current.ordered() {
		if r.ID == "" || r.row != nil || r.Family != order.wish.Family || r.Region != order.wish.Region {
			continue
		}
		if before != nil {
			if _, known := before.byID[r.ID]; known {
				continue
			}
		}
		found = append(found, r.ReservedAddress)
	}
	return found
}

// draw reserves an address, or picks one out of the account's own prefix, which costs the vendor no request.
func (a *Account) draw(ctx context.Context, order addressOrder, before *listing[reservation]) (driver.Reservation, error) {
	if order.prefix == nil {
		return a.sendReserve(ctx, order)
	}
	api, err := capability[driver.Prefixes](a, CapabilityPrefixes, order.action)
	if err != nil {
		return driver.Reservation{}, err
	}
	used, err := api.PrefixInUse(ctx, order.prefix.ID)
	if err != nil {
		return driver.Reservation{}, a.explain(ctx, err, order.action, "")
	}
	for _, r := range before.byID {
		if r.row != nil {
			for _, record := range r.row.Records {
				used = append(used, record.Object)
			}
		}
	}
	address, free := pick(order.prefix.CIDR, order.wish.Key, used)
	if !free {
		return driver.Reservation{}, a.fault(driver.QuotaExceeded, "prefix", order.action,
			fmt.Sprintf("Every address of prefix %s is in use.", order.prefix.CIDR), "Release one, or use another prefix.")
	}
	found, err := order.api.GetAddress(ctx, address)
	return driver.Reservation{Address: found}, a.explain(ctx, err, order.action, "address "+address)
}

// afterLostReserve ends a reserve that failed. An intent stays only where an address may have been reserved.
func (a *Account) afterLostReserve(ctx context.Context, order addressOrder, rows driver.Rows, before *listing[reservation], failed error) error {
	if a.describe(failed).Outcome != driver.Unknown || order.prefix != nil {
		a.dropIntent(ctx, rows, order.wish.Key)
		return failed
	}
	looking, done := context.WithTimeout(context.WithoutCancel(ctx), writeDeadline)
	defer done()
	var candidates []driver.ReservedAddress
	for _, after := range []time.Duration{time.Second, 3 * time.Second, 8 * time.Second} {
		if pause(looking, after) != nil || len(candidates) > 0 {
			break
		}
		if current, err := a.addresses.list(looking, a.addresses.now()); err == nil {
			candidates = unrecorded(current, order, before)
		}
	}
	return a.mayBeReserved(order, failed, candidates)
}

// dropIntent takes back an intent that nothing has come of. Where that fails the next create meets it, and says so.
func (a *Account) dropIntent(ctx context.Context, rows driver.Rows, key string) {
	ending, done := detached(ctx)
	defer done()
	if err := rows.EraseRow(ending, driver.Row{Key: key}); err == nil {
		a.addresses.wrote("row " + key)
	}
}

// sameKeyAddresses answers the other addresses with a key.
func sameKeyAddresses(current *listing[reservation], key, own string) []reservation {
	return slices.DeleteFunc(current.withKey(key, keyOfReservation), func(r reservation) bool { return r.ID == "" || r.ID == own })
}

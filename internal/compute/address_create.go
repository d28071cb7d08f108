// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// addressOrder is a wish with everything looked up that the vendor wants to be told.
type addressOrder struct {
	wish  AddressWish
	api   driver.Addresses
	rules driver.AddressRules
	spec  driver.AddressSpec
	// prefix is set where the address is to be taken out of the account's own.
	prefix *driver.Prefix
	action string
}

// CreateAddress reserves the address that bears the wish's key and puts it on its machine, or carries on, adopts or
// refuses what bears the key already. It may be repeated after whatever happened to an earlier try.
func (a *Account) CreateAddress(ctx context.Context, wish AddressWish) (AddressMade, error) {
	leave, err := a.queue.enter(ctx, wish.Key)
	if err != nil {
		return AddressMade{}, a.ended(ctx, "create "+wish.object(), "", nil)
	}
	defer leave()
	defer a.creating.add(wish.Key)()
	a.quotas.start(driver.CountedAddresses)
	order, err := a.prepareAddress(ctx, wish)
	if err != nil {
		return AddressMade{}, err
	}
	current, err := a.addresses.list(ctx, a.lookupFrom())
	if err != nil {
		return AddressMade{}, a.explain(ctx, err, order.action, "")
	}
	if err := a.addressLeftover(order, current); err != nil {
		return AddressMade{}, err
	}
	found := current.withKey(wish.Key, keyOfReservation)
	there := slices.DeleteFunc(slices.Clone(found), func(r reservation) bool { return r.ID == "" })
	switch {
	case len(there) > 0:
		return a.meetAddress(ctx, order, there)
	case a.Has(CapabilityRows):
		return a.reserveInRow(ctx, order, current, found)
	}
	return a.reserveMarked(ctx, order)
}

// lookupFrom is the age of a list that a create may look its key up in.
func (a *Account) lookupFrom() age {
	since := time.Now().Add(-lookupAge)
	if since.Before(a.settings.Opened) {
		since = a.settings.Opened
	}
	return age{since: since}
}

func (a *Account) prepareAddress(ctx context.Context, wish AddressWish) (addressOrder, error) {
	order := addressOrder{wish: wish, action: "create " + wish.object()}
	if err := a.CheckAddress(wish); err != nil {
		return order, err
	}
	order.wish.Region = cmp.Or(wish.Region, a.Region())
	order.api, _ = a.driver.(driver.Addresses)
	order.rules = order.api.AddressRules()
	order.spec = driver.AddressSpec{
		Name: vendorName(wish.Name, wish.Key), Description: wish.Description, Family: wish.Family, Region: order.wish.Region,
	}
	if wish.Prefix == "" {
		return order, nil
	}
	prefix, err := a.prefix(ctx, wish.Prefix, order.wish.Region)
	order.prefix = &prefix
	return order, err
}

// addressLeftover refuses what an earlier, interrupted create of this resource left behind with other arguments.
func (a *Account) addressLeftover(order addressOrder, current *listing[reservation]) error {
	for _, other := range current.ordered() {
		marks := other.Marks
		part, _, _ := strings.Cut(marks.Claim, "-")
		if marks.Creating && marks.Key != order.wish.Key && marks.Account == a.settings.Reference.ID && AddressName(other.ReservedAddress) == order.wish.Name &&
			part == ownerPart(a.settings.Owner) && !a.creating.has(marks.Key) {
			return a.leftoverConflict(order.action, claimedAddress(other.ReservedAddress))
		}
	}
	return nil
}

// reserveMarked reserves at a vendor whose addresses bear our marks.
func (a *Account) reserveMarked(ctx context.Context, order addressOrder) (AddressMade, error) {
	order.spec.Marks = a.marks(order.wish.Key, NewClaim(a.settings.Owner), true)
	reserved, err := a.sendReserve(ctx, order)
	if err != nil {
		return a.afterReserve(ctx, order, err)
	}
	return a.settleAddress(ctx, order, madeOf(reserved, order.spec.Marks.Claim), reserved.Operations)
}

func madeOf(reserved driver.Reservation, claim string) AddressMade {
	return AddressMade{Address: reserved.Address, Claim: claim, Proof: reserved.Proof, Unfinished: true}
}

// sendReserve sends the one request that reserves. It is sent again only when the vendor said that it was too busy.
func (a *Account) sendReserve(ctx context.Context, order addressOrder) (driver.Reservation, error) {
	var reserved driver.Reservation
	err := a.persist(ctx, order.action, "", func(ctx context.Context) error {
		var err error
		reserved, err = order.api.Reserve(ctx, order.spec)
		return err
	})
	if err == nil {
		a.addresses.reserved(reserved.Address)
	}
	return reserved, err
}

// afterReserve finds out what became of a reserve whose request failed, by the key that the address bears.
func (a *Account) afterReserve(ctx context.Context, order addressOrder, failed error) (AddressMade, error) {
	failure := a.describe(failed)
	switch {
	case failure.Outcome == driver.Unknown:
		return a.recoverReserve(ctx, order, failed)
	case failure.Reason == driver.ReasonNameTaken:
		if found := a.addressesWithKey(ctx, order.wish.Key); len(found) > 0 {
			return a.meetAddress(ctx, order, found)
		}
	}
	return AddressMade{}, failed
}

// addressesWithKey looks now, on a context of its own.
func (a *Account) addressesWithKey(ctx context.Context, key string) []reservation {
	reading, done := detached(ctx)
	defer done()
	current, err := a.addresses.list(reading, a.addresses.now())
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(current.withKey(key, keyOfReservation), func(r reservation) bool { return r.ID == "" })
}

// recoverReserve looks for the address that a lost answer may have reserved. It never sends the reserve again.
func (a *Account) recoverReserve(ctx context.Context, order addressOrder, failed error) (AddressMade, error) {
	looking, done := context.WithTimeout(context.WithoutCancel(ctx), writeDeadline)
	defer done()
	for _, after := range []time.Duration{time.Second, 3 * time.Second, 8 * time.Second} {
		if pause(looking, after) != nil {
			break
		}
		found := a.addressesWithKey(looking, order.wish.Key)
		switch {
		case len(found) == 1 && found[0].Marks.Claim == order.spec.Marks.Claim:
			made := madeOf(driver.Reservation{Address: found[0].ReservedAddress}, order.spec.Marks.Claim)
			return a.settleAddress(ctx, order, made, nil)
		case len(found) > 0:
			return a.meetAddress(ctx, order, found)
		}
	}
	return AddressMade{}, a.mayBeReserved(order, failed, nil)
}

// settleAddress waits for an address that is being reserved, puts it on its machine, says what it resolves to, and
// completes its marks.
func (a *Account) settleAddress(ctx context.Context, order addressOrder, made AddressMade, operations []driver.Operation) (AddressMade, error) {
	if err := a.await(ctx, operations, order.action, objectOfAddress(made.Address)); err != nil {
		return a.failAddress(ctx, made, err)
	}
	placed, err := a.place(ctx, order.held(made), order.wish.MachineID, order.action, &made.Address)
	made.take(placed)
	if err == nil {
		err = a.nameAddress(ctx, &made.Address, order.wish.ReverseDNS, order.action)
	}
	if err != nil {
		return a.failAddress(ctx, made, err)
	}
	return a.completeAddress(ctx, order, made)
}

// held is what place judges an address by that is being created.
func (o addressOrder) held(made AddressMade) AddressHeld {
	return AddressHeld{
		AddressID: made.Address.ID, Address: made.Address.Address, Key: o.wish.Key, Name: o.wish.Name, Claim: made.Claim,
		Fingerprint: made.Address.Fingerprint, Placed: made.Placed, Prefix: o.wish.Prefix,
	}
}

// failAddress ends a create that knows its address. What is there is let go of by `creating`, since the state that is
// saved now owns it.
func (a *Account) failAddress(ctx context.Context, made AddressMade, failed error) (AddressMade, error) {
	ending, done := lastWords(ctx)
	defer done()
	seen, err := a.freshAddress(ending, made.Address.ID)
	if err != nil {
		if a.isGone(err) && !errors.Is(failed, ErrInterrupted) {
			return AddressMade{}, failed
		}
		return made, failed
	}
	made.Address = seen.ReservedAddress
	if !seen.Marks.Creating || seen.Marks.Claim != "" && seen.Marks.Claim != made.Claim {
		return made, failed
	}
	marks := a.marks(seen.Marks.Key, made.Claim, false)
	if err := a.writeMarks(ending, &seen, seen.Name, seen.Description, marks); err == nil {
		made.Address = seen.ReservedAddress
	}
	return made, failed
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// meetAddress deals with what bears the wish's key already, by the same rules as for machines.
func (a *Account) meetAddress(ctx context.Context, order addressOrder, found []reservation) (AddressMade, error) {
	if len(found) > 1 {
		all := make([]claimed, len(found))
		for i, one := range found {
			all[i] = claimedAddress(one.ReservedAddress)
		}
		return AddressMade{}, a.twins(order.action, all)
	}
	seen := found[0]
	if err := a.mayTakeAddress(order, seen); err != nil {
		return AddressMade{}, err
	}
	leave, err := a.queue.enter(ctx, seen.ID)
	if err != nil {
		return AddressMade{}, a.ended(ctx, order.action, objectOfAddress(seen.ReservedAddress), nil)
	}
	defer leave()
	return a.takeAddress(ctx, order, seen)
}

func (a *Account) mayTakeAddress(order addressOrder, seen reservation) error {
	if !seen.Marks.Creating && !sameOwner(seen.Marks.Claim, a.settings.Owner) {
		return a.foreignClaim(order.action, claimedAddress(seen.ReservedAddress))
	}
	var differs []string
	if seen.Family != order.wish.Family {
		differs = append(differs, fmt.Sprintf("its family is %s, planned is %s", seen.Family, order.wish.Family))
	}
	if seen.Region != order.wish.Region {
		differs = append(differs, fmt.Sprintf("its region is %s, planned is %s", seen.Region, order.wish.Region))
	}
	if seen.Holder != "" && seen.Holder != order.wish.MachineID {
		differs = append(differs, fmt.Sprintf("it is on machine %s, planned is %s", seen.Holder, orNone(order.wish.MachineID)))
	}
	if len(differs) > 0 {
		return a.cannotBring(order.action, claimedAddress(seen.ReservedAddress), strings.Join(differs, "; "))
	}
	return nil
}

func orNone(machineID string) string {
	if machineID == "" {
		return "none"
	}
	return machineID
}

// takeAddress writes our claim, after one more look right before, and goes on only if it stays.
func (a *Account) takeAddress(ctx context.Context, order addressOrder, before reservation) (AddressMade, error) {
	action := "take over " + objectOfAddress(before.ReservedAddress)
	if err := a.letReserveFinish(ctx, before, action); err != nil {
		return AddressMade{}, err
	}
	made := AddressMade{Claim: NewClaim(a.settings.Owner), Unfinished: true, Adopted: true, Placed: before.Holder}
	seen, err := a.freshAddress(ctx, before.ID)
	if err != nil {
		return AddressMade{}, a.explain(ctx, err, action, "")
	}
	if seen.Marks != before.Marks {
		return AddressMade{}, a.lostRace(order.action, claimedAddress(seen.ReservedAddress))
	}
	marks := a.marks(order.wish.Key, made.Claim, seen.Marks.Creating)
	if err := a.writeMarks(ctx, &seen, seen.Name, seen.Description, marks); err != nil {
		return AddressMade{}, err
	}
	made.Address = seen.ReservedAddress
	made.Notices = append(made.Notices, addressTaken(before.ReservedAddress))
	if err := pause(ctx, takeOverPause); err != nil {
		return a.failAddress(ctx, made, a.ended(ctx, action, "", nil))
	}
	seen, err = a.awaitReservation(ctx, before.ID, action, func(now reservation) bool { return now.Marks.Claim != before.Marks.Claim })
	if err != nil {
		return a.failAddress(ctx, made, err)
	}
	if seen.Marks.Claim != made.Claim {
		return AddressMade{}, a.loseAddress(ctx, order, made, seen)
	}
	made.Address = seen.ReservedAddress
	return a.settleAddress(ctx, order, made, nil)
}

// letReserveFinish gives a create that may still be alive in another process the time to come to its end.
func (a *Account) letReserveFinish(ctx context.Context, seen reservation, action string) error {
	if !seen.Marks.Creating || time.Since(seen.ReservedAt) > writeDeadline && !seen.ReservedAt.IsZero() {
		return nil
	}
	if pause(ctx, 2*longestInterval) != nil {
		return a.ended(ctx, action, "", nil)
	}
	return nil
}

func addressTaken(address driver.ReservedAddress) Notice {
	object := capital(objectOfAddress(address))
	if address.Marks.Creating {
		return Notice{
			Summary: "An interrupted create was carried on",
			Detail: object + " was reserved by a create that did not come to its end. It bears this resource's key and was taken over; " +
				"no second address was reserved.",
		}
	}
	return Notice{
		Summary: "An address that this state had lost was taken back",
		Detail:  object + " was reserved under the same owner and bears this resource's key. It was adopted; no second address was reserved.",
	}
}

// completeAddress is the end of every create: read, write the marks without `creating`, read again. Whoever finds another
// claim has lost, saves nothing and writes nothing more.
func (a *Account) completeAddress(ctx context.Context, order addressOrder, made AddressMade) (AddressMade, error) {
	seen, err := a.awaitReservation(ctx, made.Address.ID, order.action, func(now reservation) bool { return !now.unseen })
	if err != nil {
		return a.failAddress(ctx, made, err)
	}
	if twins := a.twinsOfAddress(ctx, order, made); len(twins) > 0 {
		return a.giveAddressBack(ctx, order, made, twins)
	}
	if seen.row == nil && seen.Marks.Claim != made.Claim || seen.row != nil && seen.Marks.Key != order.wish.Key {
		return AddressMade{}, a.loseAddress(ctx, order, made, seen)
	}
	err = a.writeMarks(ctx, &seen, order.spec.Name, order.wish.Description, a.marks(order.wish.Key, made.Claim, false))
	if err != nil {
		return a.failAddress(ctx, made, err)
	}
	seen, err = a.awaitReservation(ctx, made.Address.ID, order.action, func(now reservation) bool {
		return !now.Marks.Creating || now.Marks.Claim != made.Claim && now.Marks.Claim != ""
	})
	if err != nil {
		return a.failAddress(ctx, made, err)
	}
	if seen.Marks.Claim != made.Claim || seen.Marks.Key != order.wish.Key {
		return AddressMade{}, a.loseAddress(ctx, order, made, seen)
	}
	made.Address, made.Unfinished = seen.ReservedAddress, false
	a.leaveProof(ctx, &made)
	return made, nil
}

// twinsOfAddress answers the other addresses of the same key: at a vendor without unique names two processes may reserve
// one each, and the later one sees both.
func (a *Account) twinsOfAddress(ctx context.Context, order addressOrder, made AddressMade) []reservation {
	if made.Adopted || !a.Has(CapabilityRows) {
		return nil
	}
	current, err := a.addresses.list(ctx, age{after: a.addresses.moment(made.Address.ID)})
	if err != nil {
		return nil
	}
	return sameKeyAddresses(current, order.wish.Key, made.Address.ID)
}

// giveAddressBack releases what this create has just reserved, since another apply did the same.
func (a *Account) giveAddressBack(ctx context.Context, order addressOrder, made AddressMade, twins []reservation) (AddressMade, error) {
	if err := a.release(ctx, order.held(made), order.action, nil); err != nil {
		return a.failAddress(ctx, made, err)
	}
	rows, err := capability[driver.Rows](a, CapabilityRows, order.action)
	if err != nil {
		return AddressMade{}, err
	}
	record := driver.RecordOf(made.Address)
	err = a.persistOnce(ctx, order.action, "", func(ctx context.Context) error { return rows.EraseRecord(ctx, order.wish.Key, record) })
	if err != nil {
		return AddressMade{}, err
	}
	return AddressMade{}, a.conflict("name", order.action,
		fmt.Sprintf("Another apply reserved the same address at the same moment: %s bears this key too. The one that was reserved here, %s, was released again.",
			objectOfAddress(twins[0].ReservedAddress), objectOfAddress(made.Address)),
		"If both applies work for the same state, run plan again. Else choose another name, tenant_id or idempotency_key in one of them.")
}

// loseAddress ends a create or take-over whose claim does not hold. Where claims stand side by side it takes its own off,
// and nothing else.
func (a *Account) loseAddress(ctx context.Context, order addressOrder, made AddressMade, seen reservation) error {
	lost := a.lostRace(order.action, claimedAddress(seen.ReservedAddress))
	rows, ok := a.driver.(driver.Rows)
	if !ok {
		return lost
	}
	err := a.persistOnce(ctx, order.action, "", func(ctx context.Context) error {
		if seen.Marks.Key == order.wish.Key {
			return rows.WithdrawRow(ctx, order.wish.Key, made.Claim)
		}
		// Another row has recorded the same address: ours is the one too many.
		return rows.EraseRow(ctx, driver.Row{
			Key: order.wish.Key, Records: []driver.Record{driver.RecordOf(seen.ReservedAddress)}, Claims: []string{made.Claim},
		})
	})
	a.addresses.wrote(seen.ID)
	if err != nil {
		return err
	}
	return lost
}

// awaitReservation reads the address until it is as wanted.
func (a *Account) awaitReservation(ctx context.Context, id, action string, wanted func(reservation) bool) (reservation, error) {
	for look := 0; ; look++ {
		seen, err := a.addressAt(ctx, id, look)
		switch {
		case err == nil && wanted(seen):
			return seen, nil
		case err != nil && !a.passing(err):
			return seen, a.explain(ctx, err, action, "")
		}
		if pause(ctx, interval(look)) != nil {
			return seen, a.ended(ctx, action, "", err)
		}
	}
}

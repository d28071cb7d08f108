// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"fmt"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// addressCases are for vendors that have addresses; the others pass them by.
func addressCases() []testCase {
	cases := []testCase{
		{"an address goes through its life on machines", (*scene).addressLife},
		{"an address is reserved once", (*scene).addressOnce},
		{"an interrupted reserve is carried on", (*scene).addressCarriedOn},
		{"an address on a foreign machine is left there", (*scene).addressForeign},
		{"an address is deleted after its machine", (*scene).addressAfterMachine},
		{"an address resolves to the name that it is given", (*scene).addressReverse},
	}
	for _, row := range compute.Judgements {
		if row.Sight == compute.SightReused {
			// Ids of addresses are never given again.
			continue
		}
		cases = append(cases, testCase{"address: " + string(row.Sight), func(s *scene) { s.judgeAddress(row) }})
	}
	for i, one := range cases {
		cases[i].run = func(s *scene) {
			if s.account("").Has(compute.CapabilityAddresses) {
				one.run(s)
			}
		}
	}
	return cases
}

func (s *scene) addressWish(family, machineID string) compute.AddressWish {
	s.counter++
	name := fmt.Sprintf("%s-%d", s.subject.Prefix, s.counter)
	identity := compute.AddressIdentity{Tenant: "drivertest", AccountID: s.subject.Reference.ID, Name: name, Family: family}
	s.keys = append(s.keys, identity.ID())
	return compute.AddressWish{Key: identity.ID(), Name: name, Description: "drivertest", Tenant: "drivertest", Family: family, MachineID: machineID}
}

func heldAddress(made compute.AddressMade, wish compute.AddressWish) compute.AddressHeld {
	return compute.AddressHeld{
		AddressID: made.Address.ID, Address: made.Address.Address, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof,
		Fingerprint: made.Address.Fingerprint, Placed: made.Placed, Prefix: wish.Prefix,
	}
}

func (s *scene) reserve(account *compute.Account, wish compute.AddressWish) compute.AddressHeld {
	s.Helper()
	made, err := account.CreateAddress(s.ctx, wish)
	if err != nil {
		s.Fatalf("create %s: %v", wish.Name, err)
	}
	return heldAddress(made, wish)
}

func (s *scene) seeAddress(id string) driver.ReservedAddress {
	s.Helper()
	s.settle()
	address, err := able[driver.Addresses](s).GetAddress(s.ctx, id)
	if err != nil {
		s.Fatalf("get address %s: %v", id, err)
	}
	return address
}

func (s *scene) addressLife() {
	account := s.account("")
	first, second := s.create(account, s.wish()), s.create(account, s.wish())
	for _, family := range able[driver.Addresses](s).AddressRules().Families {
		held := s.reserve(account, s.addressWish(family, first.Machine.ID))
		if seen := s.seeAddress(held.AddressID); seen.Holder != first.Machine.ID || seen.Family != family || seen.Region == "" {
			s.Errorf("after the create the address is %+v", seen)
		}
		for _, target := range []string{second.Machine.ID, "", first.Machine.ID} {
			made, err := account.UpdateAddress(s.ctx, held, compute.AddressChange{Move: true, MachineID: target})
			if err != nil {
				s.Fatalf("move to %q: %v", target, err)
			}
			held.Placed = made.Placed
			if seen := s.seeAddress(held.AddressID); seen.Holder != target || made.Placed != target {
				s.Errorf("moved to %q, the address is on %q, and Placed says %q", target, seen.Holder, made.Placed)
			}
		}
		s.deleteAddressTwice(account, held)
	}
}

func (s *scene) deleteAddressTwice(account *compute.Account, held compute.AddressHeld) {
	s.Helper()
	for range 2 {
		if _, err := account.DeleteAddress(s.ctx, held); err != nil {
			s.Fatalf("delete: %v", err)
		}
	}
	if _, err := able[driver.Addresses](s).GetAddress(s.ctx, held.AddressID); s.driver.Describe(err).Code != driver.NotFound {
		s.Errorf("after the delete, get answers %v", err)
	}
	if at := slices.IndexFunc(s.rows(s.ctx), func(row driver.Row) bool { return row.Key == held.Key }); at >= 0 {
		s.Errorf("after the delete its row is there: %+v", s.rows(s.ctx)[at])
	}
}

func (s *scene) rows(ctx context.Context) []driver.Row {
	s.Helper()
	keeper, ok := s.driver.(driver.Rows)
	if !ok {
		return nil
	}
	rows, err := keeper.ListRows(ctx)
	if err != nil {
		s.Fatalf("list rows: %v", err)
	}
	return rows
}

func (s *scene) addressOnce() {
	wish := s.addressWish("ipv4", "")
	held := s.reserve(s.account("shop"), wish)
	_, err := s.account("").CreateAddress(s.ctx, wish)
	s.wantCode(err, driver.Conflict)
	again, err := s.account("shop").CreateAddress(s.ctx, wish)
	if err != nil || again.Address.ID != held.AddressID || !again.Adopted || len(again.Notices) == 0 {
		s.Errorf("the owner's second create: %+v, %v", again, err)
	}
}

func (s *scene) addressCarriedOn() {
	wish := s.addressWish("ipv4", "")
	held := s.reserve(s.account(""), wish)
	s.tamperAddress(held, func(marks *driver.Marks) { marks.Creating = true })
	again, err := s.account("").CreateAddress(s.ctx, wish)
	if err != nil || again.Address.ID != held.AddressID || again.Unfinished {
		s.Errorf("the second create: %+v, %v", again, err)
	}
}

func (s *scene) addressForeign() {
	account := s.account("")
	first, second := s.create(account, s.wish()), s.create(account, s.wish())
	held := s.reserve(account, s.addressWish("ipv4", first.Machine.ID))
	// Another state has moved it: for this one it is on a machine that it did not put it on.
	moved, err := account.UpdateAddress(s.ctx, held, compute.AddressChange{Move: true, MachineID: second.Machine.ID})
	if err != nil {
		s.Fatal(err)
	}
	_, err = account.UpdateAddress(s.ctx, held, compute.AddressChange{Move: true, MachineID: first.Machine.ID})
	s.wantCode(err, driver.Conflict)
	_, err = account.DeleteAddress(s.ctx, held)
	s.wantCode(err, driver.InvalidState)
	if seen := s.seeAddress(held.AddressID); seen.Holder != moved.Placed {
		s.Errorf("the address is on %q", seen.Holder)
	}
}

func (s *scene) addressAfterMachine() {
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	held := s.reserve(account, s.addressWish("ipv4", made.Machine.ID))
	if _, err := account.Delete(s.ctx, heldOf(made, wish), 0); err != nil {
		s.Fatal(err)
	}
	s.deleteAddressTwice(account, held)
}

// tamperAddress writes marks behind the account's back.
func (s *scene) tamperAddress(held compute.AddressHeld, change func(*driver.Marks)) {
	s.Helper()
	address := s.seeAddress(held.AddressID)
	marks := driver.Marks{Managed: true, Key: held.Key, Account: s.subject.Reference.ID, Claim: held.Claim}
	change(&marks)
	if marker, ok := s.driver.(driver.MarkAddress); ok && !s.account("").Has(compute.CapabilityRows) {
		if _, err := marker.MarkAddress(s.ctx, address, address.Name, address.Description, marks); err != nil {
			s.Fatalf("mark %s: %v", held.AddressID, err)
		}
		return
	}
	keeper := able[driver.Rows](s)
	for _, row := range s.rows(s.ctx) {
		if row.Key == held.Key {
			s.must(keeper.EraseRow(s.ctx, row))
		}
	}
	if marks.Key == "" {
		return
	}
	s.keys = append(s.keys, marks.Key)
	s.must(keeper.OpenRow(s.ctx, marks.Key))
	s.must(keeper.RecordRow(s.ctx, marks.Key, driver.RecordOf(address)))
	if marks.Claim != "" && !marks.Creating {
		s.must(keeper.ClaimRow(s.ctx, marks.Key, marks.Claim, nil))
	}
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// releaseAll gives back the addresses of this run and removes their rows.
func (s *scene) releaseAll(ctx context.Context) {
	api, ok := s.driver.(driver.Addresses)
	if !ok || len(s.keys) == 0 {
		return
	}
	mine := map[string]bool{}
	for _, row := range s.rows(ctx) {
		if slices.Contains(s.keys, row.Key) {
			for _, record := range row.Records {
				mine[record.Object] = true
			}
			s.must(able[driver.Rows](s).EraseRow(ctx, row))
		}
	}
	addresses, err := api.ListAddresses(ctx)
	s.must(err)
	for _, address := range addresses {
		if !mine[address.ID] && !slices.Contains(s.keys, address.Marks.Key) && !slices.Contains(s.unmarked, address.ID) {
			continue
		}
		held := compute.AddressHeld{AddressID: address.ID, Address: address.Address, Key: address.Marks.Key, Claim: address.Marks.Claim, Placed: address.Holder}
		if _, err := s.account("").DeleteAddress(ctx, held); err != nil {
			s.Errorf("release %s: %v", address.Address, err)
		}
	}
}

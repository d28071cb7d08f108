// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// reservation is an address with its marks, or, without an ID, a row whose address is not there.
type reservation struct {
	driver.ReservedAddress
	// row is where the vendor's marks of it are kept, nil where they are on the address itself or there are none.
	row *driver.Row
	// unseen says that no read shows the address yet: this is how the vendor answered its reserve.
	unseen bool
}

func (r reservation) listID() string {
	if r.ID != "" {
		return r.ID
	}
	return "row " + r.row.Key
}

func olderReservation(a, b reservation) int {
	return cmp.Or(a.ReservedAt.Compare(b.ReservedAt), compareIDs(a.listID(), b.listID()))
}

// addresses serves reads of addresses from one list of the whole account, with the rows of vendors that need them.
type addresses struct {
	*lists[reservation]
	account *Account
	// young are the addresses that this process has reserved, for as long as no read has shown them.
	young map[string]young
}

// young is an address as the vendor answered its reserve.
type young struct {
	address driver.ReservedAddress
	since   time.Time
}

func newAddresses(account *Account) *addresses {
	s := &addresses{account: account, young: map[string]young{}}
	s.lists = newLists(s.all, reservation.listID, olderReservation)
	return s
}

func (s *addresses) all(ctx context.Context) ([]reservation, error) {
	api, err := capability[driver.Addresses](s.account, CapabilityAddresses, "list addresses")
	if err != nil {
		return nil, err
	}
	found, err := api.ListAddresses(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]reservation, len(found))
	for i, address := range found {
		all[i].ReservedAddress = address
	}
	keeper, ok := s.account.driver.(driver.Rows)
	if !ok {
		return all, nil
	}
	rows, err := keeper.ListRows(ctx)
	if err != nil {
		return nil, err
	}
	return s.join(ctx, api, all, rows)
}

// join gives addresses the marks of their rows. What a row records and no list shows is asked for: addresses out of an
// account's own prefix may be there without being listed.
func (s *addresses) join(ctx context.Context, api driver.Addresses, all []reservation, rows []driver.Row) ([]reservation, error) {
	slices.SortFunc(rows, func(a, b driver.Row) int {
		// Of two rows with one record the one that a state owns holds.
		return cmp.Or(cmp.Compare(min(1, len(b.Claims)), min(1, len(a.Claims))), cmp.Compare(a.Key, b.Key))
	})
	for _, row := range rows {
		if !strings.HasPrefix(row.Key, "paddr_") {
			continue
		}
		alive := false
		for _, record := range row.Records {
			at, err := s.find(ctx, api, &all, record)
			if err != nil {
				return nil, err
			}
			if at >= 0 && all[at].row == nil {
				all[at].mark(row)
				alive = true
			}
		}
		if !alive {
			all = append(all, reservation{row: &row})
		}
	}
	return all, nil
}

// find answers where in all the recorded address is, -1 when it is gone or has been reserved anew since.
func (s *addresses) find(ctx context.Context, api driver.Addresses, all *[]reservation, record driver.Record) (int, error) {
	at := slices.IndexFunc(*all, func(other reservation) bool { return other.ID == record.Object })
	if at < 0 {
		address, err := api.GetAddress(ctx, record.Object)
		if err != nil {
			if s.account.isGone(err) {
				return -1, nil
			}
			return -1, err
		}
		*all = append(*all, reservation{ReservedAddress: address})
		at = len(*all) - 1
	}
	if driver.RecordOf((*all)[at].ReservedAddress) != record {
		return -1, nil
	}
	return at, nil
}

// mark puts the row's marks on the address. A row without a claim is that of a create under way.
func (r *reservation) mark(row driver.Row) {
	r.row = &row
	r.Marks = driver.Marks{Managed: true, Key: row.Key, Creating: len(row.Claims) == 0}
	if len(row.Claims) > 0 {
		r.Marks.Claim, r.OtherClaims = row.Claims[0], row.Claims[1:]
	}
}

// get answers one address, no older than wanted and than its last write: from the list, or by its id where the list does
// not have it.
func (s *addresses) get(ctx context.Context, id string, wanted age) (reservation, error) {
	api, err := capability[driver.Addresses](s.account, CapabilityAddresses, "read an address")
	if err != nil {
		return reservation{}, err
	}
	current, err := s.list(ctx, s.notBeforeWrite(id, wanted))
	if err != nil {
		return reservation{}, err
	}
	if address, there := current.byID[id]; there {
		s.shown(id)
		return address, nil
	}
	address, err := api.GetAddress(ctx, id)
	found := reservation{ReservedAddress: address}
	if err != nil {
		known, may := s.mayAppear(id)
		if !may || !s.account.isGone(err) {
			return reservation{}, err
		}
		found = reservation{ReservedAddress: known, unseen: true}
	} else {
		s.shown(id)
	}
	for _, other := range current.byID {
		if other.ID == "" && slices.Contains(other.row.Records, driver.RecordOf(found.ReservedAddress)) {
			found.mark(*other.row)
		}
	}
	return found, nil
}

// reserved notes that an address was reserved just now: for a moment it may not show.
func (s *addresses) reserved(address driver.ReservedAddress) {
	s.wrote(address.ID)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.young[address.ID] = young{address, time.Now()}
}

func (s *addresses) shown(id string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.young, id)
}

// mayAppear answers an address that is not found and was reserved so recently that it may not show yet.
func (s *addresses) mayAppear(id string) (driver.ReservedAddress, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known, there := s.young[id]
	return known.address, there && time.Since(known.since) < s.account.Limits().AppearLag
}

// addressAt answers one address to somebody who has just written it: the first look takes any list that began after that,
// so that many who write at the same time share one; the looks after it begin anew.
func (a *Account) addressAt(ctx context.Context, id string, look int) (reservation, error) {
	if look == 0 {
		return a.addresses.get(ctx, id, age{since: a.settings.Opened})
	}
	return a.freshAddress(ctx, id)
}

// freshAddress answers one address by a read that begins now.
func (a *Account) freshAddress(ctx context.Context, id string) (reservation, error) {
	return a.addresses.get(ctx, id, a.addresses.now())
}

// withKey answers the addresses that bear a key, and the key's row where it has none of them.
func (l *listing[T]) withKey(key string, keyOf func(T) string) []T {
	return slices.DeleteFunc(l.ordered(), func(object T) bool { return keyOf(object) != key })
}

func keyOfReservation(r reservation) string {
	if r.ID == "" {
		return r.row.Key
	}
	return r.Marks.Key
}

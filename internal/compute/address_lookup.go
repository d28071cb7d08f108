// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

var addressIDPattern = regexp.MustCompile(`^paddr_[0-9a-hjkmnp-tv-z]{52}$`)

// LookupAddress finds the address that an import names: by our id, the address, the vendor's id, or its name. NOT_FOUND
// when there is none, CONFLICT when there are several.
func (a *Account) LookupAddress(ctx context.Context, object string) (driver.ReservedAddress, error) {
	action := "find address " + object
	current, err := a.addresses.list(ctx, a.addresses.now())
	if err != nil {
		return driver.ReservedAddress{}, a.explain(ctx, err, action, "")
	}
	var found []driver.ReservedAddress
	for _, r := range current.ordered() {
		if r.ID != "" && names(object, r.ReservedAddress) {
			found = append(found, r.ReservedAddress)
		}
	}
	if len(found) == 0 && !addressIDPattern.MatchString(object) {
		if found, err = a.unlisted(ctx, object, action); err != nil {
			return driver.ReservedAddress{}, err
		}
	}
	switch len(found) {
	case 0:
		return driver.ReservedAddress{}, a.fault(driver.NotFound, "", action,
			fmt.Sprintf("Account %s (%s) shows no address with this id, name or number.", a.settings.Reference.ID, a.title()),
			"Check the object and the account: the place that the token sees is the only one that was looked at.")
	case 1:
		return found[0], nil
	}
	all := make([]claimed, len(found))
	for i, address := range found {
		all[i] = claimedAddress(address)
	}
	return driver.ReservedAddress{}, a.conflict("", action, "Several addresses match: "+objectsOf(all)+".", "Name one by the address.")
}

// names says whether a text means an address: its number in any spelling, an id, or a name.
func names(object string, address driver.ReservedAddress) bool {
	if written, err := netip.ParseAddr(object); err == nil {
		shown, err := netip.ParseAddr(address.Address)
		return err == nil && written == shown
	}
	return object == address.ID || object == address.Marks.Key || object == address.Name || object == AddressName(address)
}

// unlisted asks for an address that no list shows, such as one out of the account's own prefix.
func (a *Account) unlisted(ctx context.Context, object, action string) ([]driver.ReservedAddress, error) {
	address, err := a.addresses.get(ctx, object, a.addresses.now())
	if err == nil {
		return []driver.ReservedAddress{address.ReservedAddress}, nil
	}
	switch a.describe(err).Code {
	case driver.NotFound, driver.InvalidInput:
		return nil, nil
	default:
		return nil, a.explain(ctx, err, action, "")
	}
}

// ListedAddress is one entry of what an account holds or may hold.
type ListedAddress struct {
	// Address has no ID where there is only an intent, which may have left an address behind, or a dead row.
	Address driver.ReservedAddress
	// Key is our id; empty where the address has no row.
	Key string
	// Owned says that a state owns it.
	Owned bool
}

// ManagedAddresses answers what bears this account's marks, oldest first, read now. Where marks are rows it also answers
// rows without an address and addresses without a row: what has leaked shows here.
func (a *Account) ManagedAddresses(ctx context.Context) ([]ListedAddress, error) {
	current, err := a.addresses.list(ctx, a.addresses.now())
	if err != nil {
		return nil, a.explain(ctx, err, "list addresses", "")
	}
	var found []ListedAddress
	for _, r := range current.ordered() {
		if a.Has(CapabilityRows) || r.Marks.Account == a.settings.Reference.ID {
			found = append(found, ListedAddress{
				Address: r.ReservedAddress, Key: keyOfReservation(r), Owned: r.ID != "" && r.Marks.Key != "" && !r.Marks.Creating,
			})
		}
	}
	return found, nil
}

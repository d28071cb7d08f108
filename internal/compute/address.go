// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// The families of addresses.
const (
	FamilyIPv4 = "ipv4"
	FamilyIPv6 = "ipv6"
)

// AddressIdentity is what the id of an address is made of: arguments as they are written, null and empty being the same.
type AddressIdentity struct {
	Tenant, AccountID string
	// IdempotencyKey, where set, takes the place of everything below.
	IdempotencyKey               string
	Name, Region, Family, Prefix string
}

// ID answers the id of the address: paddr_ and 52 characters.
func (identity AddressIdentity) ID() string {
	if identity.IdempotencyKey != "" {
		return hashID("paddr", identity.Tenant, identity.AccountID, "idempotency_key", identity.IdempotencyKey)
	}
	return hashID("paddr", identity.Tenant, identity.AccountID, "name", identity.Name, identity.Region, identity.Family, identity.Prefix)
}

// UnmarkedAddressID answers the id of an address that was imported without any mark of ours.
func UnmarkedAddressID(accountID, addressID string) string {
	return hashID("paddr", accountID, "address", addressID)
}

// AddressWish is an address as it is planned.
type AddressWish struct {
	Key, Name, Description string
	// Tenant is the one that the address belongs to.
	Tenant string
	// Region is empty for the account's own.
	Region string
	// Family is "ipv4" or "ipv6"; Prefix is the CIDR or the vendor's id of the account's own prefix, or empty.
	Family, Prefix string
	// MachineID is the vendor's id of the machine that it is to be on; empty: on none.
	MachineID string
	// ReverseDNS is the host name that the address is to resolve to, "" for the vendor's own; nil leaves it as it is.
	ReverseDNS *string
	// Replaces says that another address goes for it. Only a plan tells.
	Replaces bool
}

// AddressHeld is what a state knows of an address that it holds.
type AddressHeld struct {
	// AddressID is the vendor's, Key our id.
	AddressID, Address, Key, Name string
	// Claim is the state's own; for an imported address without marks the one that is to be written.
	Claim string
	// Proof is what tells later that an account is the right one; empty: there is none.
	Proof string
	// Fingerprint tells the reservation from a later one of the same address; empty: it cannot be told.
	Fingerprint string
	// Placed is the machine that this state has put it on; empty: on none. While it is not known whether a move was carried
	// out it is both machines, with a space between them.
	Placed string
	// Prefix is the account's own prefix that it was taken from; such an address is not reserved, so never released.
	Prefix string
}

// AddressMade is what an operation leaves behind, also one that ends in an error.
type AddressMade struct {
	// Address is as it was last seen; without an ID nothing is known at the vendor.
	Address driver.ReservedAddress
	// Claim, Proof and Placed belong into the resource's private state.
	Claim, Proof, Placed string
	// Unfinished says that the create has not come to its end; FinishAddress carries it on.
	Unfinished bool
	// Adopted says that the address was there before.
	Adopted bool
	Notices []Notice
}

// AddressSeen is what a read found.
type AddressSeen struct {
	Address driver.ReservedAddress
	// Gone says that the state is to drop the address; the notices say why.
	Gone bool
	// Managed is false while our marks are missing; an update writes them.
	Managed bool
	// Proof is as in Seen.
	Proof   string
	Notices []Notice
}

func (w AddressWish) object() string { return "address " + w.Name }

func (h AddressHeld) object() string { return "address " + h.Name + " (" + h.Address + ")" }

func objectOfAddress(address driver.ReservedAddress) string {
	text := "address " + address.Address
	if address.ID != address.Address {
		text += " (id " + address.ID + ")"
	}
	return text
}

func claimedAddress(address driver.ReservedAddress) claimed {
	return claimed{
		object: objectOfAddress(address), name: AddressName(address), marks: address.Marks, created: address.ReservedAt,
	}
}

// vendorName is what an address is called at a vendor where names are unique: with a piece of our id, so that an address
// and its replacement may be there at the same time.
func vendorName(name, key string) string { return name + nameSuffix(key) }

func nameSuffix(key string) string {
	_, hash, _ := strings.Cut(key, "_")
	return "-" + hash[:min(8, len(hash))]
}

// AddressName answers our name of an address from the vendor's; empty where the vendor keeps none.
func AddressName(address driver.ReservedAddress) string {
	if address.Marks.Key == "" {
		return address.Name
	}
	return strings.TrimSuffix(address.Name, nameSuffix(address.Marks.Key))
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import (
	"context"
	"time"
)

// Addresses is the capability to reserve public addresses and to put them on machines. Assign, Unassign and Release
// answer reason busy while another change of the address or the machine is under way.
type Addresses interface {
	// AddressRules are what the vendor allows. No request.
	AddressRules() AddressRules
	// ListAddresses answers every reserved address that the account shows, ours or not, in full pages.
	ListAddresses(ctx context.Context) ([]ReservedAddress, error)
	// GetAddress answers one by the vendor's id; NOT_FOUND only for the vendor's well-formed "not found".
	GetAddress(ctx context.Context, id string) (ReservedAddress, error)
	// Reserve orders an address in one request and never looks anything up. Codes: QUOTA_EXCEEDED that names the limit,
	// INVALID_INPUT with the field, CONFLICT with Field "name" for a taken name.
	Reserve(ctx context.Context, spec AddressSpec) (Reservation, error)
	// Assign puts an address on a machine. Where the rules say that it moves in one step, it may be on another machine.
	Assign(ctx context.Context, address ReservedAddress, machineID string) ([]Operation, error)
	// Unassign takes an address off its machine. One that is on none: INVALID_STATE, CONFLICT or INVALID_INPUT.
	Unassign(ctx context.Context, address ReservedAddress) ([]Operation, error)
	// Release gives an address back. Gone already: NOT_FOUND. Still on a machine: INVALID_STATE.
	Release(ctx context.Context, address ReservedAddress) error
}

// AddressRules are what a vendor allows for addresses.
type AddressRules struct {
	// Families are "ipv4", "ipv6" or both.
	Families []string
	// Moves are the families whose addresses go from machine to machine in one step.
	Moves []string
	// SameRegion says that a machine must be in the address's region.
	SameRegion bool
	// Described says that the vendor keeps a name and a description with the address.
	Described bool
}

// ReservedAddress is one public address that the account holds.
type ReservedAddress struct {
	// ID is the vendor's: a number, or the address itself.
	ID string
	// Address is the address; an IPv6 network is given as its first host address.
	Address string
	// Family is "ipv4" or "ipv6".
	Family string
	// Name and Description are the vendor's, empty where it keeps none.
	Name, Description string
	Region            string
	// Holder is the id of the machine that it is on; empty: on none.
	Holder string
	// Busy says that the vendor would refuse a change now, Blocked that the address cannot be used, Protected that a person has
	// forbidden to release it.
	Busy, Blocked, Protected bool
	// Marks are empty where the vendor's addresses bear none: see Rows. Labels are all that is shown besides them.
	Marks  Marks
	Labels map[string]string
	// OtherClaims are the claims besides Marks.Claim, in byte order, where a vendor keeps several side by side.
	OtherClaims []string
	// Fingerprint tells this reservation from a later one of the same address; empty: it cannot be told.
	Fingerprint string
	// ReservedAt is zero where the vendor does not say.
	ReservedAt time.Time
}

// Reservation is the answer to Reserve.
type Reservation struct {
	Address    ReservedAddress
	Operations []Operation
	// Proof is what Prove takes later; empty where there is none.
	Proof string
}

// AddressSpec is what Reserve needs to know.
type AddressSpec struct {
	// Name and Description are used where the rules say Described.
	Name, Description string
	Family, Region    string
	// Marks go with the request where the vendor's addresses bear marks.
	Marks Marks
}

// MarkAddress is the capability to write name, description and marks on an address.
type MarkAddress interface {
	// MarkAddress replaces them; the labels of the given address stay.
	MarkAddress(ctx context.Context, address ReservedAddress, name, description string, marks Marks) (ReservedAddress, error)
}

// AddressProof is the capability of a vendor whose reserve leaves nothing that Prove could ask for later.
type AddressProof interface {
	// LeaveProof has the vendor carry something out on an address that changes nothing about it. The operations bear the proof.
	LeaveProof(ctx context.Context, address ReservedAddress) ([]Operation, error)
}

// Prefixes is the capability of a vendor on which an account may bring its own address space.
type Prefixes interface {
	// PrefixesOff says why prefixes cannot be used on this account; empty: they can. No request.
	PrefixesOff() string
	// ListPrefixes answers the account's prefixes, usable or not.
	ListPrefixes(ctx context.Context) ([]Prefix, error)
	// PrefixInUse answers the addresses of a prefix that are on machines.
	PrefixInUse(ctx context.Context, id string) ([]string, error)
}

// Prefix is one block of an account's own addresses.
type Prefix struct {
	// ID is the vendor's, CIDR the block, such as 203.0.113.0/24.
	ID, CIDR, Region string
	// Status is the vendor's word; Active says that its addresses can be used.
	Status string
	Active bool
}

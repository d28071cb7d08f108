// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Held is what a state knows of a machine that it holds.
type Held struct {
	// MachineID is the vendor's, Key our id.
	MachineID, Key, Name string
	// Claim is the state's own; for an imported machine without marks the one that is to be written.
	Claim string
	// Proof is what the create gave to tell later that an account is the right one; empty: it gave none.
	Proof string
	// UUID is the machine's, where the vendor uses ids again; empty: it was not known yet.
	UUID string
	// Unmarked says that the machine was imported without any mark and has not been marked since.
	Unmarked bool
}

// Wish is a machine as it is planned.
type Wish struct {
	Key, Name, OfferID, Image string
	// Region is empty for the account's own.
	Region string
	// OfferIDs and Regions are alternatives to OfferID and Region, in order; empty: there is the one only. A create tries the
	// first offer in each of the regions, then the next offer.
	OfferIDs, Regions []string
	UserData          []byte
	SSHAuthorizedKeys []string
	Labels            map[string]string
	// Power is "on", "off", or empty: on at the create, then left alone.
	Power string
	// KeyCoversContent says that the key was hashed from image and user data, so that what bears the key has them. It is
	// false where the user has chosen the key.
	KeyCoversContent bool
	ShutdownTimeout  time.Duration
	// WaitForAddress has the create wait for an address, where the vendor does not know it at once.
	WaitForAddress bool
}

// Made is what an operation leaves behind, also one that ends in an error.
type Made struct {
	// Machine is as it was last seen; without an ID nothing is known at the vendor.
	Machine driver.Machine
	// ImageID is the vendor's id of the image it was made from.
	ImageID string
	// Offer is the one it was made by, with the price of that time.
	Offer driver.Offer
	// Claim and Proof belong into the resource's private state.
	Claim, Proof string
	// Unfinished says that the create has not come to its end; Finish carries it on.
	Unfinished bool
	// Adopted says that the machine was there before.
	Adopted bool
	Notices []Notice
	// ordered is when this create ordered the machine itself; zero: it was there before.
	ordered time.Time
}

func (w Wish) object() string { return "machine " + w.Name }

func objectOf(machine driver.Machine) string {
	return "machine " + machine.Name + " (id " + machine.ID + ")"
}

func (h Held) object() string { return "machine " + h.Name + " (id " + h.MachineID + ")" }

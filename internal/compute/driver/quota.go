// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import (
	"context"
	"fmt"
)

// Counted is a sort of object that a vendor limits the number of.
type Counted string

// The sorts.
const (
	CountedMachines  Counted = "machines"
	CountedAddresses Counted = "addresses"
)

// Number is a number of them for people, such as "1 machine".
func (c Counted) Number(count int) string { return fmt.Sprintf("%d %s", count, c.noun(count)) }

// More is a further number of them for people, such as "2 more machines".
func (c Counted) More(count int) string { return fmt.Sprintf("%d more %s", count, c.noun(count)) }

func (c Counted) noun(count int) string {
	switch {
	case count != 1:
		return string(c)
	case c == CountedAddresses:
		return "address"
	}
	return "machine"
}

// Quotas is the capability to tell how many objects an account may have. A vendor that only refuses the one too many has
// it not.
type Quotas interface {
	// QuotaOf answers the most objects of a sort that the account may have; 0: the vendor does not say. Read once for as long
	// as the driver lives.
	QuotaOf(ctx context.Context, sort Counted) (int, error)
	// CountOf answers how many there are now, whoever made them, in one request.
	CountOf(ctx context.Context, sort Counted) (int, error)
}

// Ready is the capability to tell before a create what else would make the vendor refuse it: places that the account's
// config names, and rights of its token.
type Ready interface {
	// CheckReady answers everything that a create by the spec would be refused for, each with code and field from Describe.
	// What it cannot tell it leaves to the create. Only reads, each once for as long as the driver lives.
	CheckReady(ctx context.Context, spec Spec) []error
}

// ListAll is the capability to list every machine that the account shows, marked or not, with its addresses, in full pages.
type ListAll interface {
	ListAll(ctx context.Context) ([]Machine, error)
}

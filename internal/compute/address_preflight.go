// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// CheckAddress refuses what the account's vendor has not, or not for this tenant. No request.
func (a *Account) CheckAddress(wish AddressWish) error {
	action := "use " + wish.object()
	api, err := capability[driver.Addresses](a, CapabilityAddresses, action)
	if err != nil {
		return err
	}
	if families := api.AddressRules().Families; wish.Family != "" && !slices.Contains(families, wish.Family) {
		return a.fault(driver.Unsupported, "family", action,
			fmt.Sprintf("%s has no addresses of family %s.", a.title(), wish.Family), "Families that it has: "+strings.Join(families, ", ")+".")
	}
	if err := a.CheckReverseDNS(wish); err != nil {
		return err
	}
	if wish.Prefix == "" {
		return nil
	}
	return a.checkPrefixUse(wish, action)
}

func (a *Account) checkPrefixUse(wish AddressWish, action string) error {
	prefixes, ok := a.driver.(driver.Prefixes)
	switch {
	case wish.Family == FamilyIPv6:
		return a.fault(driver.InvalidInput, "prefix", action, "A prefix is for addresses of family ipv4 only.", "Leave prefix out, or choose family ipv4.")
	case !ok:
		return a.fault(driver.Unsupported, "prefix", action, a.title()+" does not take addresses out of an account's own prefix.", "Leave prefix out.")
	case prefixes.PrefixesOff() != "":
		return a.fault(driver.Unsupported, "prefix", action, prefixes.PrefixesOff(), "Change the account, or leave prefix out.")
	case wish.Tenant != "" && wish.Tenant != a.settings.Reference.TenantID:
		refused := a.fault(driver.AccessDenied, "prefix", action,
			fmt.Sprintf("The account's own prefixes are for the tenant that owns it, %s, alone; the address is for tenant %s (byoipNotOwner).",
				a.settings.Reference.TenantID, wish.Tenant),
			"Leave prefix out, or use an account of the address's tenant.")
		refused.Reason = driver.ReasonNotOwner
		return refused
	}
	return nil
}

// prefix finds the account's prefix that is written as CIDR or as the vendor's id. INVALID_INPUT when it cannot be used.
func (a *Account) prefix(ctx context.Context, written, region string) (driver.Prefix, error) {
	action := "use prefix " + written
	api, err := capability[driver.Prefixes](a, CapabilityPrefixes, action)
	if err != nil {
		return driver.Prefix{}, err
	}
	all, err := a.catalogue.prefixes.get(ctx, "", api.ListPrefixes)
	if err != nil {
		return driver.Prefix{}, a.explain(ctx, err, action, "")
	}
	var others []string
	for _, prefix := range all {
		switch {
		case prefix.ID != written && !sameCIDR(prefix.CIDR, written):
			others = append(others, prefix.CIDR)
		case !prefix.Active:
			return prefix, a.fault(driver.InvalidInput, "prefix", action,
				fmt.Sprintf("Prefix %s is %s, not active.", prefix.CIDR, prefix.Status), "Wait until the vendor has made it active.")
		case prefix.Region != region:
			return prefix, a.fault(driver.InvalidInput, "prefix", action,
				fmt.Sprintf("Prefix %s is in region %s, the address is to be in %s.", prefix.CIDR, prefix.Region, region), "Use the prefix's region.")
		default:
			return prefix, nil
		}
	}
	return driver.Prefix{}, a.fault(driver.InvalidInput, "prefix", action, "The account has no such prefix.",
		"Prefixes that it has: "+cmp.Or(strings.Join(others, ", "), "none")+".")
}

func sameCIDR(a, b string) bool {
	first, firstErr := netip.ParsePrefix(a)
	second, secondErr := netip.ParsePrefix(b)
	return firstErr == nil && secondErr == nil && first.Masked() == second.Masked()
}

// pick answers a free address of a prefix, which one depends on the key alone as long as it is free. The first two
// addresses of a prefix are the vendor's (DigitalOcean documentation, "Assign BYOIP addresses").
func pick(cidr, key string, used []string) (string, bool) {
	block, err := netip.ParsePrefix(cidr)
	if err != nil || !block.Addr().Is4() {
		return "", false
	}
	const reserved = 2
	count := uint64(1)<<(32-block.Bits()) - min(reserved, uint64(1)<<(32-block.Bits()))
	first := block.Masked().Addr().As4()
	base := uint64(binary.BigEndian.Uint32(first[:])) + reserved
	sum := sha256.Sum256([]byte(key))
	start := binary.BigEndian.Uint64(sum[:8])
	for step := range count {
		var bytes [4]byte
		binary.BigEndian.PutUint32(bytes[:], uint32(base+(start%count+step)%count)) //nolint:gosec // within the block
		if address := netip.AddrFrom4(bytes).String(); !slices.Contains(used, address) {
			return address, true
		}
	}
	return "", false
}

// PreflightAddress looks at a plan through the vendor: whether the region is there and the prefix can be used. Empty
// values are not looked at. A vendor that is out of reach is one warning.
func (a *Account) PreflightAddress(ctx context.Context, wish AddressWish) []Finding {
	region := cmp.Or(wish.Region, a.Region())
	return a.report(ask(
		func() []Finding { return appendFinding(nil, a.checkRegion(ctx, region)) },
		func() []Finding { return appendFinding(nil, a.checkProject(ctx)) },
		func() []Finding {
			if wish.Prefix != "" {
				_, err := a.prefix(ctx, wish.Prefix, region)
				return appendFinding(nil, err)
			}
			if wish.Family == FamilyIPv6 || wish.Replaces {
				return nil
			}
			return a.checkQuota(ctx, driver.CountedAddresses, wish.Key)
		},
	))
}

// PreflightHolder is CheckHolder for a plan: only a machine that is certainly in another place is an error.
func (a *Account) PreflightHolder(ctx context.Context, holder Holder) []Finding {
	findings := appendFinding(nil, a.CheckHolder(ctx, holder))
	for i := range findings {
		findings[i].Field = "instance"
		findings[i].Warning = findings[i].Err.Code != driver.InvalidInput
	}
	return a.report(findings)
}

// Holder is a machine that an address is to be put on, as far as it is known.
type Holder struct {
	// MachineID is the vendor's id; empty: the machine is not there yet.
	MachineID string
	// OfOther says that it is made through another account, which may be of another place altogether.
	OfOther bool
	// Project is the one that is written for it, by id or name; empty: none is.
	Project string
}

// CheckHolder looks whether a machine is in the account's place: an address goes only on machines of its own place and
// project.
func (a *Account) CheckHolder(ctx context.Context, holder Holder) error {
	action := strings.TrimSpace("put the address on machine " + holder.MachineID)
	if holder.OfOther && holder.MachineID != "" {
		if err := a.checkVisible(ctx, holder.MachineID, action); err != nil {
			return err
		}
	}
	return a.checkHolderProject(ctx, holder, action)
}

func (a *Account) checkVisible(ctx context.Context, machineID, action string) error {
	_, err := a.machines.get(ctx, machineID, age{since: a.settings.Opened})
	if a.isGone(err) {
		return a.fault(driver.InvalidInput, "instance", action,
			fmt.Sprintf("Account %s does not show this machine: it is in another place of %s.", a.settings.Reference.ID, a.title()),
			"Use a machine of the same account.")
	}
	return a.explain(ctx, err, action, "")
}

// AddressRules are what the vendor allows; false where it has no addresses.
func (a *Account) AddressRules() (driver.AddressRules, bool) {
	api, ok := a.driver.(driver.Addresses)
	if !ok {
		return driver.AddressRules{}, false
	}
	return api.AddressRules(), true
}

// earlierReserve stops a create at the intent of an earlier one, whose answer was lost.
func (a *Account) earlierReserve(order addressOrder, candidates []driver.ReservedAddress) error {
	return a.conflict("idempotency_key", order.action,
		fmt.Sprintf("An earlier create of this resource sent its request to reserve and never learned the answer, so one of these may be its address: %s. "+
			"Nothing was reserved now.", addressesText(candidates)), candidatesAdvice(candidates))
}

// mayBeReserved ends a create whose answer was lost.
func (a *Account) mayBeReserved(order addressOrder, failed error, candidates []driver.ReservedAddress) error {
	failure := a.describe(failed)
	lost := &Error{Failure: failure, Vendor: a.title(), Action: order.action, cause: failed}
	switch {
	case !a.Has(CapabilityRows):
		lost.Advice = "The answer was lost and the address has not shown since: it may or may not have been reserved, with the key " + order.wish.Key +
			". Apply again: the next apply looks for it first and reserves no second one."
	case len(candidates) > 0:
		lost.Advice = "The answer was lost, and it was not sent again. Since then this has appeared in the account: " + addressesText(candidates) + ". " +
			candidatesAdvice(candidates)
	default:
		lost.Advice = "The answer was lost, and it was not sent again. No new address has appeared since. Apply again: the next apply looks once more."
	}
	return lost
}

func candidatesAdvice(candidates []driver.ReservedAddress) string {
	return fmt.Sprintf("Import it if it is this resource's (object %q of the function import_id), or release it at the vendor, or give this resource another idempotency_key; "+
		"as long as there is a candidate, nothing more is reserved.", candidates[0].Address)
}

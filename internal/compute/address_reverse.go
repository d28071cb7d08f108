// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// CheckReverseDNS refuses a host name where the vendor has none for reserved addresses: UNSUPPORTED with reverse_dns as the
// field. No request.
func (a *Account) CheckReverseDNS(wish AddressWish) error {
	if wish.ReverseDNS == nil || *wish.ReverseDNS == "" || a.Has(CapabilityReverseDNS) {
		return nil
	}
	return a.fault(driver.Unsupported, driver.OptionReverseDNS, "use "+wish.object(),
		a.title()+" has no reverse DNS for reserved addresses.", "Leave reverse_dns out.")
}

// nameAddress says which host name an address resolves to, where that is wanted and something else is shown.
func (a *Account) nameAddress(ctx context.Context, address *driver.ReservedAddress, wanted *string, action string) error {
	if wanted == nil || *wanted == address.ReverseDNS {
		return nil
	}
	namer, err := capability[driver.ReverseDNS](a, CapabilityReverseDNS, action)
	if err != nil {
		return withField(err, driver.OptionReverseDNS)
	}
	var operations []driver.Operation
	err = a.persistAgain(ctx, action, "", func(ctx context.Context) error {
		var err error
		operations, err = namer.SetReverseDNS(ctx, *address, *wanted)
		return err
	})
	if err == nil {
		err = a.await(ctx, operations, action, objectOfAddress(*address))
	}
	a.addresses.wrote(address.ID)
	if err != nil {
		return withField(err, driver.OptionReverseDNS)
	}
	address.ReverseDNS = *wanted
	return nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

var instanceIDPattern = regexp.MustCompile(`^inst_[0-9a-hjkmnp-tv-z]{52}$`)

// Lookup finds the machine that an import names: by our id, by the vendor's id, by its name, or by one of its addresses.
// NOT_FOUND when there is none, CONFLICT when there are several.
func (a *Account) Lookup(ctx context.Context, object string) (driver.Machine, error) {
	action := "find machine " + object
	found, err := a.candidates(ctx, object)
	if err != nil {
		return driver.Machine{}, a.explain(ctx, err, action, "")
	}
	switch len(found) {
	case 0:
		return driver.Machine{}, a.fault(driver.NotFound, "", action,
			fmt.Sprintf("Account %s (%s) shows no machine with this id, name or address.", a.settings.Reference.ID, a.title()),
			"Check the object and the account: the token's project is the only place that was looked at.")
	case 1:
		return found[0], nil
	}
	var ids []string
	for _, machine := range found {
		ids = append(ids, objectOf(machine))
	}
	return driver.Machine{}, a.conflict("", action, "Several machines match: "+strings.Join(ids, ", ")+".", "Name one by the vendor's id.")
}

// byKey asks the index, and then the list: where ids are chosen from a range, the index looks there only.
func (a *Account) byKey(ctx context.Context, key string) ([]driver.Machine, error) {
	found, err := a.driver.Find(ctx, key)
	if err != nil || len(found) > 0 || !a.Has(CapabilityList) || !a.Limits().Stepwise {
		return found, err
	}
	current, err := a.machines.list(ctx, a.machines.now())
	if err != nil {
		return nil, err
	}
	for _, machine := range current.ordered() {
		if machine.Marks.Key == key {
			found = append(found, machine)
		}
	}
	return found, nil
}

// byAddress answers the machines that have an address, marked or not.
func (a *Account) byAddress(ctx context.Context, written netip.Addr) ([]driver.Machine, error) {
	all, err := a.everyMachine(ctx)
	return slices.DeleteFunc(all, func(machine driver.Machine) bool {
		return !slices.ContainsFunc(machine.Addresses, func(address driver.Address) bool {
			shown, err := netip.ParseAddr(address.Address)
			return err == nil && shown == written
		})
	}), err
}

func (a *Account) everyMachine(ctx context.Context) ([]driver.Machine, error) {
	if vendor, ok := a.driver.(driver.ListAll); ok {
		return vendor.ListAll(ctx)
	}
	lister, err := capability[driver.List](a, CapabilityList, "search machines by address")
	if err != nil {
		return nil, err
	}
	return lister.List(ctx)
}

func (a *Account) candidates(ctx context.Context, object string) ([]driver.Machine, error) {
	if instanceIDPattern.MatchString(object) {
		return a.byKey(ctx, object)
	}
	if written, err := netip.ParseAddr(object); err == nil {
		return a.byAddress(ctx, written)
	}
	machine, err := a.driver.Get(ctx, object)
	if err == nil {
		return []driver.Machine{machine}, nil
	}
	switch a.describe(err).Code {
	case driver.NotFound, driver.InvalidInput:
	default:
		return nil, err
	}
	lister, err := capability[driver.List](a, CapabilityList, "search machines by name")
	if err != nil {
		return nil, err
	}
	return lister.FindName(ctx, object)
}

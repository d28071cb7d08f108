// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// newMachines serves the reads of machines.
func newMachines(account *Account) *objects[driver.Machine] {
	return &objects[driver.Machine]{
		lists: account.Has(CapabilityList), record: recordOf, appearLag: account.driver.Limits().AppearLag,
		one: account.driver.Get,
		all: func(ctx context.Context) ([]driver.Machine, error) {
			lister, err := capability[driver.List](account, CapabilityList, "list machines")
			if err != nil {
				return nil, err
			}
			return lister.List(ctx)
		},
	}
}

// fresh answers one machine by a read that begins now.
func (a *Account) fresh(ctx context.Context, id string) (driver.Machine, error) {
	return a.machines.get(ctx, id, a.machines.now())
}

// Managed answers everything that bears this account's mark, oldest first, read now.
func (a *Account) Managed(ctx context.Context) ([]driver.Machine, error) {
	current, err := a.machines.list(ctx, a.machines.now())
	if err != nil {
		return nil, a.explain(ctx, err, "list machines", "")
	}
	return slices.DeleteFunc(current.ordered(), func(machine driver.Machine) bool {
		return machine.Marks.Account != a.settings.Reference.ID
	}), nil
}

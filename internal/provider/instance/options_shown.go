// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"reflect"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// optionsOf are the options of a machine in the vendor's own spelling. Nothing has to be looked up for that, so there is no
// error.
func optionsOf(ctx context.Context, account *compute.Account, machine driver.Machine) options {
	kind, _ := kindNamed(account.Reference().Kind)
	shown, err := account.ShownOptions(ctx, machine, nil)
	if err != nil {
		return options{}
	}
	return showing(kind, shown)
}

// optionsAs are the options of a machine in the spelling of a state, where that means the same.
func optionsAs(ctx context.Context, account *compute.Account, machine driver.Machine, state model) (options, error) {
	kind, _ := kindNamed(account.Reference().Kind)
	values, _ := state.Options.values(kind)
	shown, err := account.ShownOptions(ctx, machine, values)
	return showing(kind, shown), err
}

// trueOptions are the options after an update that failed: as planned where the machine shows that, else as it shows them,
// and what the vendor does not tell as it was.
func (u *updating) trueOptions(ctx context.Context, machine driver.Machine) options {
	kind, _ := kindNamed(u.account.Reference().Kind)
	before, _ := u.prior.Options.values(kind)
	planned, _ := u.plan.Options.values(kind)
	shown, err := u.account.ShownOptions(ctx, machine, before)
	if err != nil {
		return u.prior.Options
	}
	asPlanned, err := u.account.ShownOptions(ctx, machine, planned)
	if err != nil {
		return u.prior.Options
	}
	truth := manifest.Values{}
	for _, option := range kind.Options {
		truth[option.Name] = shown[option.Name]
		_, told := machine.Options[option.Name]
		if (told || option.Project) && !option.Hidden && !option.Local && reflect.DeepEqual(asPlanned[option.Name], planned[option.Name]) {
			truth[option.Name] = asPlanned[option.Name]
		}
	}
	return showing(kind, truth)
}

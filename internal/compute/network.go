// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// ListNetworks answers the private networks that machines of a region can be in, by name, then id, read now. INVALID_INPUT
// for a region that there is not, UNSUPPORTED where the vendor has no networks.
func (a *Account) ListNetworks(ctx context.Context, region string) ([]driver.Network, error) {
	const action = "list networks"
	lister, err := capability[driver.Networks](a, CapabilityNetworks, action)
	if err != nil {
		return nil, err
	}
	if err := a.checkRegion(ctx, region); err != nil {
		return nil, err
	}
	networks, err := lister.Networks(ctx)
	if err != nil {
		return nil, a.explain(ctx, err, action, "")
	}
	networks = slices.DeleteFunc(networks, func(network driver.Network) bool {
		return !network.Everywhere && !slices.Contains(network.Regions, region)
	})
	slices.SortFunc(networks, func(a, b driver.Network) int { return cmp.Or(cmp.Compare(a.Name, b.Name), compareIDs(a.ID, b.ID)) })
	return networks, nil
}

// ListFirewalls answers the firewalls that the account shows, by name, then id, read now. UNSUPPORTED where the vendor has
// none.
func (a *Account) ListFirewalls(ctx context.Context) ([]driver.Firewall, error) {
	const action = "list firewalls"
	lister, err := capability[driver.Firewalls](a, CapabilityFirewalls, action)
	if err != nil {
		return nil, err
	}
	firewalls, err := lister.Firewalls(ctx)
	if err != nil {
		return nil, a.explain(ctx, err, action, "")
	}
	slices.SortFunc(firewalls, func(a, b driver.Firewall) int { return cmp.Or(cmp.Compare(a.Name, b.Name), compareIDs(a.ID, b.ID)) })
	return firewalls, nil
}

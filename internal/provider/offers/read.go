// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// paths are the arguments that errors of compute name.
var paths = map[string]path.Path{
	"region":   path.Root("region"),
	"offer_id": path.Root("id"),
}

// region is what is sold in one region of an account.
type region struct {
	account *compute.Account
	name    string
	offers  []driver.Offer
}

// look answers what is sold in the query's region, the account's own where it names none.
func look(ctx context.Context, accounts *cloud.Accounts, object types.Object, query query) (region, diag.Diagnostics) {
	given, known, diags := reference.Decode(ctx, object)
	if diags.HasError() {
		return region{}, diags
	}
	if accounts == nil || !known {
		diagnostics.NotConfigured(&diags, path.Root(reference.Name))
		return region{}, diags
	}
	account, err := accounts.Open(ctx, given)
	if err != nil {
		diagnostics.Append(&diags, err, path.Root(reference.Name), nil)
		return region{}, diags
	}
	name := cmp.Or(query.Region.ValueString(), account.Region())
	offers, err := account.Offers(ctx, driver.OfferQuery{Region: name})
	diagnostics.Append(&diags, err, path.Root(reference.Name), paths)
	return region{account: account, name: name, offers: offers}, diags
}

// cheapest answers the first offer that the filters leave; else an error at the filter that left nothing.
func (r region) cheapest(ctx context.Context, id string, filters []filter) (driver.Offer, diag.Diagnostics) {
	var diags diag.Diagnostics
	if len(r.offers) == 0 {
		diagnostics.Error(&diags, path.Root("region"), driver.InvalidInput, "No offer in region "+r.name, r.sellsNothing(ctx))
		return driver.Offer{}, diags
	}
	if id != "" && !slices.ContainsFunc(r.offers, func(offer driver.Offer) bool { return offer.ID == id }) {
		return driver.Offer{}, r.notSold(ctx, id)
	}
	left, emptied := narrow(r.offers, withID(id, filters))
	if emptied != nil {
		diagnostics.Error(&diags, path.Root(emptied.argument), driver.InvalidInput, "No offer is left by "+emptied.argument, fmt.Sprintf(
			"In region %s no offer %s. What was left before this filter, nearest first: %s. Widen the filter or choose another region; "+
				"the data source bettercompute_offers lists what there is.", r.name, emptied.wanted, describe(left)))
		return driver.Offer{}, diags
	}
	return left[0], diags
}

// sellsNothing says why there is no offer at all, with the regions that there are where the vendor can be asked.
func (r region) sellsNothing(ctx context.Context) string {
	names, err := r.account.Regions(ctx)
	slices.Sort(names)
	switch {
	case err != nil || len(names) == 0:
		return fmt.Sprintf("There is no region %q on this account, or nothing is sold in it. Choose another region.", r.name)
	case slices.Contains(names, r.name):
		return fmt.Sprintf("Nothing is sold in region %q now. Choose another region; there are: %s.", r.name, strings.Join(names, ", "))
	}
	return fmt.Sprintf("There is no region %q on this account. Choose one of: %s.", r.name, strings.Join(names, ", "))
}

// notSold finds fault with an id that is not sold in the region, with the nearest ones: the plan of a machine asks the
// same question.
func (r region) notSold(ctx context.Context, id string) diag.Diagnostics {
	var diags diag.Diagnostics
	findings := r.account.Preflight(ctx, compute.Preflight{OfferID: id, Region: r.name, CheckOffer: true})
	diagnostics.Report(&diags, findings, path.Root("id"), paths)
	return diags
}

func withID(id string, filters []filter) []filter {
	if id == "" {
		return filters
	}
	only := filter{argument: "id", wanted: "is " + id, keep: func(offer driver.Offer) bool { return offer.ID == id }}
	return append([]filter{only}, filters...)
}

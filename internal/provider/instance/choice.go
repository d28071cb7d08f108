// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

// offer_ids and regions are lists of which one element is chosen at the create. What was chosen stays for as long as the
// list names it: it is the value of offer_id and region, which the configuration leaves out then.

// texts answers the elements of a list; known is false while it or one of its elements is unknown. Null is empty.
func texts(list types.List) (elements []string, known bool) {
	if list.IsUnknown() {
		return nil, false
	}
	for _, element := range list.Elements() {
		text, ok := element.(types.String)
		if !ok || text.IsUnknown() {
			return nil, false
		}
		elements = append(elements, text.ValueString())
	}
	return elements, true
}

// firstChoice answers what a list leaves to choose in the plan of a new machine: nothing where it has one element.
func firstChoice(list types.List) types.String {
	if elements, known := texts(list); known && len(elements) == 1 {
		return types.StringValue(elements[0])
	}
	return types.StringUnknown()
}

// openChoice plans offer and region of a machine that is to be made from lists.
func (p *planning) openChoice(account *compute.Account) {
	if !p.config.OfferIDs.IsNull() {
		p.plan.OfferID = firstChoice(p.config.OfferIDs)
	}
	switch {
	case !p.config.Regions.IsNull():
		p.plan.Region = firstChoice(p.config.Regions)
	case account != nil && account.Region() != "" && p.config.Region.IsNull():
		p.plan.Region = types.StringValue(account.Region())
	}
}

// keepChoice plans the offer and the region that were chosen, for as long as the lists name them. An offer that its list no
// longer names becomes the first of the list, a region replaces the machine.
func (p *planning) keepChoice() {
	if p.config.Region.IsNull() {
		p.plan.Region = p.prior.Region
	}
	if p.config.OfferIDs.IsNull() {
		return
	}
	p.plan.OfferID = p.prior.OfferID
	offers, known := texts(p.config.OfferIDs)
	switch {
	case !known:
		p.warnUnknown(path.Root("offer_ids"), "A list without the machine's offer gives it the first of the list.")
	case len(offers) > 0 && !slices.Contains(offers, p.prior.OfferID.ValueString()):
		p.plan.OfferID = types.StringValue(offers[0])
	}
}

// regionLeft answers whether the list of regions no longer names the machine's.
func (p *planning) regionLeft() bool {
	regions, known := texts(p.config.Regions)
	if !known || len(regions) == 0 || p.prior.Region.IsNull() {
		return false
	}
	return !slices.ContainsFunc(regions, func(region string) bool { return strings.EqualFold(region, p.prior.Region.ValueString()) })
}

// replaceOnRegions replaces a machine whose region the list no longer names.
func (p *planning) replaceOnRegions() {
	if _, known := texts(p.config.Regions); !known {
		p.warnUnknown(path.Root("regions"), "A list without the machine's region replaces the machine.")
	}
	if !p.regionLeft() {
		return
	}
	p.replace.Append(path.Root("regions"))
	p.diags.AddAttributeWarning(path.Root("regions"), p.prior.Name.ValueString()+" will be replaced: its region is not in regions any more",
		fmt.Sprintf("The machine is in %s, which regions does not name. A new machine is made in the first region of the list that has room. "+
			"To keep the machine, name %s in regions, at any place.", p.prior.Region.ValueString(), p.prior.Region.ValueString()))
}

// offerPath is the argument that an offer is written in, regionPath that of a region.
func offerPath(config model) path.Path {
	if !config.OfferIDs.IsNull() {
		return path.Root("offer_ids")
	}
	return path.Root("offer_id")
}

func regionPath(config model) path.Path {
	if !config.Regions.IsNull() {
		return path.Root("regions")
	}
	return path.Root("region")
}

// choosesKnown says whether there is a choice to be made from lists that are known.
func (p *planning) choosesKnown() bool {
	offers, offersKnown := texts(p.config.OfferIDs)
	regions, regionsKnown := texts(p.config.Regions)
	chosen := !p.config.OfferID.IsUnknown() && !p.config.Region.IsUnknown()
	return chosen && offersKnown && regionsKnown && len(offers)+len(regions) > 0
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// choiceArguments say which offer is made, and where: one of each, or lists of which the first that has room is made.
func choiceArguments() map[string]schema.Attribute {
	list := func(description string, more ...validator.List) schema.ListAttribute {
		return schema.ListAttribute{
			Optional: true, ElementType: types.StringType, MarkdownDescription: description,
			Validators: append(more, listvalidator.SizeAtLeast(1), listvalidator.UniqueValues(), listvalidator.NoNullValues(),
				listvalidator.ValueStringsAre(stringvalidator.LengthAtLeast(1))),
		}
	}
	return map[string]schema.Attribute{
		"offer_id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Id of the offer (the size) that the machine has, as in the data sources `bettercompute_offers` and `bettercompute_offer`. Exactly one of `offer_id` and `offer_ids` is written; " +
				"with `offer_ids` this is the one that was chosen. A change is made in place: the machine has to be off for it, see `allow_stopping_for_update`. The disk grows with the offer for good, " +
				"so an offer with a smaller disk than the machine's is an error in the plan. A machine that was resized outside is given its offer back.",
			Validators: []validator.String{stringvalidator.LengthAtLeast(1), stringvalidator.ExactlyOneOf(root("offer_ids"))},
		},
		"offer_ids": list("Offers in the order of preference, in the place of `offer_id`. A create tries the first offer, in each of `regions` where that is written, then the next one. " +
			"It goes on to the next only when the vendor says that it has no room (`CAPACITY_UNAVAILABLE`) and before anything was made; any other failure ends it. What the vendor's catalogue does not have in stock there now is passed over; " +
			"the plan says so, and fails when nothing is left. An offer that the vendor sells nowhere, or that costs more than `max_price_per_hour`, is an error in the plan. " +
			"What was chosen stays for as long as the list names it, whatever has room later: `offer_id` shows it, and no plan differs. When the list no longer names it, the machine is given the first offer of the list in place, as the plan warns. " +
			"The list is no part of the `id`."),
		"region": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Region that the machine is made in, in the vendor's words. Default: the account's. At most one of `region` and `regions` is written; with `regions` this is the one that was chosen. " +
				"A change replaces the machine.",
			Validators: []validator.String{stringvalidator.LengthAtLeast(1), stringvalidator.ConflictsWith(root("regions"))},
		},
		"regions": list("Regions in the order of preference, in the place of `region`. With `offer_ids` each offer is tried in all regions before the next offer is; a region that does not sell an offer is passed over for it. " +
			"What was chosen stays for as long as the list names it, in whatever place: `region` shows it. When the list no longer names it, the machine is replaced, as the plan warns. " +
			"The list as it is written is part of the `id` of a new machine; the id of one that is there is kept."),
	}
}

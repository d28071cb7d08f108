// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

const (
	idDoc        = "The vendor's id of the offer, as in the argument `offer_id` of `bettercompute_instance`."
	kindDoc      = "Kind of the offer: `metal` or `vps`."
	regionDoc    = "Region that the offer is sold in."
	gpuModelDoc  = "Model of the GPUs. Null without GPUs."
	availableDoc = "Whether the offer is in stock now. Stock moves: it may be gone by the time of the apply."
)

func offersSchema() schema.Schema {
	attributes := filterAttributes()
	attributes["kind"] = schema.StringAttribute{Optional: true, MarkdownDescription: kindFilterDoc, Validators: kindValidators()}
	attributes["gpu_model"] = schema.StringAttribute{Optional: true, MarkdownDescription: gpuModelFilterDoc}
	attributes["offers"] = schema.ListNestedAttribute{
		Computed:            true,
		MarkdownDescription: "The offers that are left, the cheapest first, unpriced ones last, then by id. Empty when none is.",
		NestedObject:        schema.NestedAttributeObject{Attributes: offerAttributes()},
	}
	return schema.Schema{
		MarkdownDescription: "What can be ordered in a region of an account: sizes with their prices.",
		Attributes:          attributes,
	}
}

func offerSchema() schema.Schema {
	attributes := offerAttributes()
	maps.Copy(attributes, filterAttributes())
	attributes["id"] = schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: idDoc + " Set it to look one offer up. Default: the cheapest one that the filters leave.",
	}
	attributes["kind"] = schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: kindFilterDoc, Validators: kindValidators(),
	}
	attributes["gpu_model"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: gpuModelFilterDoc}
	return schema.Schema{
		MarkdownDescription: "The cheapest offer in a region of an account that the filters leave, or one offer by its id. It is an error when none is " +
			"left; the error says which filter left nothing, and what comes nearest.",
		Attributes: attributes,
	}
}

const (
	kindFilterDoc     = kindDoc + " As an argument it leaves offers of this kind only. Default: both."
	gpuModelFilterDoc = "Model of the GPUs, in any case. As an argument it leaves offers with such GPUs only. Default: any, and offers without GPUs."
)

// filterAttributes are the arguments that both data sources have and that no offer shows.
func filterAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		reference.Name: reference.DataSourceAttribute(),
		"region": schema.StringAttribute{
			Optional: true, Computed: true, MarkdownDescription: "Region that the offers are sold in. Default: the account's.",
		},
		"min_gpus": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.Between(0, 64)},
			MarkdownDescription: "Least number of GPUs, a whole number from 0 to 64. Default: `0`.",
		},
		"min_vcpu": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.Between(0, 1024)},
			MarkdownDescription: "Least number of virtual CPUs, a whole number from 0 to 1024. Default: `0`.",
		},
		"min_memory_gib": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.Between(0, 16384)},
			MarkdownDescription: "Least memory in GiB, a whole number from 0 to 16384. Default: `0`.",
		},
		"available_only": schema.BoolAttribute{
			Optional: true, MarkdownDescription: "Whether to leave out what is not in stock now. Default: `false`.",
		},
	}
}

func kindValidators() []validator.String {
	return []validator.String{validators.OneOf("metal", "vps")}
}

// offerAttributes are what is shown of an offer.
func offerAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":         schema.StringAttribute{Computed: true, MarkdownDescription: idDoc},
		"kind":       schema.StringAttribute{Computed: true, MarkdownDescription: kindDoc},
		"region":     schema.StringAttribute{Computed: true, MarkdownDescription: regionDoc},
		"vcpu":       schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of virtual CPUs."},
		"memory_gib": schema.Float64Attribute{Computed: true, MarkdownDescription: "Memory in GiB."},
		"disk_gib":   schema.Float64Attribute{Computed: true, MarkdownDescription: "Disk in GiB. Null where the offer fixes none."},
		"gpus":       schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of GPUs."},
		"gpu_model":  schema.StringAttribute{Computed: true, MarkdownDescription: gpuModelDoc},
		"price_per_hour": schema.NumberAttribute{
			Computed: true, MarkdownDescription: "Price of one hour in `currency`, gross. Null where the vendor names none.",
		},
		"currency":  schema.StringAttribute{Computed: true, MarkdownDescription: "Currency of the price as in ISO 4217, such as `EUR`. Null without a price."},
		"available": schema.BoolAttribute{Computed: true, MarkdownDescription: availableDoc},
	}
}

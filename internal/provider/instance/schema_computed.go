// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func computedAttributes() map[string]schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"id": text("Our id of the machine, which its object at the vendor bears: `inst_` and 52 characters, made from tenant, account and `idempotency_key` or, without one, " +
			"the name and the replacing arguments as written. Known in the plan, and kept through changes in place."),
		"tenant_id":  text("Tenant that the machine belongs to: the provider's `tenant_id` when it was made."),
		"machine_id": text("The vendor's id of the machine."),
		"managed": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the vendor's object bears the marks that say whose it is. False after the import of a machine without marks, or when they were wiped: " +
				"the next apply writes them.",
		},
		"state":    text("State of the machine when it was last read: `pending`, `running`, `stopped`, `rescue`, `deleting`, `deleted`, `error` or `unknown`."),
		"image_id": text("The vendor's id of the image that the machine was made from."),
		"addresses": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Addresses of the machine: public ones first, IPv4 before IPv6, then by number.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"address": text("The address. An IPv6 network is given as its first host address."),
				"family":  text("`ipv4` or `ipv6`."),
				"scope":   text("`public` or `private`."),
			}},
		},
		"ipv4_address": text("First IPv4 address, a public one where there is one; null without any."),
		"ipv6_address": text("First IPv6 address, a public one where there is one; null without any."),
		"created_at":   text("When the vendor made the machine, as RFC 3339 in UTC."),
	}
}

func computedSizes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"vcpu":       schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of virtual CPUs."},
		"memory_gib": schema.NumberAttribute{Computed: true, MarkdownDescription: "Memory in GiB."},
		"disk_gib":   schema.NumberAttribute{Computed: true, MarkdownDescription: "Size of the disk in GiB."},
		"price_per_hour": schema.NumberAttribute{
			Computed:            true,
			MarkdownDescription: "What the machine costs an hour, gross, in `currency`: the price when it was made, when its offer was changed, or when it was imported. Null where the vendor has none.",
		},
		"currency": schema.StringAttribute{Computed: true, MarkdownDescription: "Currency of the price, as ISO 4217 has it. Null without a price."},
	}
}

func root(name string) path.Expression { return path.MatchRoot(name) }

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

// The longest texts of the arguments, in characters.
const (
	longestDescription = 256
	longestPrefix      = 43
	longestHostName    = 253
)

var (
	namePattern   = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$`)
	hostPattern   = regexp.MustCompile(`^(([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z]([-a-z0-9]{0,61}[a-z0-9])?)?$`)
	regionPattern = regexp.MustCompile(`^[a-z][a-z0-9-]{0,38}[a-z0-9]$`)
)

// holderAccount and holderTypes are the parts of a bettercompute_instance that an address needs.
var (
	holderAccount = map[string]attr.Type{"id": types.StringType, "kind": types.StringType}
	holderTypes   = map[string]attr.Type{
		"id": types.StringType, "tenant_id": types.StringType, "machine_id": types.StringType, "region": types.StringType,
		reference.Name: types.ObjectType{AttrTypes: holderAccount},
	}
)

// Schema describes the resource. What a change does is decided in ModifyPlan, since it depends on what is known, so there
// are no plan modifiers here.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	all := arguments()
	for name, description := range map[string]string{
		"id": "Our id of the address: `paddr_` and 52 characters, made from tenant, account and `idempotency_key` or, without one, the name and the " +
			"replacing arguments as written. Known in the plan, and kept through changes in place.",
		"tenant_id": "Tenant that the address belongs to: the provider's `tenant_id` when it was reserved.",
		"address":   "The address. An IPv6 network is given as its first host address.",
		"state": "State of the address when it was last read: `pending` (held, but not finished: the next apply finishes it), `ready`, `deleting`, or " +
			"`error` (held, but the vendor has blocked it).",
		"assignment_state": "Where the assignment stands: `none`, `pending`, `ready` (it is on a machine), `deleting`, or `error` (the last apply failed to " +
			"move it; `assignment_message` says why).",
		"assignment_message": "Why the last assignment failed. Null otherwise.",
		"reserved_at":        "When the vendor reserved the address, as RFC 3339 in UTC. Null where the vendor does not say.",
	} {
		all[name] = schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	all["timeouts"] = attributes.Timeouts(ctx, "`10m`", "`10m`", "`10m`", "`2m`")
	response.Schema = schema.Schema{
		MarkdownDescription: "A public address that is reserved at a vendor and can be moved between machines in place. It is never taken off a machine that " +
			"this resource did not put it on, and a reserve whose answer was lost never reserves a second one.",
		Attributes: all,
	}
}

func arguments() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		reference.Name: reference.ResourceAttribute(),
		"name": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Name of the address: 1 to 42 lower-case letters, digits and hyphens, a letter first and no hyphen last. Unique for a tenant on the account. A change is made in place.",
			Validators:          []validator.String{validators.Matching(namePattern, "1 to 42 lower-case letters, digits and hyphens, a letter first and no hyphen last")},
		},
		"description": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "A description of at most 256 characters. Hetzner Cloud keeps it with the address; elsewhere it is in the state only. A change is made in place.",
			Validators:          []validator.String{stringvalidator.UTF8LengthAtMost(longestDescription)},
		},
		"region": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Region that the address is reserved in, in the vendor's words. Default: the account's. A change replaces the address.",
			Validators:          []validator.String{validators.Matching(regionPattern, "2 to 40 lower-case letters, digits and hyphens, a letter first and no hyphen last")},
		},
		"family": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(compute.FamilyIPv4),
			MarkdownDescription: "Family of the address: `ipv4` or `ipv6`. Default: `ipv4`. A change replaces the address.",
			Validators:          []validator.String{validators.OneOf(compute.FamilyIPv4, compute.FamilyIPv6)},
		},
		"prefix": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Take the address out of the account's own address space: the IPv4 CIDR or the vendor's id of a prefix that was brought to the account " +
				"(BYOIP). Only `ipv4`, only for the tenant that owns the account, and only where the account allows it (DigitalOcean with `previews`). A change replaces the address.",
			Validators: []validator.String{stringvalidator.LengthBetween(1, longestPrefix)},
		},
		"instance":    holderAttribute(),
		"reverse_dns": reverseAttribute(),
		"idempotency_key": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "A key of your own that the `id` is made from, in place of the name and the replacing arguments: 1 to 128 letters, digits and the characters `. _ : -`. " +
				"A change replaces the address.",
			Validators: validators.IdempotencyKey(),
		},
	}
}

// reverseAttribute: names are written in lower case, in which they can be compared with what the vendor shows.
func reverseAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "Host name that the address resolves to, in lower case and without a dot at the end; of an IPv6 network that of its first host address. " +
			"`\"\"` puts the vendor's own name back, which shows as null. Not written, it is left as it is. A change is made in place, and one from outside is repaired. " +
			"Only at Hetzner Cloud: DigitalOcean has no PTR records for reserved IPs (those of a machine's own addresses follow its name).",
		Validators: []validator.String{
			stringvalidator.LengthAtMost(longestHostName),
			validators.Matching(hostPattern, "a host name such as www.example.com, in lower case and without a dot at the end, or empty"),
		},
	}
}

func holderAttribute() schema.SingleNestedAttribute {
	part := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Required: true, MarkdownDescription: description}
	}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "The machine that the address is on: pass the whole `bettercompute_instance`, as in `instance = bettercompute_instance.web`. " +
			"Null takes it off. A change moves the address in place.",
		Attributes: map[string]schema.Attribute{
			"id":         part("Our id of the machine."),
			"tenant_id":  part("Tenant of the machine: the address's own."),
			"machine_id": part("The vendor's id of the machine."),
			"region":     part("Region of the machine. On DigitalOcean it must be the address's."),
			reference.Name: schema.SingleNestedAttribute{
				Required:            true,
				MarkdownDescription: "Account of the machine: of the same kind and place as the address's.",
				Attributes:          map[string]schema.Attribute{"id": part("Id of the account."), "kind": part("Kind of the account.")},
			},
		},
	}
}

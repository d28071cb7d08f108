// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	shared "github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

const (
	powerOn  = "on"
	powerOff = "off"
)

// Schema describes the resource. What a change does is decided in ModifyPlan, since it depends on on_change and on what is
// known, so there are no plan modifiers here.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{}
	for _, part := range []map[string]schema.Attribute{
		machineArguments(), choiceArguments(), contentArguments(), lifeArguments(), priceArguments(), computedAttributes(), computedSizes(),
		manifestschema.OptionAttributes(kinds()),
	} {
		maps.Copy(attributes, part)
	}
	attributes["timeouts"] = shared.Timeouts(ctx, "`20m`", "`20m`", "`10m`", "`2m`")
	response.Schema = schema.Schema{
		MarkdownDescription: "A machine: a server, a droplet or a virtual machine, as the vendor of the account calls it. Its `id` is also the idempotency key that the vendor's object bears: " +
			"a create that was interrupted or whose answer was lost is carried on by the next apply, and never makes a second machine.",
		Attributes: attributes,
	}
}

func machineArguments() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		reference.Name: reference.ResourceAttribute(),
		"name": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Name of the machine at the vendor and of its host: an RFC 1123 host name of at most 63 characters. " +
				"Unique for a tenant on the account. A change renames the machine in place; the host name inside the guest stays.",
			Validators: []validator.String{hostName{}},
		},
		"labels": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Labels that the machine bears at the vendor. Which characters are allowed depends on the vendor and is checked in the plan; " +
				"the provider's own prefix is refused. Labels that others have put on are left alone. A change is made in place.",
			Validators: []validator.Map{mapvalidator.NoNullValues()},
		},
		"idempotency_key": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "A key of your own that the `id` is made from, in place of the name and the replacing arguments: 1 to 128 letters, digits and the characters `. _ : -`. " +
				"A change replaces the machine.",
			Validators: validators.IdempotencyKey(),
		},
	}
}

func contentArguments() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"image": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Image that the machine is made from: the vendor's name, id or slug. It is stored as written, and only a change of what is written matters: " +
				"the machine is replaced, or what `on_change.image` says. `image_id` is what it was resolved to.",
			Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"ssh_authorized_keys": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "OpenSSH public keys that cloud-init lets in for the image's default user. No key objects are made at the vendor. " +
				"They are merged into the user data, which must be a cloud-config then. A change does nothing on the machine, or what `on_change.ssh_authorized_keys` says.",
			Validators: []validator.Set{setvalidator.NoNullValues(), setvalidator.ValueStringsAre(publicKey{})},
		},
		"user_data": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "User data for cloud-init. It is in the state as given; `user_data_wo` is not. Its size in bytes, keys merged in, is checked in the plan " +
				"against the vendor's limit. A change replaces the machine, or does what `on_change.user_data` says.",
			Validators: []validator.String{stringvalidator.ConflictsWith(root("user_data_wo"), root("user_data_wo_version"))},
		},
		"user_data_wo": schema.StringAttribute{
			Optional: true, Sensitive: true, WriteOnly: true,
			MarkdownDescription: "User data for cloud-init that is never in plan or state. It needs `user_data_wo_version` and a CLI that has write-only arguments " +
				"(Terraform 1.11, OpenTofu 1.11). Exclusive with `user_data`.",
			Validators: []validator.String{stringvalidator.AlsoRequires(root("user_data_wo_version"))},
		},
		"user_data_wo_version": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Version of `user_data_wo`: any text or number. A change says that the value has changed: it replaces the machine, or does what `on_change.user_data` says.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1), stringvalidator.AlsoRequires(root("user_data_wo"))},
		},
		"on_change": onChangeAttribute(),
	}
}

func onChangeAttribute() schema.SingleNestedAttribute {
	policies := func(of, standard string) schema.StringAttribute {
		return schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "What a change of " + of + " does: `replace` makes a new machine; `reinstall` puts the image afresh on this one's disk, which is erased, as the plan warns; " +
				"`ignore` stores the value and does nothing, as the plan warns. Default: `" + standard + "`.",
			Validators: []validator.String{stringvalidator.OneOf(string(replace), string(reinstall), string(ignore))},
		}
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "What is done when an argument changes that a machine only reads at its first start.",
		Attributes: map[string]schema.Attribute{
			"image":               policies("`image`", string(replace)),
			"user_data":           policies("`user_data` or `user_data_wo_version`", string(replace)),
			"ssh_authorized_keys": policies("`ssh_authorized_keys`", string(ignore)),
		},
	}
}

func lifeArguments() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"power": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Power state that is kept: `on` or `off`. A machine that is found in the other one is switched by the next apply, in place. " +
				"Default: on at the create, then left alone.",
			Validators: []validator.String{stringvalidator.OneOf(powerOn, powerOff)},
		},
		"shutdown_timeout": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "How long the guest may take to stop by itself before its power is cut, for `power = \"off\"`, another offer, a reinstall and `shutdown_before_destroy`: " +
				"a duration such as `90s` or `2m`, `0s` cuts the power at once. Default: `60s`.",
			Validators: []validator.String{duration{}},
		},
		"shutdown_before_destroy": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether the guest is asked to stop, for at most `shutdown_timeout`, before the machine is destroyed. Default: `false`.",
		},
		allowStopping: schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether an apply may stop the machine for a change that it has to be off for, such as another offer. The guest is asked to stop, its power is cut " +
				"after `shutdown_timeout`, and when the change is made the machine gets the power state back that it had. Without it such a change of a machine that runs is an error in the plan. Default: `false`.",
		},
		"wait_for_address": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether a create waits for the machine's addresses where the vendor learns them from the guest: on Proxmox VE at most 60 seconds " +
				"for the guest agent, then with a warning. Elsewhere they are known at once. A change alone makes no call. Default: `true`.",
		},
	}
}

func priceArguments() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"max_price_per_hour": schema.NumberAttribute{
			Optional: true,
			MarkdownDescription: "The most that the offer of a new machine, or a changed offer, may cost an hour, gross, in the currency of the account's prices. A dearer one is an error in the plan; " +
				"an unpriced one passes, and a machine that keeps its offer is never touched for its price. Default: no limit.",
			Validators: []validator.Number{notNegative{}},
		},
	}
}

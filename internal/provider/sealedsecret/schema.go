// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package sealedsecret

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

const (
	attributeName   = "name"
	attributeTenant = "tenant_id"
	attributeValue  = "value_wo"
)

// model is the resource in configuration, plan and state.
type model struct {
	Name           types.String `tfsdk:"name"`
	TenantID       types.String `tfsdk:"tenant_id"`
	ValueWO        types.String `tfsdk:"value_wo"`
	ValueWOVersion types.String `tfsdk:"value_wo_version"`
	Ref            types.String `tfsdk:"ref"`
}

func (m model) entry() secret.Entry {
	return secret.Entry{Tenant: m.TenantID.ValueString(), Name: m.Name.ValueString()}
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// Schema tells the attributes.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "A value in the sealed file that the provider argument `secret_store` names. It is encrypted before it is written, and nothing " +
			"reads it back: plan and state hold its reference only.\n\nThe file is meant to be committed after the apply. Where the checkout is thrown away, as in " +
			"CI, put the value there once with the subcommand `secret put` instead.",
		Attributes: map[string]schema.Attribute{
			attributeName: schema.StringAttribute{
				Required: true, Validators: []validator.String{validators.Matching(namePattern, "1 to 128 letters, digits and the characters . _ -")},
				MarkdownDescription: "Name of the secret: 1 to 128 letters, digits and the characters `. _ -`. A change replaces the secret.",
			},
			attributeTenant: schema.StringAttribute{
				Optional: true, Computed: true, Validators: validators.Tenant(),
				MarkdownDescription: "Tenant that owns the secret: 1 to 128 letters, digits and the characters `. _ : -`. Default: the provider's `tenant_id`. " +
					"A change replaces the secret. One that exists keeps the tenant of its state.",
			},
			attributeValue: schema.StringAttribute{
				Required: true, WriteOnly: true, Validators: []validator.String{validators.Sound(secret.CheckValue)},
				MarkdownDescription: "The value: text of at most 65536 bytes without control characters other than tabs and line breaks. It is put into the file when " +
					"the secret is made and when `value_wo_version` changes.",
			},
			"value_wo_version": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Any text that changes with the value: a change of it puts `value_wo` into the file anew. Default: none.",
			},
			"ref": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Reference to the secret, `secret://TENANT/NAME`, known once the secret is made.",
			},
		},
	}
}

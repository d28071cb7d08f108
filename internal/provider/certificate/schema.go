// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"maps"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// maxDomains is the most that one managed certificate is for, as both vendors' authority has it.
const maxDomains = 100

var (
	namePattern   = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$`)
	domainPattern = regexp.MustCompile(`^(\*\.)?([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
)

// Schema describes the resource. What a change does is decided in ModifyPlan, since it depends on what is known and on what
// a PEM text says, so there are no plan modifiers here.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{}
	for _, part := range []map[string]schema.Attribute{arguments(), references(), texts(), computed()} {
		maps.Copy(attributes, part)
	}
	attributes["timeouts"] = timeoutsAttribute(ctx)
	response.Schema = schema.Schema{
		MarkdownDescription: "A TLS certificate for the vendor's load balancers: `managed`, which the vendor issues and renews, or `custom`, which is uploaded. " +
			"It is never changed: a change replaces it. With `create_before_destroy` the new one is there before the old one goes, under the same name. " +
			"Private keys are never in plan or state.",
		Attributes: attributes,
	}
}

func arguments() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		reference.Name: reference.ResourceAttribute(),
		"name": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Name of the certificate: a lower-case letter, then at most 41 lower-case letters, digits and hyphens, no hyphen at the end. " +
				"At the vendor it is followed by a part of our id, so that a certificate and its replacement can be there at the same time. A change replaces.",
			Validators: []validator.String{validators.Matching(namePattern, "a lower-case letter, followed by at most 41 lower-case letters, digits and hyphens, and no hyphen at its end")},
		},
		"kind": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "`managed`: the vendor issues the certificate for `domains` and renews it. `custom`: it is uploaded, by reference or as PEM. A change replaces.",
			Validators:          []validator.String{validators.OneOf(managed, custom)},
		},
		"domains": schema.SetAttribute{
			Optional: true, Computed: true, ElementType: types.StringType,
			MarkdownDescription: "Domains of a managed certificate, 1 to 100, `*.` in front for all of one level. Each must be in a DNS zone that the account hosts and that belongs to the " +
				"certificate's tenant: see `dns_zones` of the account. Of a custom certificate: the domains that it is for. A change replaces.",
			Validators: []validator.Set{
				setvalidator.SizeBetween(1, maxDomains), setvalidator.NoNullValues(),
				setvalidator.ValueStringsAre(validators.Matching(domainPattern, "a domain such as www.example.com or *.example.com")),
			},
		},
		"idempotency_key": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "A key of your own that the `id` is made from, in place of the name and the other arguments: 1 to 128 letters, digits and the characters `. _ : -`. " +
				"A change replaces.",
			Validators: validators.IdempotencyKey(),
		},
	}
}

func references() map[string]schema.Attribute {
	of := func(what string) schema.StringAttribute {
		return schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Reference to " + what + " as PEM: `env://NAME`, `vault://MOUNT/PATH#FIELD` or `secret://TENANT/NAME` of the own tenant. " +
				"It is resolved in the apply that uploads it, and in the plan that checks it. A change replaces.",
			Validators: []validator.String{validators.Sound(secret.Check)},
		}
	}
	return map[string]schema.Attribute{
		"certificate": of("the certificate, leaf first (a full chain may follow)"),
		"private_key": of("the private key"),
		"chain":       of("the certificates that lead from the leaf's issuer upwards, in order"),
		"references_version": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Version of what is behind the references: any text or number. A change says that it has changed, and replaces: " +
				"the references themselves stay the same when a certificate is renewed.",
			Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
		},
	}
}

func texts() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"certificate_pem": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "The certificate as PEM, leaf first (a full chain may follow), in place of a reference. Line ends, indentation, blank lines and comments do not matter: " +
				"another spelling of the same certificate changes nothing, another certificate replaces.",
			Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"chain_pem": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The certificates that lead from the leaf's issuer upwards, in order, as PEM. Another spelling of the same changes nothing.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"private_key_pem_wo": schema.StringAttribute{
			Optional: true, Sensitive: true, WriteOnly: true,
			MarkdownDescription: "The private key as PEM, which is never in plan or state. It needs `private_key_pem_wo_version` and a CLI that has write-only arguments " +
				"(Terraform 1.11, OpenTofu 1.11).",
		},
		"private_key_pem_wo_version": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Version of `private_key_pem_wo`: any text or number. A change replaces.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
	}
}

func computed() map[string]schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"id": text("Our id of the certificate, which its object at the vendor bears: `pcert_` and 52 characters, made from tenant, account and `idempotency_key` or, without one, " +
			"name, kind and content. Known in the plan, and kept through renewals."),
		"tenant_id":      text("Tenant that the certificate belongs to: the provider's `tenant_id` when it was made."),
		"certificate_id": text("The vendor's id of the certificate, for the vendor's load balancers. DigitalOcean gives a managed certificate another one when it renews it."),
		"managed": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the vendor's record bears the marks that say whose the certificate is. False after the import of a certificate without marks, or when they were wiped: " +
				"the next apply writes them.",
		},
		"state":       text("State of the certificate when it was last read: `pending`, `ready`, `deleting` or `error`."),
		"not_before":  text("When the certificate begins to be valid, as RFC 3339 in UTC; null where the vendor does not tell."),
		"not_after":   text("When the certificate ends to be valid, as RFC 3339 in UTC."),
		"fingerprint": text("SHA-256 of the certificate in lower-case hex; null where the vendor does not tell."),
	}
}

func timeoutsAttribute(ctx context.Context) schema.Attribute {
	const format = "a duration such as `90s` or `30m`."
	attribute := timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Update: true, Delete: true, Read: true,
		CreateDescription: "Time for a create, issuance included: " + format + " Default: `20m`.",
		UpdateDescription: "Time for a change in place: " + format + " Default: `20m`.",
		DeleteDescription: "Time for a destroy, which waits for load balancers to let go of the certificate: " + format + " Default: `10m`. It counts as it was last applied.",
		ReadDescription:   "Time for a refresh, and for the checks of a plan: " + format + " Default: `2m`.",
	})
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
		nested.MarkdownDescription = "How long each operation may take before it ends with an error. A change alone makes no call."
		return nested
	}
	return attribute
}

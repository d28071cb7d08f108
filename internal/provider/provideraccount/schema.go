// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount

import (
	"regexp"
	"strings"

	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

const (
	summaryDoc = "An account at a vendor: the kind, and a config that holds references to secrets, never secrets. It makes nothing at the " +
		"vendor. Everything that needs an account takes it whole, as `provider_account`."
	resourceDoc = summaryDoc + "\n\nThe data source of the same name gives the same object with nothing in the state; prefer it where " +
		"nothing else depends on the account being a resource. When an account resource changes, data sources that depend on it wait " +
		"for the apply.\n\nAn account cannot be imported: it exists in configuration and state only. Deleting it changes nothing at the vendor; a warning " +
		"names the machines that still bear the account's mark."
	dataSourceDoc = summaryDoc + "\n\nThe object is known in every plan, and there is no resource of it that could differ from what is written: a change of " +
		"the config reaches everything that uses the account at once."

	nameDoc           = "Name of the account: 1 to 63 lower-case letters, digits and the characters `. _ -`. A change is made in place and keeps the id."
	dataSourceNameDoc = "Name of the account: 1 to 63 lower-case letters, digits and the characters `. _ -`."
	tenantDoc         = "Tenant that owns the account: 1 to 128 letters, digits and the characters `. _ : -`. Default: the provider's `tenant_id`."
	keyDoc            = "Takes the place of the name in the account's id: 1 to 128 letters, digits and the characters `. _ : -`. Default: none."
	verifyDoc         = "Whether to resolve the token and to make one authenticated call with it, at plan and at apply; not as long as an argument is " +
		"unknown. A vendor that is out of reach is a warning at plan and an error at apply. Default: `true`."
	idDoc      = "Id of the account: `pacct_` and 52 characters. It follows from tenant, kind and name, or `idempotency_key`."
	configDoc  = "Config as canonical JSON of what is written, without defaults. It holds references to secrets, never secrets."
	versionDoc = "Number of configs that the account has had: 1, and one more with each change of the config."
	replaceDoc = " A change replaces the account. An account that exists keeps the tenant of its state."
)

var namePattern = regexp.MustCompile(`^[a-z0-9._-]{1,63}$`)

func nameValidators() []validator.String {
	return []validator.String{validators.Matching(namePattern, "1 to 63 lower-case letters, digits and the characters . _ -")}
}

func resourceSchema(kinds []driver.Kind) resourceschema.Schema {
	attributes := map[string]resourceschema.Attribute{
		attributeName: resourceschema.StringAttribute{Required: true, MarkdownDescription: nameDoc, Validators: nameValidators()},
		attributeTenantID: resourceschema.StringAttribute{
			Optional: true, Computed: true, MarkdownDescription: tenantDoc + replaceDoc, Validators: validators.Tenant(),
		},
		attributeIdempotencyKey: resourceschema.StringAttribute{
			Optional: true, MarkdownDescription: keyDoc + " A change replaces the account.", Validators: validators.IdempotencyKey(),
		},
		attributeVerify:  resourceschema.BoolAttribute{Optional: true, MarkdownDescription: verifyDoc},
		attributeID:      resourceschema.StringAttribute{Computed: true, MarkdownDescription: idDoc},
		attributeKind:    resourceschema.StringAttribute{Computed: true, MarkdownDescription: kindDoc(kinds) + " A change replaces the account."},
		attributeConfig:  resourceschema.StringAttribute{Computed: true, MarkdownDescription: configDoc},
		attributeVersion: resourceschema.Int64Attribute{Computed: true, MarkdownDescription: versionDoc},
	}
	for _, kind := range kinds {
		attributes[kind.Manifest.Attribute] = manifestschema.ResourceAttribute(kind.Manifest)
	}
	return resourceschema.Schema{MarkdownDescription: resourceDoc, Attributes: attributes}
}

func dataSourceSchema(kinds []driver.Kind) datasourceschema.Schema {
	attributes := map[string]datasourceschema.Attribute{
		attributeName: datasourceschema.StringAttribute{Required: true, MarkdownDescription: dataSourceNameDoc, Validators: nameValidators()},
		attributeTenantID: datasourceschema.StringAttribute{
			Optional: true, Computed: true, MarkdownDescription: tenantDoc, Validators: validators.Tenant(),
		},
		attributeIdempotencyKey: datasourceschema.StringAttribute{
			Optional: true, MarkdownDescription: keyDoc, Validators: validators.IdempotencyKey(),
		},
		attributeVerify:  datasourceschema.BoolAttribute{Optional: true, MarkdownDescription: verifyDoc},
		attributeID:      datasourceschema.StringAttribute{Computed: true, MarkdownDescription: idDoc},
		attributeKind:    datasourceschema.StringAttribute{Computed: true, MarkdownDescription: kindDoc(kinds)},
		attributeConfig:  datasourceschema.StringAttribute{Computed: true, MarkdownDescription: configDoc},
		attributeVersion: datasourceschema.Int64Attribute{Computed: true, MarkdownDescription: "Always 1: a data source has no history."},
	}
	for _, kind := range kinds {
		attributes[kind.Manifest.Attribute] = manifestschema.DataSourceAttribute(kind.Manifest)
	}
	return datasourceschema.Schema{MarkdownDescription: dataSourceDoc, Attributes: attributes}
}

func kindDoc(kinds []driver.Kind) string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = "`" + kind.Manifest.Kind + "`"
	}
	return "Kind of the account: " + strings.Join(names, ", ") + "."
}

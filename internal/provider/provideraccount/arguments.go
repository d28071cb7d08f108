// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// The names of the attributes besides those of the kinds.
const (
	attributeID             = "id"
	attributeName           = "name"
	attributeTenantID       = "tenant_id"
	attributeIdempotencyKey = "idempotency_key"
	attributeVerify         = "verify"
	attributeKind           = "kind"
	attributeConfig         = "config"
	attributeVersion        = "version"
)

// arguments are what the user writes about an account.
type arguments struct {
	name, tenantID, idempotencyKey types.String
	verify                         types.Bool
	sections                       []section
}

// section is the attribute of one kind, null where it is not written.
type section struct {
	manifest manifest.Manifest
	object   types.Object
}

func (s section) path() path.Path { return path.Root(s.manifest.Attribute) }

// attributes is a configuration, a plan or a state.
type attributes interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diag.Diagnostics
}

// readArguments reads the arguments by name: the list of kinds, and with it the schema, is not fixed in a Go type.
func readArguments(ctx context.Context, from attributes, kinds []driver.Kind) (arguments, diag.Diagnostics) {
	var written arguments
	diags := from.GetAttribute(ctx, path.Root(attributeName), &written.name)
	diags.Append(from.GetAttribute(ctx, path.Root(attributeTenantID), &written.tenantID)...)
	diags.Append(from.GetAttribute(ctx, path.Root(attributeIdempotencyKey), &written.idempotencyKey)...)
	diags.Append(from.GetAttribute(ctx, path.Root(attributeVerify), &written.verify)...)
	for _, kind := range kinds {
		next := section{manifest: kind.Manifest}
		diags.Append(from.GetAttribute(ctx, next.path(), &next.object)...)
		written.sections = append(written.sections, next)
	}
	return written, diags
}

// validate answers all that is wrong with the arguments together, each fault at its own path. What is unknown is left out.
func (a arguments) validate() diag.Diagnostics {
	var diags diag.Diagnostics
	written, open := a.written()
	for _, one := range written {
		diags.Append(manifestschema.Validate(one.manifest, one.object, one.path(), secret.Check)...)
	}
	switch {
	case len(written) > 1:
		diagnostics.Error(&diags, written[1].path(), driver.InvalidInput, "More than one kind of account",
			"An account is with one vendor: set exactly one of "+a.names()+".")
	case len(written) == 0 && open == 0:
		diagnostics.Error(&diags, path.Empty(), driver.InvalidInput, "No kind of account",
			"Set exactly one of "+a.names()+" to say which vendor the account is with.")
	}
	return diags
}

// written answers the sections that are there, and how many wholly unknown ones may turn out to be.
func (a arguments) written() (sections []section, open int) {
	for _, one := range a.sections {
		switch {
		case one.object.IsUnknown():
			open++
		case !one.object.IsNull():
			sections = append(sections, one)
		}
	}
	return sections, open
}

// chosen answers the section of the account's kind; false as long as it cannot be told.
func (a arguments) chosen() (section, bool) {
	written, open := a.written()
	if len(written) != 1 || open > 0 {
		return section{}, false
	}
	return written[0], true
}

// verifies says whether the account is to be tried; not as long as that is unknown.
func (a arguments) verifies() bool {
	return a.verify.IsNull() || a.verify.ValueBool()
}

func (a arguments) names() string {
	names := make([]string, len(a.sections))
	for i, one := range a.sections {
		names[i] = one.manifest.Attribute
	}
	return strings.Join(names, ", ")
}

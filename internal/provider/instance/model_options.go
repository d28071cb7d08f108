// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// Which options there are the list of kinds says, so they cannot be fields of a Go type: a model is read and written in two
// parts.

// source is a configuration, a plan or a state of the framework.
type source interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// target is a plan or a state of the framework.
type target interface {
	Set(ctx context.Context, value any) diag.Diagnostics
}

// read takes a model out of a configuration, a plan or a state.
func read(ctx context.Context, from source, diags *diag.Diagnostics) model {
	var out model
	var whole types.Object
	problems := from.Get(ctx, &whole)
	if diags.Append(problems...); problems.HasError() {
		return out
	}
	fixed, fixedTypes := whole.Attributes(), maps.Clone(whole.AttributeTypes(ctx))
	for _, name := range optionNames() {
		switch value := fixed[name].(type) {
		case types.Object:
			out.Options.nested = changed(out.Options.nested, name, value)
		default:
			out.Options.common = changed(out.Options.common, name, value)
		}
		delete(fixed, name)
		delete(fixedTypes, name)
	}
	rest, problems := types.ObjectValue(fixedTypes, fixed)
	diags.Append(problems...)
	written := out.Options
	diags.Append(rest.As(ctx, &out, basetypes.ObjectAsOptions{})...) // which makes the whole model anew
	out.Options = written
	return out
}

// write puts a model into a plan or a state of a schema.
func (m model) write(ctx context.Context, to target, schemaType attr.Type, diags *diag.Diagnostics) {
	object, ok := schemaType.(types.ObjectType)
	if !ok {
		diags.AddError("Unexpected schema", "The schema of a resource is no object. Please report this to the provider's authors.")
		return
	}
	fixedTypes := maps.Clone(object.AttrTypes)
	for _, name := range optionNames() {
		delete(fixedTypes, name)
	}
	fixed, problems := types.ObjectValueFrom(ctx, fixedTypes, m)
	all := fixed.Attributes()
	maps.Copy(all, m.optionAttributes())
	whole, faults := types.ObjectValue(object.AttrTypes, all)
	problems.Append(faults...)
	if diags.Append(problems...); !problems.HasError() {
		diags.Append(to.Set(ctx, whole)...)
	}
}

// optionAttributes are the options as attributes of the resource.
func (m model) optionAttributes() map[string]attr.Value {
	all := map[string]attr.Value{}
	for _, field := range commonFields() {
		all[field.Name] = m.Options.commonValue(field)
	}
	for _, kind := range kinds() {
		all[kind.Manifest.Attribute] = m.Options.object(kind)
	}
	return all
}

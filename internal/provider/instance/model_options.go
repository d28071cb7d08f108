// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

// Which options there are the list of kinds says, so they cannot be fields of a Go type: a model is read and written in two
// parts.

// target is a plan or a state of the framework.
type target interface {
	Set(ctx context.Context, value any) diag.Diagnostics
}

// read takes a model out of a configuration, a plan or a state.
func read(ctx context.Context, from attributes.Source, diags *diag.Diagnostics) model {
	var whole types.Object
	problems := from.Get(ctx, &whole)
	if diags.Append(problems...); problems.HasError() {
		return model{}
	}
	out, values := attributes.ModelOf[model](whole), whole.Attributes()
	for _, name := range optionNames() {
		switch value := values[name].(type) {
		case types.Object:
			out.Options.nested = changed(out.Options.nested, name, value)
		default:
			out.Options.common = changed(out.Options.common, name, value)
		}
	}
	return out
}

// write puts a model into a plan or a state.
func (m model) write(ctx context.Context, to target, diags *diag.Diagnostics) {
	diags.Append(to.Set(ctx, attributes.ObjectWith(ctx, m, m.optionAttributes()))...)
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

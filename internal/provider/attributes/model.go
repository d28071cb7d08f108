// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package attributes

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The plugin framework reads an object into a structure and writes it back by itself, but looks the names of all fields up
// anew each time, with a regular expression that it compiles for each field: half of what this provider adds to the
// framework's own time in a plan. Here the names of a type are looked up once.
var names sync.Map

// namesOf answers the attribute of each field of a structure whose fields all bear `tfsdk` tags; "-" is none.
func namesOf(model reflect.Type) []string {
	if known, there := names.Load(model); there {
		return known.([]string) //nolint:forcetypeassert // only these are stored
	}
	found := make([]string, model.NumField())
	for i := range found {
		found[i] = model.Field(i).Tag.Get("tfsdk")
	}
	names.Store(model, found)
	return found
}

// Source is a configuration, a plan or a state of the framework.
type Source interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// Read takes a model, a structure of attr.Values, out of a configuration, a plan or a state. A model that is not that of the
// schema is a mistake in the provider and panics.
func Read[Model any](ctx context.Context, from Source, diags *diag.Diagnostics) (model Model) {
	var object types.Object
	diags.Append(from.Get(ctx, &object)...)
	if diags.HasError() {
		return model
	}
	return ModelOf[Model](object)
}

// ModelOf takes a model out of an object that has its attributes, and maybe others. Of a null object all values are null.
func ModelOf[Model any](object types.Object) (model Model) {
	if object.IsNull() {
		return model
	}
	values, into := object.Attributes(), reflect.ValueOf(&model).Elem()
	for i, name := range namesOf(into.Type()) {
		if name == "-" {
			continue
		}
		value, there := values[name]
		if !there {
			panic(fmt.Sprintf("%T has %q, which the schema has not", model, name))
		}
		into.Field(i).Set(reflect.ValueOf(value))
	}
	return model
}

// Object is a model as one value, for a plan or a state to be set to.
func Object(ctx context.Context, model any) types.Object { return ObjectWith(ctx, model, nil) }

// ObjectWith is Object with further attributes, which are no fields of the model.
func ObjectWith(ctx context.Context, model any, further map[string]attr.Value) types.Object {
	from, values := reflect.ValueOf(model), map[string]attr.Value{}
	for i, name := range namesOf(from.Type()) {
		if name == "-" {
			continue
		}
		value, ok := from.Field(i).Interface().(attr.Value)
		if !ok {
			panic(fmt.Sprintf("%s of %T is no attr.Value", name, model))
		}
		values[name] = value
	}
	maps.Copy(values, further)
	of := map[string]attr.Type{}
	for name, value := range values {
		of[name] = value.Type(ctx)
	}
	return types.ObjectValueMust(of, values)
}

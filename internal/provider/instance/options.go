// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

// options are the arguments of a machine that come from the kinds of accounts: see driver.Option. What is missing is null.
type options struct {
	// common are those that mean the same at every vendor, by name.
	common map[string]attr.Value
	// nested are the arguments that have the kinds' names.
	nested map[string]types.Object
}

// kinds are all kinds of accounts. The list makes every manifest anew.
var kinds = sync.OnceValue(cloud.Kinds)

// commonFields describe the options that all kinds name alike.
var commonFields = sync.OnceValue(driver.CommonFields)

// kindOf is the kind of the account that a model names; false while that is not known.
func kindOf(m model) (driver.Kind, bool) {
	return kindNamed(attributes.TextOf(m.ProviderAccount, "kind").ValueString())
}

func kindNamed(name string) (driver.Kind, bool) {
	at := slices.IndexFunc(kinds(), func(kind driver.Kind) bool { return kind.Manifest.Kind == name })
	if at < 0 {
		return driver.Kind{}, false
	}
	return kinds()[at], true
}

// optionNames are the attributes of the resource that are options.
func optionNames() []string {
	var names []string
	for _, field := range commonFields() {
		names = append(names, field.Name)
	}
	for _, kind := range kinds() {
		names = append(names, kind.Manifest.Attribute)
	}
	return names
}

// optionPath is the argument that an option of a kind is written in.
func optionPath(kind driver.Kind, option driver.Option) path.Path {
	if option.Common {
		return path.Root(option.Name)
	}
	return path.Root(kind.Manifest.Attribute).AtName(option.Name)
}

// value answers an option of a kind.
func (o options) value(kind driver.Kind, option driver.Option) attr.Value {
	if option.Common {
		return o.commonValue(option.Field)
	}
	return inner(o.object(kind), option.Field)
}

func (o options) commonValue(field manifest.Field) attr.Value {
	if value, there := o.common[field.Name]; there {
		return value
	}
	return manifestschema.Encode(field, nil)
}

// object answers the nested argument of a kind.
func (o options) object(kind driver.Kind) types.Object {
	if object, there := o.nested[kind.Manifest.Attribute]; there {
		return object
	}
	return types.ObjectNull(manifestschema.OptionTypes(kind))
}

// inner answers an attribute of an object that may be null or unknown.
func inner(object types.Object, field manifest.Field) attr.Value {
	if object.IsUnknown() {
		return manifestschema.Unknown(field)
	}
	if value, there := object.Attributes()[field.Name]; there {
		return value
	}
	return manifestschema.Encode(field, nil)
}

// with answers the options with one of a kind changed.
func (o options) with(kind driver.Kind, option driver.Option, value attr.Value) options {
	if option.Common {
		o.common = changed(o.common, option.Name, value)
		return o
	}
	own := map[string]attr.Value{}
	for _, field := range kind.OptionManifest().Fields {
		own[field.Name] = inner(o.object(kind), field)
	}
	own[option.Name] = value
	return o.withObject(kind, types.ObjectValueMust(manifestschema.OptionTypes(kind), own))
}

func (o options) withObject(kind driver.Kind, object types.Object) options {
	o.nested = changed(o.nested, kind.Manifest.Attribute, object)
	return o
}

// changed answers a copy: models share what is in their maps.
func changed[V any](values map[string]V, name string, value V) map[string]V {
	values = maps.Clone(values)
	if values == nil {
		values = map[string]V{}
	}
	values[name] = value
	return values
}

// values answers the options of a kind that are written and known; known is false while one is not.
func (o options) values(kind driver.Kind) (values manifest.Values, known bool) {
	values, known = manifest.Values{}, true
	for _, option := range kind.Options {
		value, ok := manifestschema.Value(o.value(kind, option))
		known = known && ok
		if value != nil {
			values[option.Name] = value
		}
	}
	return values, known
}

// filled answers what is written, and in the place of what is not another value: of the options that all have, and of a
// kind's nested argument.
func (o options) filled(common func(manifest.Field) attr.Value, nested func(driver.Kind) types.Object) options {
	for _, field := range commonFields() {
		if o.commonValue(field).IsNull() {
			o.common = changed(o.common, field.Name, common(field))
		}
	}
	for _, kind := range kinds() {
		written, other := o.object(kind), nested(kind)
		if written.IsNull() {
			o = o.withObject(kind, other)
			continue
		}
		for _, option := range kind.Options {
			if !option.Common && !written.IsUnknown() && o.value(kind, option).IsNull() {
				o = o.with(kind, option, inner(other, option.Field))
			}
		}
	}
	return o
}

// showing answers the options of a machine of a kind as its vendor shows them; what it does not show is null.
func showing(kind driver.Kind, shown manifest.Values) options {
	var o options
	for _, option := range kind.Options {
		o = o.with(kind, option, manifestschema.Encode(option.Field, shown[option.Name]))
	}
	return o
}

// settled answers a plan's options with what it left open as the vendor shows it.
func (o options) settled(seen options) options {
	for _, field := range commonFields() {
		if o.commonValue(field).IsUnknown() {
			o.common = changed(o.common, field.Name, seen.commonValue(field))
		}
	}
	for _, kind := range kinds() {
		if o.object(kind).IsUnknown() {
			o = o.withObject(kind, seen.object(kind))
			continue
		}
		for _, option := range kind.Options {
			if !option.Common && o.value(kind, option).IsUnknown() {
				o = o.with(kind, option, seen.value(kind, option))
			}
		}
	}
	return o
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifestschema

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// Validate answers everything that is wrong with what was written in the manifest's object at root, each fault at its own
// path. What is unknown is not judged yet, and as long as anything is, neither are fields that depend on each other.
// checkReference judges the text of a secret field; no message repeats such a text.
func Validate(m manifest.Manifest, object types.Object, root path.Path, checkReference func(string) error) diag.Diagnostics {
	values, known := Decode(object)
	if !known {
		m.Check = nil
	}
	var diags diag.Diagnostics
	for _, fault := range m.Validate(values, checkReference) {
		if toldAlready(m.Fields, object, fault.Path) {
			continue
		}
		where := locate(m.Fields, root, fault.Path)
		diagnostics.Error(&diags, where, driver.InvalidInput, fmt.Sprintf("Invalid %s", where), fmt.Sprintf("%s %s.", where, fault.Message))
	}
	return diags
}

// toldAlready says whether a fault is about a value that is not known yet, or about a required one that is null, which the
// framework reports by itself.
func toldAlready(fields []manifest.Field, object types.Object, names []string) bool {
	var value attr.Value = object
	required := false
	for _, name := range names {
		if value.IsUnknown() || value.IsNull() {
			return value.IsUnknown()
		}
		field := find(fields, name)
		value, fields, required = element(value, name), field.Fields, field.Required
		if value == nil {
			return false
		}
	}
	return value.IsNull() && required || holdsUnknown(value)
}

// element answers the part of a value that the name or index leads to; nil: there is none.
func element(value attr.Value, name string) attr.Value {
	switch value := value.(type) {
	case types.Object:
		return value.Attributes()[name]
	case types.Map:
		return value.Elements()[name]
	case types.List:
		if index, err := strconv.Atoi(name); err == nil && index >= 0 && index < len(value.Elements()) {
			return value.Elements()[index]
		}
	}
	return nil
}

// holdsUnknown says whether a value is unknown, or a map or list that Decode left out for an element that is.
func holdsUnknown(value attr.Value) bool {
	_, known := decode(value)
	return !known
}

// locate answers the path of a fault: names of fields, keys of maps, indices of lists.
func locate(fields []manifest.Field, root path.Path, names []string) path.Path {
	where, kind := root, manifest.Object
	for _, name := range names {
		switch kind {
		case manifest.StringMap:
			where = where.AtMapKey(name)
		case manifest.StringList:
			index, err := strconv.Atoi(name)
			if err != nil {
				return where
			}
			where = where.AtListIndex(index)
		case manifest.Object:
			where = where.AtName(name)
		default:
			return where
		}
		field := find(fields, name)
		kind, fields = field.Type, field.Fields
	}
	return where
}

// find answers the field with this name; the zero Field, which has no type, for the element of a map or a list.
func find(fields []manifest.Field, name string) manifest.Field {
	for _, field := range fields {
		if field.Name == name {
			return field
		}
	}
	return manifest.Field{}
}

// Paths answers where the fields of the manifest's config stand below root, by the names that errors of a driver use:
// token, snippets.sftp.private_key.
func Paths(m manifest.Manifest, root path.Path) map[string]path.Path {
	paths := map[string]path.Path{}
	gather(paths, m.Fields, root, "")
	return paths
}

func gather(paths map[string]path.Path, fields []manifest.Field, root path.Path, prefix string) {
	for _, field := range fields {
		paths[prefix+field.Name] = root.AtName(field.Name)
		gather(paths, field.Fields, root.AtName(field.Name), prefix+field.Name+".")
	}
}

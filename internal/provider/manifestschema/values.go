// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifestschema

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Decode answers what was written in a manifest's object. What is null is left out, and so is what is unknown or holds
// something unknown, a whole map or list with it; known is false then.
func Decode(object types.Object) (values manifest.Values, known bool) {
	if object.IsUnknown() {
		return manifest.Values{}, false
	}
	values, known = make(manifest.Values), true
	for name, attribute := range object.Attributes() {
		value, ok := decode(attribute)
		known = known && ok
		if value != nil {
			values[name] = value
		}
	}
	return values, known
}

// decode answers nil for what is null or unknown.
func decode(attribute attr.Value) (value any, known bool) {
	if attribute.IsUnknown() || attribute.IsNull() {
		return nil, !attribute.IsUnknown()
	}
	switch attribute := attribute.(type) {
	case types.String:
		return attribute.ValueString(), true
	case types.Int64:
		return attribute.ValueInt64(), true
	case types.Bool:
		return attribute.ValueBool(), true
	case types.Map:
		return decodeMap(attribute)
	case types.List:
		return decodeList(attribute.Elements())
	case types.Set:
		return decodeList(attribute.Elements())
	case types.Object:
		return Decode(attribute)
	}
	panic(fmt.Sprintf("an attribute of type %T came from no manifest", attribute))
}

func decodeMap(attribute types.Map) (any, bool) {
	texts := make(map[string]string, len(attribute.Elements()))
	for key, element := range attribute.Elements() {
		text, ok := element.(types.String)
		if !ok || text.IsUnknown() {
			return nil, false
		}
		if !text.IsNull() {
			texts[key] = text.ValueString()
		}
	}
	return texts, true
}

// decodeList keeps the place of a null element, as an empty text: faults name elements by their index.
func decodeList(elements []attr.Value) (any, bool) {
	texts := make([]string, 0, len(elements))
	for _, element := range elements {
		text, ok := element.(types.String)
		if !ok || text.IsUnknown() {
			return nil, false
		}
		texts = append(texts, text.ValueString())
	}
	return texts, true
}

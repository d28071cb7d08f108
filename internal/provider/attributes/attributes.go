// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package attributes holds what resources do with values that may be null or unknown.
package attributes

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// TextOf answers a text inside an object; null when the object or the text is null, unknown when either is unknown.
func TextOf(object types.Object, name string) types.String {
	if object.IsUnknown() {
		return types.StringUnknown()
	}
	value, ok := object.Attributes()[name].(basetypes.StringValue)
	if !ok {
		return types.StringNull()
	}
	return value
}

// ObjectOf answers an object inside an object, likewise.
func ObjectOf(object types.Object, name string, shape map[string]attr.Type) types.Object {
	if object.IsUnknown() {
		return types.ObjectUnknown(shape)
	}
	value, ok := object.Attributes()[name].(basetypes.ObjectValue)
	if !ok {
		return types.ObjectNull(shape)
	}
	return value
}

// SameText compares two texts where null and empty are the same. What is unknown is the same as nothing.
func SameText(a, b types.String) bool {
	return !a.IsUnknown() && !b.IsUnknown() && a.ValueString() == b.ValueString()
}

// Fill replaces a value that is unknown.
func Fill[T attr.Value](target *T, value T) {
	if (*target).IsUnknown() {
		*target = value
	}
}

// Text is a text, null when it is empty.
func Text(value string) types.String {
	if value == "" {
		return types.StringNull()
	}
	return types.StringValue(value)
}

// Moment is a time as RFC 3339 in UTC, null when it is zero.
func Moment(at time.Time) types.String {
	if at.IsZero() {
		return types.StringNull()
	}
	return types.StringValue(at.UTC().Format(time.RFC3339))
}

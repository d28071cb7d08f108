// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifest

import (
	"maps"
	"slices"
)

// String answers the value of a String field, empty when it is absent.
func (v Values) String(name string) string {
	text, _ := v[name].(string)
	return text
}

// Integer answers the value of an Integer field, 0 when it is absent.
func (v Values) Integer(name string) int64 {
	number, _ := v[name].(int64)
	return number
}

// Boolean answers the value of a Boolean field, false when it is absent.
func (v Values) Boolean(name string) bool {
	truth, _ := v[name].(bool)
	return truth
}

// StringMap answers the value of a StringMap field, nil when it is absent.
func (v Values) StringMap(name string) map[string]string {
	texts, _ := v[name].(map[string]string)
	return texts
}

// StringList answers the value of a StringList field, nil when it is absent.
func (v Values) StringList(name string) []string {
	texts, _ := v[name].([]string)
	return texts
}

// Object answers the value of an Object field, nil when it is absent.
func (v Values) Object(name string) Values {
	object, _ := v[name].(Values)
	return object
}

// WithDefaults answers a deep copy of values in which every field that is not written has its default. The fields of an
// object get theirs only where the object itself is written.
func (m Manifest) WithDefaults(values Values) Values {
	return withDefaults(m.Fields, values)
}

func withDefaults(fields []Field, values Values) Values {
	result := written(values)
	for _, field := range fields {
		value, there := result[field.Name]
		if !there && field.Default != nil {
			result[field.Name] = clone(field.Default)
			continue
		}
		if object, ok := value.(Values); ok {
			result[field.Name] = withDefaults(field.Fields, object)
		}
	}
	return result
}

// written answers a deep copy without what is null or empty, at any depth; it is never nil.
func written(values Values) Values {
	result := make(Values, len(values))
	for name, value := range values {
		if !empty(value) {
			result[name] = clone(value)
		}
	}
	return result
}

// empty says whether a value counts as not written. False and zero are written.
func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case map[string]string:
		return len(value) == 0
	case []string:
		return len(value) == 0
	case Values:
		for _, inner := range value {
			if !empty(inner) {
				return false
			}
		}
		return true
	}
	return false
}

func clone(value any) any {
	switch value := value.(type) {
	case map[string]string:
		return maps.Clone(value)
	case []string:
		return slices.Clone(value)
	case Values:
		return written(value)
	}
	return value
}

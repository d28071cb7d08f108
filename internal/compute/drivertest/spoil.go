// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// FieldPaths answers the paths of all fields of a JSON text, with * for the elements of lists; none where it is not JSON.
func FieldPaths(text []byte) []string {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	found := map[string]bool{}
	collect(value, "", found)
	return slices.Sorted(maps.Keys(found))
}

func collect(value any, at string, found map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			path := strings.TrimPrefix(at+"."+name, ".")
			found[path] = true
			collect(inner, path, found)
		}
	case []any:
		for _, inner := range value {
			collect(inner, at+".*", found)
		}
	}
}

// spoilings are the ways in which a field is spoilt.
var spoilings = map[string]func(object map[string]any, name string){
	"dropped": func(object map[string]any, name string) { delete(object, name) },
	"null":    func(object map[string]any, name string) { object[name] = nil },
	"mistyped": func(object map[string]any, name string) {
		if _, isText := object[name].(string); isText {
			object[name] = map[string]any{"unexpected": []any{1.5}}
		} else {
			object[name] = "unexpected"
		}
	},
}

// Spoilings are the names of the ways in which a field can be spoilt, in order.
func Spoilings() []string { return slices.Sorted(maps.Keys(spoilings)) }

// Spoil answers the JSON text with a field spoilt wherever its path leads.
func Spoil(text []byte, path, how string) []byte {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return text
	}
	spoilAt(value, strings.Split(path, "."), spoilings[how])
	out, err := json.Marshal(value)
	if err != nil {
		return text
	}
	return out
}

func spoilAt(value any, path []string, how func(map[string]any, string)) {
	switch value := value.(type) {
	case map[string]any:
		inner, there := value[path[0]]
		switch {
		case !there:
		case len(path) == 1:
			how(value, path[0])
		default:
			spoilAt(inner, path[1:], how)
		}
	case []any:
		for _, inner := range value {
			spoilAt(inner, path[1:], how)
		}
	}
}

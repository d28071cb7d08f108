// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Setters say how a field of control's body changes an object.
type Setters map[string]func(json.RawMessage) error

// Apply sets the fields, all or, at the first unknown or unfit one, none after it.
func (s Setters) Apply(fields map[string]json.RawMessage) error {
	for name := range fields {
		if s[name] == nil {
			return fmt.Errorf("there is no field %q; known are %q", name, slices.Sorted(maps.Keys(s)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := s[name](fields[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Into sets a value whose JSON is the field's own.
func Into[T any](value *T) func(json.RawMessage) error {
	return func(raw json.RawMessage) error { return json.Unmarshal(raw, value) }
}

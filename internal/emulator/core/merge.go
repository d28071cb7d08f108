// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"bytes"
	"encoding/json"
	"fmt"
)

func toDocument(settings Settings) (map[string]json.RawMessage, error) {
	data, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	var document map[string]json.RawMessage
	return document, json.Unmarshal(data, &document)
}

// mergeValue merges one value: objects key by key, everything else whole, null is the default.
func mergeValue(old, change, fallback json.RawMessage) (json.RawMessage, error) {
	change = bytes.TrimSpace(change)
	if bytes.Equal(change, []byte("null")) {
		return fallback, nil
	}
	if !isObject(change) || !isObject(old) {
		return change, nil
	}
	merged, err := members(old)
	if err != nil {
		return nil, err
	}
	changes, err := members(change)
	if err != nil {
		return nil, err
	}
	fallbacks, err := members(fallback)
	if err != nil {
		return nil, err
	}
	for key, value := range changes {
		next, err := mergeValue(merged[key], value, fallbacks[key])
		if err != nil {
			return nil, err
		}
		merged[key] = next
		if next == nil {
			delete(merged, key)
		}
	}
	return json.Marshal(merged)
}

func isObject(value json.RawMessage) bool { return len(value) > 0 && value[0] == '{' }

// members are the members of an object; anything else has none.
func members(value json.RawMessage) (map[string]json.RawMessage, error) {
	found := map[string]json.RawMessage{}
	if !isObject(value) {
		return found, nil
	}
	return found, json.Unmarshal(value, &found)
}

func decodeStrict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return fmt.Errorf("more than one JSON value")
	}
	return nil
}

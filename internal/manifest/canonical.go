// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// format is the number of the canonical form that this release writes and reads.
const format = 1

// Canonical answers the one JSON text of what was written, for a validated config:
//
//	{"config":{"location":"nbg1","token":"env://HCLOUD_TOKEN"},"format":1}
//
// Keys are sorted, null and empty values dropped, defaults not filled in: a new default changes no text.
func (m Manifest) Canonical(values Values) (string, error) {
	check := validation{checkReference: func(string) error { return nil }}
	check.types(m.Fields, values, nil)
	if len(check.faults) > 0 {
		return "", check.faults[0].asError()
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"format": format, "config": written(values)}); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

// types gathers unknown fields and values of the wrong type, nothing else.
func (v *validation) types(fields []Field, values Values, path []string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		field, known := find(fields, name)
		if !known {
			v.add(below(path, name), "is not a field of this config; the fields are "+names(fields))
			continue
		}
		if !empty(value) && !field.Type.holds(value) {
			v.add(below(path, name), "must be "+field.Type.noun())
			continue
		}
		if object, ok := value.(Values); ok {
			v.types(field.Fields, object, below(path, name))
		}
	}
}

// Parse reads what Canonical wrote. Its errors name fields and never repeat values.
func (m Manifest) Parse(canonical string) (Values, error) {
	var envelope struct {
		Format int            `json:"format"`
		Config map[string]any `json:"config"`
	}
	decoder := json.NewDecoder(strings.NewReader(canonical))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&envelope); err != nil {
		return nil, errors.New("the config of the account is not the JSON that this provider writes")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("the config of the account has text after its JSON")
	}
	if envelope.Format != format {
		return nil, fmt.Errorf("the config of the account has format %d, this release of the provider knows format %d: use a newer release",
			envelope.Format, format)
	}
	return parseObject(m.Fields, envelope.Config, nil)
}

func parseObject(fields []Field, object map[string]any, path []string) (Values, error) {
	values := Values{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		raw := object[name]
		field, known := find(fields, name)
		if !known {
			return nil, Fault{Path: below(path, name), Message: "is not a field of this config; the fields are " + names(fields)}.asError()
		}
		value, err := parseValue(field, raw, below(path, name))
		if err != nil {
			return nil, err
		}
		if !empty(value) {
			values[name] = value
		}
	}
	return values, nil
}

// parseValue turns the JSON value of a field into its Go type.
func parseValue(field Field, raw any, path []string) (any, error) {
	wrong := Fault{Path: path, Message: "must be " + field.Type.noun()}.asError()
	switch raw := raw.(type) {
	case nil:
		return nil, nil
	case string, bool:
		if field.Type.holds(raw) {
			return raw, nil
		}
	case json.Number:
		if number, err := raw.Int64(); err == nil && field.Type == Integer {
			return number, nil
		}
	case []any:
		if field.Type == StringList || field.Type == StringSet {
			return parseList(raw, wrong)
		}
	case map[string]any:
		if field.Type == Object {
			return parseObject(field.Fields, raw, path)
		}
		if field.Type == StringMap {
			return parseMap(raw, wrong)
		}
	}
	return nil, wrong
}

func parseList(raw []any, wrong error) (any, error) {
	list := make([]string, len(raw))
	for i, element := range raw {
		text, ok := element.(string)
		if !ok {
			return nil, wrong
		}
		list[i] = text
	}
	return list, nil
}

func parseMap(raw map[string]any, wrong error) (any, error) {
	texts := make(map[string]string, len(raw))
	for key, element := range raw {
		text, ok := element.(string)
		if !ok {
			return nil, wrong
		}
		texts[key] = text
	}
	return texts, nil
}

func find(fields []Field, name string) (Field, bool) {
	i := slices.IndexFunc(fields, func(field Field) bool { return field.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return fields[i], true
}

func (f Fault) asError() error {
	return fmt.Errorf("%s %s", strings.Join(f.Path, "."), f.Message)
}

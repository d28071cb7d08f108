// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// At puts what Field.Check finds in a map or a list at one element: its key, or its index in decimal. Several of them
// are joined with errors.Join.
func At(element, message string) error {
	return &elementError{element: element, message: message}
}

type elementError struct{ element, message string }

func (e *elementError) Error() string { return e.element + ": " + e.message }

// secretWords end the name of every string field that must be a reference.
var secretWords = []string{"token", "secret", "password", "key"}

// Validate answers everything that is wrong with a config as it was written, in the order of the fields. checkReference
// says what is wrong with the text of a secret field. No message repeats the value of a secret field. Where the fields
// are sound, Manifest.Check sees the config with its defaults.
func (m Manifest) Validate(values Values, checkReference func(string) error) []Fault {
	check := validation{checkReference: checkReference}
	check.object(m.Fields, values, nil)
	if len(check.faults) == 0 && m.Check != nil {
		return m.Check(m.WithDefaults(values))
	}
	return check.faults
}

// validation gathers faults.
type validation struct {
	checkReference func(string) error
	faults         []Fault
}

func (v *validation) add(path []string, message string) {
	v.faults = append(v.faults, Fault{Path: slices.Clone(path), Message: message})
}

func (v *validation) object(fields []Field, values Values, path []string) {
	known := make(map[string]bool, len(fields))
	for _, field := range fields {
		known[field.Name] = true
		v.field(field, values[field.Name], below(path, field.Name))
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !known[name] {
			v.add(below(path, name), "is not a field of this config; the fields are "+names(fields))
		}
	}
}

func (v *validation) field(field Field, value any, path []string) {
	if empty(value) {
		if field.Required {
			v.add(path, "is required")
		}
		return
	}
	if !field.Type.holds(value) {
		v.add(path, "must be "+field.Type.noun())
		return
	}
	before := len(v.faults)
	switch value := value.(type) {
	case string:
		v.text(field, value, path)
	case map[string]string:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			v.text(field, value[key], below(path, key))
		}
	case []string:
		for i, text := range value {
			v.text(field, text, below(path, strconv.Itoa(i)))
		}
	case Values:
		v.object(field.Fields, value, path)
	}
	if len(v.faults) == before && field.Check != nil {
		v.checked(field.Check(value), path)
	}
}

// text judges one string: a reference where the field is secret, else one of the allowed values.
func (v *validation) text(field Field, text string, path []string) {
	if field.secret() {
		if err := v.checkReference(text); err != nil {
			v.add(path, err.Error())
		}
		return
	}
	if len(field.Allowed) > 0 && !slices.Contains(field.Allowed, text) {
		v.add(path, fmt.Sprintf("must be one of %s, not %q", quoted(field.Allowed), text))
	}
}

// checked adds what a field's own Check has found, joined errors one by one.
func (v *validation) checked(err error, path []string) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, inner := range joined.Unwrap() {
			v.checked(inner, path)
		}
		return
	}
	if element, ok := errors.AsType[*elementError](err); ok {
		v.add(below(path, element.element), element.message)
		return
	}
	v.add(path, err.Error())
}

// secret says whether the texts of the field must be references.
func (f Field) secret() bool {
	return f.Secret || f.Type == String && endsInSecretWord(f.Name)
}

func endsInSecretWord(name string) bool {
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.HasSuffix(name, word) })
}

func (t Type) holds(value any) bool {
	switch value.(type) {
	case string:
		return t == String
	case int64:
		return t == Integer
	case bool:
		return t == Boolean
	case map[string]string:
		return t == StringMap
	case []string:
		return t == StringList || t == StringSet
	case Values:
		return t == Object
	}
	return false
}

func (t Type) noun() string {
	switch t {
	case String:
		return "a string"
	case Integer:
		return "a whole number"
	case Boolean:
		return "true or false"
	case StringMap:
		return "a map of strings"
	case StringList:
		return "a list of strings"
	case Object:
		return "an object"
	case StringSet:
		return "a set of strings"
	}
	return "of a type that does not exist"
}

func below(path []string, element string) []string {
	return append(slices.Clone(path), element)
}

func names(fields []Field) string {
	list := make([]string, len(fields))
	for i, field := range fields {
		list[i] = field.Name
	}
	return strings.Join(list, ", ")
}

func quoted(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = strconv.Quote(text)
	}
	return strings.Join(list, ", ")
}

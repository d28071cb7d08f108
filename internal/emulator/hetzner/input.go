// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// fields are the fields of a request's body. Reading one of the wrong type notes an error; unknown ones are ignored,
// as the vendor does.
type fields struct {
	values map[string]json.RawMessage
	errors []fieldError
}

// fields reads the body. An empty body is an object without fields, as in actions.
func (c *call) fields() (*fields, *core.Answer) {
	in := &fields{values: map[string]json.RawMessage{}}
	if len(c.Body) == 0 {
		return in, nil
	}
	if err := json.Unmarshal(c.Body, &in.values); err != nil {
		return nil, new(failure(http.StatusBadRequest, "json_error", "request body is not a JSON object", nil))
	}
	return in, nil
}

// fail notes what is wrong with a field's form.
func (f *fields) fail(field, message string) {
	f.errors = append(f.errors, fieldError{field: field, message: message})
}

// refuse notes what is wrong with what a field names; alone it is the whole message, as live answers show
// ("location 'ash' not found", "unsupported location for server type").
func (f *fields) refuse(field, message string) {
	f.errors = append(f.errors, fieldError{field: field, message: message, whole: true})
}

// answer is the 422 that names all wrong fields, nil without any.
func (f *fields) answer() *core.Answer {
	if len(f.errors) == 0 {
		return nil
	}
	return new(invalidFields(f.errors))
}

// has says whether a field is there and not null.
func (f *fields) has(field string) bool {
	value, found := f.values[field]
	return found && string(value) != "null"
}

// read decodes a field into a value and says whether it was there and fits.
func (f *fields) read(field string, into any, what string) bool {
	if !f.has(field) {
		return false
	}
	if err := json.Unmarshal(f.values[field], into); err != nil {
		f.fail(field, "must be "+what)
		return false
	}
	return true
}

func (f *fields) text(field string) (value string, found bool) {
	found = f.read(field, &value, "a string")
	return value, found
}

func (f *fields) flag(field string, fallback bool) bool {
	value := fallback
	f.read(field, &value, "a boolean")
	return value
}

// labels reads and checks the field "labels".
func (f *fields) labels() (labels map[string]string, found bool) {
	if !f.read("labels", &labels, "an object with string values") {
		return nil, false
	}
	if problem := checkLabels(labels); problem != "" {
		f.fail("labels", problem)
		return nil, false
	}
	return labels, true
}

// reference reads an id or a name, which may be a number or a string.
func (f *fields) reference(field string) string {
	var value any
	if !f.read(field, &value, "a number or a string") {
		return ""
	}
	name := referenceText(f.values[field], value)
	if name == "" {
		f.fail(field, "must be a number or a string")
	}
	return name
}

func referenceText(raw json.RawMessage, value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strings.TrimSpace(string(raw))
	}
	return ""
}

var hostLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

// hostName checks a server's name: a host name by RFC 1123, so no underscore (Hetzner API document, POST /servers).
func (f *fields) hostName(field, name string) {
	if name == "" || len(name) > 253 {
		f.fail(field, "must have 1 to 253 characters")
		return
	}
	for label := range strings.SplitSeq(name, ".") {
		if !hostLabel.MatchString(label) {
			f.fail(field, "is not a valid hostname")
			return
		}
	}
}

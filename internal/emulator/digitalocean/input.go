// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// fields are the fields of a request's body. Unknown ones are ignored, as the vendor does; the first that is wrong is
// what the answer names.
type fields struct {
	values  map[string]json.RawMessage
	problem *core.Answer
}

// fields reads the body.
func (c *call) fields() (*fields, *core.Answer) {
	in := &fields{values: map[string]json.RawMessage{}}
	if len(c.Body) == 0 {
		return in, nil
	}
	if err := json.Unmarshal(c.Body, &in.values); err != nil {
		return nil, new(failure(http.StatusBadRequest, messages[http.StatusBadRequest]))
	}
	return in, nil
}

// refuse keeps the first thing that is wrong.
func (f *fields) refuse(answer core.Answer) {
	if f.problem == nil {
		f.problem = &answer
	}
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
	if json.Unmarshal(f.values[field], into) != nil {
		f.refuse(unprocessable("%s must be %s", field, what))
		return false
	}
	return true
}

// text is "" for a field that is not there.
func (f *fields) text(field string) string {
	var value string
	f.read(field, &value, "a string")
	return value
}

func (f *fields) flag(field string, fallback bool) bool {
	value := fallback
	f.read(field, &value, "a boolean")
	return value
}

// reference reads an id or a slug, which may be a number or a string; "" without one.
func (f *fields) reference(field string) string {
	if !f.has(field) {
		return ""
	}
	name := referenceText(f.values[field])
	if name == "" {
		f.refuse(unprocessable("%s must be an id or a slug", field))
	}
	return name
}

// references reads a list of them.
func (f *fields) references(field string) []string {
	var list []json.RawMessage
	f.read(field, &list, "a list")
	names := make([]string, 0, len(list))
	for _, raw := range list {
		names = append(names, referenceText(raw))
	}
	return names
}

func referenceText(raw json.RawMessage) string {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		return word
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return strings.TrimSpace(number.String())
	}
	return ""
}

// id reads a path parameter. Ids are numbers; anything else is no object.
func (c *call) id(param string) int64 {
	id, err := strconv.ParseInt(c.Params[param], 10, 64)
	if err != nil {
		return 0
	}
	return id
}

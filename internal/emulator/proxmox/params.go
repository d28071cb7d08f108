// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// values are parameters as text; booleans are "1" and "0".
type values map[string]string

// file is an uploaded file.
type file struct {
	name string
	data []byte
}

// read collects the parameters: the path's, then the query's, then the body's; the first of a name wins, and a body
// that contradicts the path is refused (HTTPServer.pm, rest_handler; AnyEvent.pm, extract_params). What else is wrong
// with them is noted for later, since the permission is checked before.
func (c *call) read(takes []param) *core.Answer {
	c.in, c.wrong, c.files = values{}, map[string]string{}, map[string]file{}
	for name, value := range c.Params {
		c.in[name] = value
	}
	for name, list := range c.Query {
		c.take(name, list)
	}
	given, err := c.body()
	if err != nil {
		return new(c.died(err.Error()))
	}
	for name, list := range given {
		c.take(name, list)
	}
	for name, list := range given {
		if own, inPath := c.Params[name]; inPath && len(list) == 1 && list[0] != own {
			c.wrong[name] = "duplicate parameter (already defined in URI) with conflicting values!"
		}
	}
	c.check(takes)
	return nil
}

func (c *call) take(name string, list []string) {
	if _, known := c.in[name]; known {
		return
	}
	if len(list) != 1 {
		c.wrong[name] = "type check ('string') failed - got ARRAY"
		return
	}
	c.in[name] = list[0]
}

// body decodes a form, a JSON object or a multipart upload.
func (c *call) body() (map[string][]string, error) {
	if len(c.Body) == 0 {
		return nil, nil
	}
	kind, options, _ := mime.ParseMediaType(c.Header.Get("Content-Type")) // checkContent knows the kinds
	switch kind {
	case "application/json":
		return jsonBody(c.Body)
	case "multipart/form-data":
		return c.multipart(options["boundary"])
	}
	return url.ParseQuery(strings.ReplaceAll(string(c.Body), ";", "&")) // the vendor splits at both
}

func jsonBody(data []byte) (map[string][]string, error) {
	var members map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil {
		return nil, fmt.Errorf("malformed JSON string: %w", err)
	}
	given := map[string][]string{}
	for name, value := range members {
		switch v := value.(type) {
		case nil:
		case bool:
			given[name] = []string{map[bool]string{true: "1", false: "0"}[v]}
		case []any:
			for _, entry := range v {
				given[name] = append(given[name], fmt.Sprint(entry))
			}
		default:
			given[name] = []string{fmt.Sprint(v)}
		}
	}
	return given, nil
}

// multipart reads an upload; the file's part bears a filename.
func (c *call) multipart(boundary string) (map[string][]string, error) {
	given := map[string][]string{}
	reader := multipart.NewReader(bytes.NewReader(c.Body), boundary)
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return given, nil
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		if part.FileName() == "" {
			given[part.FormName()] = append(given[part.FormName()], string(data))
			continue
		}
		c.files[part.FormName()] = file{name: part.FileName(), data: data}
		given[part.FormName()] = []string{part.FileName()}
	}
}

// check notes what is wrong with the parameters by the route's list of them.
func (c *call) check(takes []param) {
	takes = slices.Clip(takes) // the list is every request's
	for name := range c.Params {
		takes = append(takes, pathParam(name))
	}
	for name, value := range c.in {
		i := slices.IndexFunc(takes, func(p param) bool { return p.means(name) })
		if i < 0 {
			c.note(name, "property is not defined in schema and the schema does not allow additional properties")
			continue
		}
		c.note(name, takes[i].problem(value))
	}
	for _, p := range takes {
		if _, given := c.in[p.name]; p.required && !given {
			c.note(p.name, "property is missing and it is not optional")
		}
	}
}

// note keeps the first problem of a parameter.
func (c *call) note(name, problem string) {
	if _, noted := c.wrong[name]; problem != "" && !noted {
		c.wrong[name] = problem
	}
}

// has says whether a parameter is there and not empty.
func (v values) has(name string) bool { return v[name] != "" }

// list splits a value as the vendor splits lists: at commas, semicolons and blanks (PVE::Tools, split_list).
func (v values) list(name string) []string {
	return strings.FieldsFunc(v[name], func(r rune) bool { return strings.ContainsRune(",; \t\n\x00", r) })
}

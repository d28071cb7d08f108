// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func itoa(number int) string { return strconv.Itoa(number) }

func jsonAnswer(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
	}
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// firstOf answers a body whose list of this name has its first element only.
func firstOf(t *testing.T, body []byte, list string) []byte {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	value[list] = value[list].([]any)[:1]
	shorter, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return shorter
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// cloud is an emulator in memory that a test asks directly.
type cloud struct {
	*emulator.Emulator
	t *testing.T
}

// answer is what the emulator said.
type answer struct {
	status int
	header http.Header
	body   map[string]any
}

// inCloud runs a test in a bubble, whose time only passes when everybody waits.
func inCloud(t *testing.T, options emulator.Options, test func(cloud)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(cloud{emulator.InMemory(t, options), t}) })
}

// pass lets time pass in the bubble.
func pass(during time.Duration) { <-time.After(during) }

// ask sends a request with the main token.
func (c cloud) ask(method, path, body string) answer {
	c.t.Helper()
	return c.askAs("Bearer "+c.Hetzner.Token, method, path, body)
}

// askAs sends a request with an Authorization header, or none.
func (c cloud) askAs(authorization, method, path, body string) answer {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.Hetzner.Endpoint+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	response, err := c.Hetzner.Client().Do(request)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	got := answer{status: response.StatusCode, header: response.Header}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &got.body); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, data)
		}
	}
	return got
}

// get walks into the answer's body: names of members, and 0 for the first of a list.
func (a answer) get(path ...any) any {
	var value any = a.body
	for _, step := range path {
		switch s := step.(type) {
		case string:
			members, _ := value.(map[string]any)
			value = members[s]
		case int:
			list, _ := value.([]any)
			if s >= len(list) {
				return nil
			}
			value = list[s]
		}
	}
	return value
}

func (a answer) list(name string) []any {
	list, _ := a.body[name].([]any)
	return list
}

// names are the names in a list.
func (a answer) names(list string) string {
	var names []string
	for _, entry := range a.list(list) {
		names = append(names, entry.(map[string]any)["name"].(string))
	}
	return strings.Join(names, " ")
}

// code is the error's code, "" without an error.
func (a answer) code() string {
	code, _ := a.get("error", "code").(string)
	return code
}

// path is the path of an object in an answer, such as /servers/42.
func (a answer) path(root string) string {
	id, _ := a.get(root, "id").(float64)
	return "/" + root + "s/" + json.Number(jsonNumber(id)).String()
}

func jsonNumber(n float64) string {
	data, _ := json.Marshal(int64(n))
	return string(data)
}

const webBody = `{"name":"web","server_type":"cx23","image":"ubuntu-24.04","location":"fsn1"}`

// make creates the server "web", waits until it runs, and gives its path.
func (c cloud) make() string {
	c.t.Helper()
	created := c.ask("POST", "/servers", webBody)
	if created.status != 201 {
		c.t.Fatalf("create: %d %v", created.status, created.body)
	}
	pass(time.Second)
	return created.path("server")
}

func (c cloud) status(path string) any {
	c.t.Helper()
	return c.ask("GET", path, "").get("server", "status")
}

// want compares, naming what differs.
func want(t *testing.T, what string, got, wanted any) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}

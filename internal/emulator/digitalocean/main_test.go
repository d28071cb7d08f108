// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"encoding/json"
	"fmt"
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
	return c.askAs(c.DigitalOcean.Token, method, path, body)
}

// askAs sends a request with a token, or without one.
func (c cloud) askAs(token, method, path, body string) answer {
	c.t.Helper()
	url := strings.TrimSuffix(c.DigitalOcean.Endpoint, "/") + path
	request, err := http.NewRequestWithContext(c.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.DigitalOcean.Client().Do(request)
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

// get walks into the answer's body: names of members, and places in lists.
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

// values are one member of all entries of a list, such as the names.
func (a answer) values(list, member string) string {
	var values []string
	for _, entry := range a.list(list) {
		values = append(values, fmt.Sprint(entry.(map[string]any)[member]))
	}
	return strings.Join(values, " ")
}

// message is the error's text, "" without an error.
func (a answer) message() string {
	message, _ := a.body["message"].(string)
	return message
}

// id is the number of an object in an answer, as text.
func (a answer) id(path ...any) string {
	number, _ := a.get(append(path, "id")...).(float64)
	return fmt.Sprintf("%.0f", number)
}

const webBody = `{"name":"web","size":"s-1vcpu-1gb","image":"ubuntu-24-04-x64","region":"nyc3","tags":["app:shop"]}`

// make creates the droplet "web", waits until it is active, and gives its path.
func (c cloud) make() string {
	c.t.Helper()
	created := c.ask("POST", "/v2/droplets", webBody)
	if created.status != 202 {
		c.t.Fatalf("create: %d %v", created.status, created.body)
	}
	pass(time.Second)
	return "/v2/droplets/" + created.id("droplet")
}

// act starts an action.
func (c cloud) act(path, body string) answer {
	c.t.Helper()
	return c.ask("POST", path+"/actions", body)
}

// status is the droplet's status, "" without a droplet.
func (c cloud) status(path string) any {
	c.t.Helper()
	return c.ask("GET", path, "").get("droplet", "status")
}

// set changes the settings.
func (c cloud) set(change func(*emulator.Settings)) {
	c.t.Helper()
	if err := c.ChangeSettings(change); err != nil {
		c.t.Fatal(err)
	}
}

// plant makes a droplet that nobody asked for.
func (c cloud) plant(fields emulator.Fields) emulator.Object {
	c.t.Helper()
	made, err := c.Plant("digitalocean", "droplets", fields)
	if err != nil {
		c.t.Fatal(err)
	}
	return made
}

// want compares, naming what differs.
func want(t *testing.T, what string, got, wanted any) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

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

const base = "/api2/json"

// cluster is an emulator in memory that a test asks directly.
type cluster struct {
	*emulator.Emulator
	t     *testing.T
	token string
}

// inCluster runs a test in a bubble, whose time only passes when everybody waits.
func inCluster(t *testing.T, test func(cluster)) {
	t.Helper()
	inClusterWith(t, emulator.Options{}, test)
}

func inClusterWith(t *testing.T, options emulator.Options, test func(cluster)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, options)
		test(cluster{e, t, e.Proxmox.Token})
	})
}

// as is the same cluster seen with another token.
func (c cluster) as(token string) cluster {
	c.token = c.Proxmox.Tokens[token]
	return c
}

// pass lets time pass in the bubble.
func pass(during time.Duration) { <-time.After(during) }

// set changes the settings.
func (c cluster) set(change func(*emulator.Settings)) {
	c.t.Helper()
	if err := c.ChangeSettings(change); err != nil {
		c.t.Fatal(err)
	}
}

// answer is what the emulator said.
type answer struct {
	status  int
	reason  string
	header  http.Header
	raw     string
	data    any
	message string
	errors  map[string]string
	total   int
}

// ask sends a request; values go into the query of a GET or DELETE and into the form of others.
func (c cluster) ask(method, path, values string) answer {
	c.t.Helper()
	request := newRequest(c.t, method, c.Proxmox.Endpoint+base+path, values)
	request.Header.Set("Authorization", "PVEAPIToken="+c.token)
	return send(c.t, c.Proxmox.Client(), request)
}

func newRequest(t *testing.T, method, url, values string) *http.Request {
	t.Helper()
	form := method == "POST" || method == "PUT"
	body := ""
	if form {
		body = values
	} else if values != "" {
		url += "?" + values
	}
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if form {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return request
}

func send(t *testing.T, client *http.Client, request *http.Request) answer {
	t.Helper()
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", request.Method, request.URL, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, reason, _ := strings.Cut(response.Status, " ")
	got := answer{status: response.StatusCode, reason: reason, header: response.Header, raw: string(data)}
	if len(data) == 0 {
		return got
	}
	var body struct {
		Data    any
		Message string
		Errors  map[string]string
		Total   int
	}
	if err := json.Unmarshal(data, &body); err != nil {
		t.Fatalf("%s %s: %v in %s", request.Method, request.URL, err, data)
	}
	got.data, got.message, got.errors, got.total = body.Data, strings.TrimSuffix(body.Message, "\n"), body.Errors, body.Total
	return got
}

// get walks into the answer's data: names of members, and numbers of entries.
func (a answer) get(path ...any) any {
	value := a.data
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

// row is the entry of a list whose field has a value, nil without one.
func (a answer) row(field string, value any) map[string]any {
	list, _ := a.data.([]any)
	for _, entry := range list {
		if row, _ := entry.(map[string]any); row[field] == value {
			return row
		}
	}
	return nil
}

// do sends a request that starts a task, waits for its end, and gives how it ended.
func (c cluster) do(method, path, values string) any {
	c.t.Helper()
	return c.ends(c.starts(method, path, values))
}

// starts sends a request that starts a task and gives its UPID.
func (c cluster) starts(method, path, values string) string {
	c.t.Helper()
	started := c.ask(method, path, values)
	upid, _ := started.data.(string)
	if started.status != 200 || !strings.HasPrefix(upid, "UPID:") {
		c.t.Fatalf("%s %s: %d %s %v", method, path, started.status, started.reason, started.raw)
	}
	return upid
}

// ends waits for a task, an hour at most.
func (c cluster) ends(upid string) any {
	c.t.Helper()
	node := strings.Split(upid, ":")[1]
	for range 36_000 {
		status := c.ask("GET", "/nodes/"+node+"/tasks/"+upid+"/status", "")
		if status.get("status") == "stopped" {
			return status.get("exitstatus")
		}
		pass(100 * time.Millisecond)
	}
	c.t.Fatalf("task %s does not end", upid)
	return nil
}

const template = "/nodes/pve1/qemu/9000"

// clone makes the machine 100, "web", and gives its path.
func (c cluster) clone() string {
	c.t.Helper()
	want(c.t, "clone", c.do("POST", template+"/clone", "newid=100&name=web"), "OK")
	return "/nodes/pve1/qemu/100"
}

// start starts a machine.
func (c cluster) start(path string) {
	c.t.Helper()
	want(c.t, "start", c.do("POST", path+"/status/start", ""), "OK")
}

// status is running or stopped.
func (c cluster) status(path string) any {
	c.t.Helper()
	return c.ask("GET", path+"/status/current", "").get("status")
}

// config is one key of a machine's configuration.
func (c cluster) config(path, key string) any {
	c.t.Helper()
	return c.ask("GET", path+"/config", "").get(key)
}

// want compares, naming what differs.
func want(t *testing.T, what string, got, wanted any) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}

// wantText looks for a text in a value.
func wantText(t *testing.T, what string, got any, wanted string) {
	t.Helper()
	if text, _ := got.(string); !strings.Contains(text, wanted) {
		t.Errorf("%s: got %v, want %q in it", what, got, wanted)
	}
}

// refusal is an answer that says no.
type refusal struct {
	status int
	text   string
}

// wantRefusal compares status, reason phrase and message.
func wantRefusal(t *testing.T, what string, got answer, wanted refusal) {
	t.Helper()
	if got.status != wanted.status || got.reason != wanted.text || got.message != wanted.text {
		t.Errorf("%s: got %d %q %q, want %d %q", what, got.status, got.reason, got.message, wanted.status, wanted.text)
	}
}

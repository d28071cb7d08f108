// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"context"
	"errors"
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

const webBody = `{"name":"web","server_type":"cx23","image":"ubuntu-24.04","location":"fsn1"}`

// send asks the emulated vendor with the main token and gives status and body.
func send(ctx context.Context, v *emulator.Vendor, client *http.Client, method, path, body string) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, method, v.Endpoint+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+v.Token)
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return response.StatusCode, string(data), err
}

// places are the two ways to reach an emulator: over sockets and in memory. What a fault does must not depend on it.
var places = map[string]func(*testing.T) (*emulator.Emulator, *http.Client){
	"sockets": func(t *testing.T) (*emulator.Emulator, *http.Client) {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		return emulator.Start(t, emulator.Options{}), client
	},
	"memory": func(t *testing.T) (*emulator.Emulator, *http.Client) {
		e := emulator.InMemory(t, emulator.Options{})
		return e, e.Hetzner.Client()
	},
}

func mustFault(t *testing.T, e *emulator.Emulator, fault emulator.Fault) string {
	t.Helper()
	id, err := e.AddFault(fault)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestFaultsOnACreate: what the client sees, whether the server is made, and what the journal says.
func TestFaultsOnACreate(t *testing.T) {
	cases := map[string]struct {
		fault    emulator.Fault
		status   int    // that the client sees, 0 = no answer
		body     string // part of it
		made     int
		accepted bool
		journal  int // status in the journal
	}{
		"status before":        {emulator.Fault{Action: "status", Status: 503}, 503, `"code":"unavailable"`, 0, false, 503},
		"status after":         {emulator.Fault{Action: "status", Status: 504, Point: "after"}, 504, `"code":"timeout"`, 1, true, 504},
		"status with a body":   {emulator.Fault{Action: "status", Status: 502, Body: "<html>"}, 502, "<html>", 0, false, 502},
		"drop before":          {emulator.Fault{Action: "drop"}, 0, "", 0, false, 0},
		"drop after":           {emulator.Fault{Action: "drop", Point: "after"}, 0, "", 1, true, 0},
		"truncate":             {emulator.Fault{Action: "truncate"}, 201, `{"action"`, 1, true, 201},
		"delay before":         {emulator.Fault{Action: "delay", Delay: emulator.Duration(time.Millisecond)}, 201, "create_server", 1, true, 201},
		"delay after":          {emulator.Fault{Action: "delay", Delay: emulator.Duration(time.Millisecond), Point: "after"}, 201, "create_server", 1, true, 201},
		"hang that passes":     {emulator.Fault{Action: "hang", Delay: emulator.Duration(time.Millisecond)}, 0, "", 0, false, 0},
		"hang after the make":  {emulator.Fault{Action: "hang", Delay: emulator.Duration(time.Millisecond), Point: "after"}, 0, "", 1, true, 0},
		"another method":       {emulator.Fault{Action: "drop", Method: "GET"}, 201, "create_server", 1, true, 201},
		"another path":         {emulator.Fault{Action: "drop", Path: "^/v1/images"}, 201, "create_server", 1, true, 201},
		"this vendor":          {emulator.Fault{Action: "drop", Vendor: "hetzner", Method: "post"}, 0, "", 0, false, 0},
		"only the second time": {emulator.Fault{Action: "drop", Skip: 1}, 201, "create_server", 1, true, 201},
	}
	for place, begin := range places {
		for name, test := range cases {
			t.Run(name+" over "+place, func(t *testing.T) {
				e, client := begin(t)
				mustFault(t, e, test.fault)
				status, body, err := send(t.Context(), e.Hetzner, client, "POST", "/servers", webBody)
				if status != test.status || !strings.Contains(body, test.body) {
					t.Errorf("status %d, body %q, %v", status, body, err)
				}
				if noAnswer := test.status == 0; noAnswer && err == nil || test.fault.Action == "truncate" && err == nil {
					t.Error("no error for an answer that never came whole")
				}
				if made := len(e.Objects("hetzner", "servers")); made != test.made {
					t.Errorf("%d servers, want %d", made, test.made)
				}
				entry := e.Journal()[0]
				if entry.Status != test.journal || entry.Accepted != test.accepted {
					t.Errorf("journal: status %d, accepted %t", entry.Status, entry.Accepted)
				}
				if hits := e.Faults()[0].Hits; (entry.Fault != "") != (hits == 1) {
					t.Errorf("journal names fault %q, fault has %d hits", entry.Fault, hits)
				}
			})
		}
	}
}

func TestFaultHeadersAndJSONBody(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	mustFault(t, e, emulator.Fault{
		Action: "status", Status: 429, Body: `{"error":{"code":"rate_limit_exceeded"}}`, Headers: map[string]string{"Retry-After": "7"},
	})
	response, err := e.Hetzner.Client().Get(e.Hetzner.Endpoint + "/servers")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.Header.Get("Retry-After") != "7" || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("headers: %v", response.Header)
	}
}

// TestFirstFaultWithTriesLeftWins: one after the other, then none, and times 0 is for ever.
func TestFirstFaultWithTriesLeftWins(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	mustFault(t, e, emulator.Fault{Action: "status", Status: 500, Times: new(2)})
	mustFault(t, e, emulator.Fault{Action: "status", Status: 503, Method: "GET", Times: new(0)})
	var got []int
	for range 5 {
		status, _, err := send(t.Context(), e.Hetzner, e.Hetzner.Client(), "GET", "/servers", "")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, status)
	}
	if want := []int{500, 500, 503, 503, 503}; !equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
	if e.RemoveFault("fault-9") || !e.RemoveFault("fault-2") {
		t.Error("faults are removed by their id")
	}
	if status, _, _ := send(t.Context(), e.Hetzner, e.Hetzner.Client(), "GET", "/servers", ""); status != 200 {
		t.Errorf("status %d after the faults, want 200", status)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestHangEndsWhenTheClientLeaves: the server is made and shows at once; a client that gives up frees the request.
func TestHangEndsWhenTheClientLeaves(t *testing.T) {
	for place, begin := range places {
		t.Run(place, func(t *testing.T) {
			e, client := begin(t)
			id := mustFault(t, e, emulator.Fault{Method: "POST", Point: "after", Action: "hang"})
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, _, err := send(ctx, e.Hetzner, client, "POST", "/servers", webBody)
				done <- err
			}()
			if err := e.AwaitHolding(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if made := len(e.Objects("hetzner", "servers")); made != 1 {
				t.Errorf("%d servers while the answer is held, want 1", made)
			}
			if entry := e.Journal()[0]; entry.Status != 0 || !entry.Accepted || entry.Object == "" {
				t.Errorf("journal while the answer is held: %+v", entry)
			}
			if status, _, err := send(t.Context(), e.Hetzner, client, "GET", "/servers", ""); status != 200 {
				t.Errorf("another request meanwhile: %d, %v", status, err)
			}
			leave()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the client got %v", err)
			}
		})
	}
}

// TestRemovedFaultDropsWhatItHolds, and so do Reset and Close.
func TestRemovedFaultDropsWhatItHolds(t *testing.T) {
	ends := map[string]func(*emulator.Emulator, string){
		"remove": func(e *emulator.Emulator, id string) { e.RemoveFault(id) },
		"reset":  func(e *emulator.Emulator, _ string) { e.Reset() },
		"close":  func(e *emulator.Emulator, _ string) { e.Close() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			e := emulator.Start(t, emulator.Options{})
			id := mustFault(t, e, emulator.Fault{Action: "hang"})
			done := make(chan error, 1)
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			go func() {
				_, _, err := send(context.Background(), e.Hetzner, client, "POST", "/servers", webBody)
				done <- err
			}()
			if err := e.AwaitHolding(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			end(e, id)
			if err := <-done; err == nil {
				t.Error("the held request was answered")
			}
			if made := len(e.Objects("hetzner", "servers")); made != 0 {
				t.Errorf("%d servers, want none", made)
			}
		})
	}
}

// TestHangInABubble: the default hold is a minute of the bubble's time, and nothing is left running.
func TestHangInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, emulator.Options{Delay: time.Second})
		mustFault(t, e, emulator.Fault{Action: "hang"})
		began := time.Now()
		_, _, err := send(t.Context(), e.Hetzner, e.Hetzner.Client(), "GET", "/servers", "")
		if passed := time.Since(began); !errors.Is(err, io.EOF) || passed != 61*time.Second {
			t.Errorf("%v after %s, want EOF after the delay and a minute", err, passed)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, _, err = send(ctx, e.Hetzner, e.Hetzner.Client(), "GET", "/servers", ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("client with a deadline before the delay: %v", err)
		}
	})
}

func TestFaultsAreChecked(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"unknown vendor":  {Action: "drop", Vendor: "azure"},
		"no action":       {},
		"unknown action":  {Action: "explode"},
		"unknown point":   {Action: "drop", Point: "during"},
		"broken path":     {Action: "drop", Path: "("},
		"status 0":        {Action: "status"},
		"delay of 0":      {Action: "delay"},
		"negative skip":   {Action: "drop", Skip: -1},
		"negative times":  {Action: "drop", Times: new(-1)},
		"negative delay":  {Action: "hang", Delay: -1},
		"status too high": {Action: "status", Status: 600},
	} {
		t.Run(name, func(t *testing.T) {
			if id, err := emulator.New(emulator.Options{}).AddFault(fault); err == nil {
				t.Errorf("accepted as %s", id)
			}
		})
	}
}

func TestAwaitHoldingFailsForAMissingFault(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	if err := e.AwaitHolding(t.Context(), "fault-1"); err == nil {
		t.Error("waited for a fault that is not there")
	}
	id := mustFault(t, e, emulator.Fault{Action: "hang"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.AwaitHolding(ctx, id); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled wait: %v", err)
	}
}

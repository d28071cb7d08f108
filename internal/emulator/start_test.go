// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// fakeT stands for the test that an emulator belongs to.
type fakeT struct {
	errors   []string
	cleanups []func()
}

func (f *fakeT) Helper()                {}
func (f *fakeT) Cleanup(cleanup func()) { f.cleanups = append(f.cleanups, cleanup) }
func (f *fakeT) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}
func (f *fakeT) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (f *fakeT) end() {
	for i := range f.cleanups {
		f.cleanups[len(f.cleanups)-1-i]()
	}
}

// TestUnroutedRequestFailsTheTest, even when the journal was emptied, unless the test allows it.
func TestUnroutedRequestFailsTheTest(t *testing.T) {
	for allowed, want := range map[bool]int{false: 1, true: 0} {
		owner := &fakeT{}
		e := emulator.InMemory(owner, emulator.Options{AllowUnrouted: allowed})
		mustSend(t, e, "GET", "/volumes", "")
		e.ClearJournal()
		owner.end()
		if len(owner.errors) != want {
			t.Errorf("allowed %t: errors %q, want %d", allowed, owner.errors, want)
		}
		if want == 1 && !strings.Contains(owner.errors[0], "GET /v1/volumes") {
			t.Errorf("the error %q does not name the route", owner.errors[0])
		}
	}
}

func TestListenRefusesOtherMachines(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:0", "127.0.0.1", "[::]:0"} {
		e := emulator.New(emulator.Options{})
		if err := e.Listen(t.Context(), emulator.Addresses{Hetzner: address}); err == nil {
			e.Close()
			t.Errorf("listens at %s", address)
		}
		if err := e.Listen(t.Context(), emulator.Addresses{Control: address}); err == nil {
			e.Close()
			t.Errorf("control listens at %s", address)
		}
	}
}

// TestManyClientsAtOnce is for the race detector: clients, control and settings at the same time.
func TestManyClientsAtOnce(t *testing.T) {
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			body := strings.Replace(webBody, "web", fmt.Sprintf("web-%d", i), 1)
			if status, answer, err := send(t.Context(), e.Hetzner, client, "POST", "/servers", body); status != 201 {
				t.Errorf("create %d: %d %s %v", i, status, answer, err)
			}
			if status, _, err := send(t.Context(), e.Hetzner, client, "GET", "/servers?per_page=50", ""); status != 200 {
				t.Errorf("list: %d %v", status, err)
			}
		})
		group.Go(func() {
			e.Inventory()
			e.Journal()
			e.Faults()
			if err := e.ChangeSettings(func(s *emulator.Settings) { s.PageMax = 50 - i }); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if made := len(e.Objects("hetzner", "servers")); made != 20 {
		t.Errorf("%d servers, want 20", made)
	}
	seen := map[int64]bool{}
	for _, entry := range e.Journal() {
		seen[entry.Seq] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d requests in the journal, want 40", len(seen))
	}
}

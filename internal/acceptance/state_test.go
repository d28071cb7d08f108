// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// backend keeps a state as the http backend wants it, and can hold the store up.
type backend struct {
	mutex  sync.Mutex
	state  []byte
	held   chan struct{}
	holds  bool
	closed chan struct{}
}

func newBackend(t *testing.T) (*backend, string) {
	t.Helper()
	own := &backend{held: make(chan struct{}, 100), closed: make(chan struct{})}
	server := httptest.NewServer(own)
	t.Cleanup(func() {
		close(own.closed)
		server.Close()
	})
	return own, server.URL
}

func (b *backend) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodGet {
		b.load(response)
		return
	}
	state, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	b.mutex.Lock()
	holds := b.holds
	if !holds {
		b.state = state
	}
	b.mutex.Unlock()
	if holds {
		b.held <- struct{}{}
		select {
		case <-request.Context().Done():
		case <-b.closed:
		}
	}
}

func (b *backend) load(response http.ResponseWriter) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.state == nil {
		response.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = response.Write(b.state)
}

func (b *backend) hold(holds bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.holds = holds
}

func onBackend(address string) string {
	return "terraform {\n  backend \"http\" {\n    address = \"" + address + "\"\n  }\n}\n"
}

// killBeforeTheStore ends the CLI after the machine was finished and before its state is kept.
func killBeforeTheStore(t *testing.T, cloud *Cloud, workspace *Workspace, store *backend) {
	t.Helper()
	store.hold(true)
	apply := workspace.Start("apply")
	<-store.held
	await(t, "the machine is finished", func() bool {
		marks := marks(t, cloud)
		return marks["claim"] != "" && marks["creating"] == ""
	})
	apply.Kill()
	store.hold(false)
}

func TestKilledBeforeTheStateWasStoredWithOwner(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		store, address := newBackend(t)
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + onBackend(address) + owned + accountMain + instanceWeb)
		workspace.Init()
		killBeforeTheStore(t, cloud, workspace, store)

		out := workspace.Must("apply")
		if !strings.Contains(Joined(out), "taken back") {
			t.Errorf("the adoption is not said:\n%s", out)
		}
		wantServers(t, cloud, 1)
		if creates(cloud) != 1 {
			t.Errorf("%d creates were sent", creates(cloud))
		}
		workspace.MustBeEmpty()
	})
}

var importBlock = regexp.MustCompile(`(?s)import \{\n.*?\n\s*\}\n`)

func TestKilledBeforeTheStateWasStoredWithoutOwner(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		store, address := newBackend(t)
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + onBackend(address) + accountMain + instanceWeb)
		workspace.Init()
		killBeforeTheStore(t, cloud, workspace, store)

		before := last(cloud)
		out := workspace.MustFail([]string{"(CONFLICT)", "Only if this very state had it"}, "apply")
		block := importBlock.FindString(strings.ReplaceAll(strings.ReplaceAll(out, "│", ""), "╵", ""))
		if block == "" {
			t.Fatalf("there is no import block:\n%s", out)
		}
		workspace.Write(header + onBackend(address) + accountMain + instanceWeb + "\n" + strings.ReplaceAll(block, ".NAME", ".web"))
		if out := workspace.Must("apply"); !strings.Contains(out, "1 imported") {
			t.Errorf("nothing is imported:\n%s", out)
		}
		if sent := writes(cloud, before); len(sent) != 0 {
			t.Errorf("the import sent %+v", sent)
		}
		workspace.MustBeEmpty()
		wantServers(t, cloud, 1)
	})
}

func TestTheSameConfigurationInASecondState(t *testing.T) {
	for name, providers := range map[string][2]string{
		"without owner": {"", ""},
		"other owners":  {owned, strings.ReplaceAll(owned, "shop/prod", "shop/staging")},
	} {
		t.Run(name, func(t *testing.T) {
			OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
				first, second := NewWorkspace(t, cloud, cli), NewWorkspace(t, cloud, cli)
				first.Write(header + providers[0] + accountMain + instanceWeb)
				second.Write(header + providers[1] + accountMain + instanceWeb)
				first.Init()
				second.Init()
				first.Must("apply")
				before := last(cloud)
				second.MustFail([]string{"(CONFLICT)", "Another state or workspace has it", "name"}, "apply")
				if sent := writes(cloud, before); len(sent) != 0 {
					t.Errorf("the second state sent %+v", sent)
				}
				if held := second.Resources(); len(held) != 0 {
					t.Errorf("the second state holds %v", held)
				}
				first.MustBeEmpty()
			})
		})
	}
}

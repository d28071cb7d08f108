// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// crowd is many machines at once, in one process of the provider.
type crowd struct {
	t        *testing.T
	on       subject
	cloud    *emulator.Emulator
	server   *providertest.Server
	accounts []arguments
	mutex    sync.Mutex
	states   map[string]providertest.State
}

// newCrowd makes a vendor with a number of accounts and starts a process.
func newCrowd(t *testing.T, on subject, accounts int) *crowd {
	t.Helper()
	own := &crowd{t: t, on: on, cloud: emulator.InMemory(t, emulator.Options{}), states: map[string]providertest.State{}}
	for number := range accounts {
		account := on.reference(t, own.cloud)
		account["id"] = compute.AccountID("root", on.Kind, fmt.Sprintf("account-%d", number), "")
		own.accounts = append(own.accounts, account)
	}
	own.begin()
	return own
}

// begin starts the next command's process.
func (c *crowd) begin() {
	served := c.on.Of(c.cloud)
	c.server = providertest.Speak(c.t, provider.NewServerWith("test", func(options *cloud.Options) {
		options.Transports = map[string]http.RoundTripper{c.on.Kind: jittery{served.Transport()}}
		options.Resolve = func(context.Context, string) (string, error) { return served.Token, nil }
	}), providertest.Attributes{"owner": "shop/prod"})
}

// jittery answers up to 200 milliseconds late.
type jittery struct{ base http.RoundTripper }

// RoundTrip is that of http.RoundTripper.
func (j jittery) RoundTrip(request *http.Request) (*http.Response, error) {
	late := time.NewTimer(time.Duration(rand.Int64N(int64(200 * time.Millisecond))))
	defer late.Stop()
	select {
	case <-late.C:
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	return j.base.RoundTrip(request)
}

// each does something for all machines at the same time.
func (c *crowd) each(count int, run func(name string, account arguments)) {
	var working sync.WaitGroup
	for number := range count {
		working.Go(func() { run(fmt.Sprintf("web-%d", number), c.accounts[number%len(c.accounts)]) })
	}
	working.Wait()
}

func (c *crowd) note(name string, state providertest.State, said providertest.Diagnostics) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(said.Errors()) > 0 {
		c.t.Errorf("%s: %s", name, said.Errors())
	}
	c.states[name] = state
}

func (c *crowd) state(name string) providertest.State {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.states[name]
}

// apply plans and makes machines, as many as there are at the same time.
func (c *crowd) apply(count int) {
	c.each(count, func(name string, account arguments) {
		written := c.on.written(with(arguments{"name": name}), account)
		change := c.server.PlanChange(context.Background(), typeName, c.server.Nothing(typeName), written)
		if errors := change.Diagnostics.Errors(); len(errors) > 0 {
			c.t.Errorf("%s: %s", name, errors)
			return
		}
		state, said := c.server.ApplyChange(context.Background(), typeName, change)
		c.note(name, state, said)
	})
}

func (c *crowd) refresh() {
	c.begin()
	c.each(len(c.states), func(name string, _ arguments) {
		state, said := c.server.Refresh(context.Background(), typeName, c.state(name))
		c.note(name, state, said)
	})
}

func (c *crowd) destroy() {
	c.begin()
	c.each(len(c.states), func(name string, _ arguments) {
		state, said := c.server.ApplyChange(context.Background(), typeName, c.server.Destruction(typeName, c.state(name)))
		c.note(name, state, said)
		if state.There() {
			c.t.Errorf("%s is still in the state", name)
		}
	})
	if left := c.on.Machines(c.cloud); len(left) > 0 {
		c.t.Errorf("%d machines are left", len(left))
	}
}

// Fifty machines at -parallelism=50 over three accounts, with answers that come late: each is made once, one list serves
// their refresh, and the catalogue is read once for each account.
func TestFiftyAtOnce(t *testing.T) {
	for _, on := range machines() {
		t.Run(on.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				crowd := newCrowd(t, on, 3)
				crowd.apply(50)
				ordered := on.ordered(crowd.cloud, 0)
				if machines := on.Machines(crowd.cloud); ordered != 50 || len(machines) != 50 {
					t.Errorf("%d machines were ordered, there are %d", ordered, len(machines))
				}
				made := len(crowd.cloud.Journal())
				crowd.cloud.ClearJournal()
				crowd.refresh()
				t.Logf("%d requests to make 50 machines, %d to refresh them", made, len(crowd.cloud.Journal()))
				most := 20
				if on.clones() {
					most += 3 * 50 * 2 // a machine's configuration and its agent can be asked for one by one only
				}
				if sent := len(crowd.cloud.Journal()); sent > most {
					t.Errorf("a refresh of 50 machines on three accounts sends %d requests", sent)
				}
				crowd.destroy()
			})
		})
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// workspace is a simulated CLI's state with what it works on. What it does with a state is what Terraform and OpenTofu do.
type workspace struct {
	t     *testing.T
	on    subject
	owner string
	// token is what is behind the account's reference, texts what is behind others, by the names of their variables.
	token string
	texts map[string]string
	// stores says that the state is stored as soon as a resource is done, as the local backend does; else it is stored at
	// the end of a command, since remote backends are written to every 20 seconds only.
	stores      bool
	live, saved state
	// left are the processes that were killed and go on for nobody.
	left sync.WaitGroup
}

// command is one run of the CLI.
type command struct {
	*workspace
	wire    *wire
	servers []*providertest.Server
	// failed says that the command has printed an error, said is all that it has printed.
	failed bool
	said   providertest.Diagnostics
}

func (w *workspace) begin(wire *wire) *command {
	own := &command{workspace: w, wire: wire}
	wire.stop = func() {
		for _, server := range own.servers {
			server.Stop()
		}
	}
	return own
}

// process starts the provider.
func (c *command) process() *providertest.Server {
	block := providertest.Attributes{}
	if c.owner != "" {
		block["owner"] = c.owner
	}
	server := providertest.Speak(c.t, provider.NewServerWith("test", func(options *cloud.Options) {
		options.Transports = map[string]http.RoundTripper{c.on.Kind: c.wire}
		options.Resolve = func(context.Context, string) (string, error) { return c.token, nil }
		options.ResolveText = func(_ context.Context, reference string) (string, error) {
			return c.texts[strings.TrimPrefix(reference, "env://")], nil
		}
	}), block)
	c.servers = append(c.servers, server)
	return server
}

// goes says whether the command goes on: it was not killed, interrupted or failed.
func (c *command) goes() bool { return !c.wire.isDead() && !c.wire.isStopped() && !c.failed }

// call runs one request to the provider, unless the command is killed meanwhile: nobody takes its answer then.
func call[Answer any](c *command, run func() Answer) (Answer, bool) {
	answered := make(chan Answer, 1)
	c.left.Go(func() { answered <- run() })
	var none Answer
	select {
	case answer := <-answered:
		if c.wire.isDead() {
			return none, false
		}
		return answer, true
	case <-c.wire.dead:
		return none, false
	}
}

func (c *command) note(diagnostics providertest.Diagnostics) {
	c.said = append(c.said, diagnostics...)
	c.failed = c.failed || len(diagnostics.Errors()) > 0
}

// plan refreshes what the state holds and answers what is to be done; false: the command is over.
func (c *command) plan(written arguments) (providertest.Change, bool) {
	server := c.process()
	defer func() { c.wire.planned = c.wire.sentSoFar() }()
	c.live.current = c.refresh(server, c.live.current)
	c.live.deposed = c.refresh(server, c.live.deposed)
	c.live.tainted = c.live.tainted && c.live.current.There()
	if !c.goes() {
		return providertest.Change{}, false
	}
	change, done := c.decide(server, written)
	return change, done && c.goes()
}

func (c *command) refresh(server *providertest.Server, held providertest.State) providertest.State {
	if !held.There() || !c.goes() {
		return held
	}
	type answer struct {
		state providertest.State
		said  providertest.Diagnostics
	}
	got, done := call(c, func() answer {
		state, said := server.Refresh(context.Background(), c.on.typeName, held)
		return answer{state, said}
	})
	if !done {
		return held
	}
	c.note(got.said)
	if c.failed {
		return held
	}
	return got.state
}

// decide plans as a CLI does: what is tainted is planned as new, and what has to be replaced is planned a second time.
func (c *command) decide(server *providertest.Server, written arguments) (providertest.Change, bool) {
	prior := c.live.current
	if c.live.tainted || !prior.There() {
		prior = server.Nothing(c.on.typeName)
	}
	change, done := call(c, func() providertest.Change {
		return server.PlanChange(context.Background(), c.on.typeName, prior, written)
	})
	c.note(change.Diagnostics)
	if !done || !change.Replaces || !c.goes() {
		change.Replaces = change.Replaces || c.live.tainted && c.live.current.There()
		return change, done
	}
	again := providertest.State{Value: server.Nothing(c.on.typeName).Value, Private: change.Planned.Private}
	second, done := call(c, func() providertest.Change {
		return server.PlanChange(context.Background(), c.on.typeName, again, written)
	})
	c.note(second.Diagnostics)
	second.Replaces = true
	return second, done
}

// apply is the CLI's apply of one configuration, nil being its destruction. createBeforeDestroy is the lifecycle argument.
func (c *command) apply(written arguments, createBeforeDestroy bool) {
	defer c.end()
	change, going := c.plan(written)
	if !going {
		return
	}
	server := c.process()
	c.destroy(server, &c.live.deposed)
	switch {
	case !c.goes():
	case written == nil:
		c.destroy(server, &c.live.current)
	case change.Replaces && createBeforeDestroy:
		c.live.deposed, c.live.current, c.live.tainted = c.live.current, server.Nothing(c.on.typeName), false
		c.change(server, written)
		if !c.live.current.There() {
			c.live.current, c.live.deposed = c.live.deposed, server.Nothing(c.on.typeName)
		} else if c.goes() {
			c.destroy(server, &c.live.deposed)
		}
	case change.Replaces:
		// A CLI hands the private state of the plan to this destroy, and a plan of what is tainted begins with none.
		c.carryOut(server, server.Destruction(c.on.typeName, providertest.State{
			Value: c.live.current.Value, Private: change.Planned.Private,
		}), &c.live.current)
		if c.goes() {
			c.change(server, written)
		}
	default:
		c.change(server, written)
	}
}

// change plans once more, as the apply's process does, and carries it out.
func (c *command) change(server *providertest.Server, written arguments) {
	prior := c.live.current
	planned, done := c.decide(server, written)
	if !done || !c.goes() || prior.There() && planned.Planned.Value.Equal(prior.Value) {
		return
	}
	c.carryOut(server, planned, &c.live.current)
	if c.wire.isDead() || !c.failed || prior.There() || !c.live.current.There() {
		return
	}
	c.live.tainted = true
	c.store()
}

func (c *command) destroy(server *providertest.Server, held *providertest.State) {
	if !held.There() {
		return
	}
	c.carryOut(server, server.Destruction(c.on.typeName, *held), held)
}

func (c *command) carryOut(server *providertest.Server, change providertest.Change, held *providertest.State) {
	type answer struct {
		state providertest.State
		said  providertest.Diagnostics
	}
	got, done := call(c, func() answer {
		state, said := server.ApplyChange(context.Background(), c.on.typeName, change)
		return answer{state, said}
	})
	if !done {
		return
	}
	c.note(got.said)
	*held = got.state
	c.live.tainted = c.live.tainted && c.live.current.There()
	c.store()
}

// store keeps the state where that is done at once.
func (c *command) store() {
	if c.stores {
		c.saved = c.live
	}
}

// end stores the state, unless the command was killed: what was not stored by then is lost.
func (c *command) end() {
	if c.wire.isDead() {
		c.live = c.saved
		return
	}
	c.saved = c.live
}

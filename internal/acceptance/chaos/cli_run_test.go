// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// cliPlay is a case of the CLIs under way.
type cliPlay struct {
	cliCase
	*scene
	t             *testing.T
	workspace     *acceptance.Workspace
	backendBlock  string
	before, after arguments
	// killed says that the process was killed.
	killed bool
}

// tools is what the cases of one run share.
type tools struct {
	clis     map[string]string
	postgres *acceptance.Postgres
}

// run carries a case out.
func (c cliCase) run(t *testing.T, shared *tools) verdict {
	t.Helper()
	play := c.prepare(t, shared)
	first := play.strikeOnce()
	if first.wrong != nil {
		return *first.wrong
	}
	if first.err == nil {
		return play.judge(unharmed)
	}
	var out string
	for range 2 {
		var err error
		if out, err = play.workspace.Run(play.command()...); err == nil {
			return play.judge(healed)
		}
	}
	if play.isWindow(out) {
		return verdict{outcome: window}
	}
	return *fault(broken, "two more applies failed: first\n%s\nthen\n%s\nwrites: %s", first.out, out, play.writes())
}

// prepare brings a fresh vendor and an empty folder to where the operation begins.
func (c cliCase) prepare(t *testing.T, shared *tools) *cliPlay {
	t.Helper()
	world := emulator.Start(t, emulator.Options{})
	scene, err := newScene(c.vendor, world)
	if err != nil {
		t.Fatal(err)
	}
	play := &cliPlay{
		cliCase: c, scene: scene, t: t,
		workspace: acceptance.NewWorkspace(t, &acceptance.Cloud{Emulator: world, Vendor: c.vendor.Vendor}, shared.clis[c.cli]),
		before:    c.vendor.written(c.operation.before, nil), after: c.vendor.written(c.operation.after, nil),
	}
	switch c.backend {
	case "http":
		play.backendBlock = acceptance.NewStore(t).Block()
	case "pg":
		play.backendBlock = shared.postgres.Block(t, databaseOf(t))
		// The server needs a moment to notice that a killed CLI has left, and to give up its lock.
		for _, command := range []string{"plan", "apply", "destroy", "taint"} {
			play.workspace.Environment["TF_CLI_ARGS_"+command] = "-lock-timeout=2m"
		}
	}
	play.write(play.before)
	play.workspace.Init()
	if play.before != nil {
		play.workspace.Must("apply")
	}
	if c.operation.others != nil {
		if err := c.operation.others(c.vendor, world, play.machines()[0]); err != nil {
			t.Fatal(err)
		}
	}
	if c.operation.tainted {
		play.workspace.Must("taint", "bettercompute_instance.web")
	}
	if play.after != nil {
		play.write(play.after)
	}
	scene.begin()
	return play
}

// databaseOf is a name for the database of a test's state: PostgreSQL cuts long names off, so it is a hash.
func databaseOf(t *testing.T) string {
	t.Helper()
	name := fnv.New64a()
	_, _ = name.Write([]byte(t.Name())) // a hash takes everything
	return fmt.Sprintf("chaos_%x", name.Sum64())
}

func (p *cliPlay) write(written arguments) {
	p.workspace.Write(configuration(p.backendBlock, p.owned, written, p.operation.createBeforeDestroy))
}

// command is the one that carries the operation out.
func (p *cliPlay) command() []string {
	if p.after == nil {
		return []string{"destroy"}
	}
	return []string{"apply"}
}

// struckRun is how the first command ended.
type struckRun struct {
	out   string
	err   error
	wrong *verdict
}

var errWasKilled = errors.New("killed")

// strikeOnce runs the operation with its strike.
func (p *cliPlay) strikeOnce() struckRun {
	if p.request == "" {
		out, err := p.workspace.Run(p.command()...)
		return struckRun{out: out, err: err}
	}
	id, err := p.cloud.AddFault(p.struck())
	if err != nil {
		p.t.Fatal(err)
	}
	process := p.workspace.Start(p.command()...)
	if p.what.act == nil {
		out, _, err := process.Wait()
		return struckRun{out: out, err: err}
	}
	ended := make(chan struckRun, 1)
	if !p.awaitHolding(id) {
		out, _, err := process.Wait()
		return struckRun{out: out, err: err}
	}
	p.what.act(process)
	if p.what.kills {
		p.killed = true
		p.cloud.RemoveFault(id)
		return struckRun{err: errWasKilled}
	}
	go func() {
		out, took, err := process.Wait()
		ended <- struckRun{out: out, err: err, wrong: p.afterCtrlC(took, out)}
	}()
	return <-ended
}

// awaitHolding says whether the request came: the number of polls differs from run to run.
func (p *cliPlay) awaitHolding(id string) bool {
	ctx, done := context.WithTimeout(p.t.Context(), time.Minute)
	defer done()
	return p.cloud.AwaitHolding(ctx, id) == nil
}

// afterCtrlC: the command ends soon after the request that was held has been answered.
func (p *cliPlay) afterCtrlC(took time.Duration, out string) *verdict {
	if took > patience+time.Duration(held)+slack {
		return fault(broken, "after the signal the command went on for %s:\n%s", took, out)
	}
	return nil
}

// slack is what a busy computer and a CLI's own end may take on top.
const slack = 5 * time.Second

// isWindow: see play.isWindow.
func (p *cliPlay) isWindow(out string) bool {
	unknown := 0
	var left emulator.Object
	held := p.holds()
	for _, machine := range p.machines() {
		if _, known := held[machine.ID]; !known {
			unknown, left = unknown+1, machine
		}
	}
	return !p.owned && p.killed && p.strangers() == nil && p.ordered() == 1 && unknown == 1 && !p.scene.vendor.creating(left) &&
		strings.Contains(out, "(CONFLICT)") && strings.Contains(out, "import {")
}

// holds answers the vendor's ids that the state holds, with whether they are tainted.
func (p *cliPlay) holds() map[string]bool {
	ids := map[string]bool{}
	for _, resource := range p.workspace.Resources() {
		if id, ok := resource.Values["machine_id"].(string); ok {
			ids[id] = resource.Tainted
		}
	}
	return ids
}

// judge looks at what is there after the last apply.
func (p *cliPlay) judge(kind outcome) verdict {
	wanted, mayOrder := 1, p.operation.orders(p.scene.vendor)
	if p.after == nil {
		wanted = 0
	}
	var held []string
	for id := range p.holds() {
		held = append(held, id)
	}
	for _, wrong := range []*verdict{p.strangers(), p.matches(held, wanted), p.orderedAtMost(mayOrder), p.replaced(p.operation), p.planIsEmpty()} {
		if wrong != nil {
			wrong.why += "; writes: " + p.writes()
			return *wrong
		}
	}
	return verdict{outcome: kind}
}

func (p *cliPlay) planIsEmpty() *verdict {
	if p.after == nil {
		return nil
	}
	if out, err := p.workspace.Run("plan", "-detailed-exitcode"); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 2 {
			return fault(broken, "the second plan is not empty:\n%s", out)
		}
		return fault(broken, "the second plan fails:\n%s", out)
	}
	return nil
}

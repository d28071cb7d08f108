// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"os/exec"
	"slices"
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
	out, kind, err := play.getUp()
	switch {
	case err == nil:
		return play.judge(kind)
	case play.isWindow(out):
		return verdict{outcome: window}
	}
	return *fault(broken, "two more applies failed: first\n%s\nthen\n%s\nwrites: %s", first.out, out, play.writes())
}

// getUp applies undisturbed until it passes, at most twice; once more where a person had to answer a question.
func (p *cliPlay) getUp() (out string, kind outcome, err error) {
	kind = healed
	for try := 0; try < 2; try++ {
		if out, err = p.workspace.Run(p.command()...); err == nil {
			return out, kind, nil
		}
		object, asked := p.unanswered(slices.Collect(maps.Keys(p.holds())), out)
		if !asked || kind == named {
			continue
		}
		if err := p.release(object); err != nil {
			p.t.Fatal(err)
		}
		kind, try = named, 0
	}
	return out, kind, err
}

// prepare brings a fresh vendor and an empty folder to where the operation begins.
func (c cliCase) prepare(t *testing.T, shared *tools) *cliPlay {
	t.Helper()
	world := emulator.Start(t, emulator.Options{})
	scene := newScene(t, c.on, world)
	play := &cliPlay{
		cliCase: c, scene: scene, t: t,
		workspace: acceptance.NewWorkspace(t, &acceptance.Cloud{Emulator: world, Vendor: c.on.Vendor}, shared.clis[c.cli]),
		before:    c.on.written(c.operation.before, nil), after: c.on.written(c.operation.after, nil),
	}
	maps.Copy(play.workspace.Environment, c.on.texts(t))
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
	earlier := c.on.written(c.operation.earlier, nil)
	if earlier != nil {
		play.write(earlier)
	} else {
		play.write(play.before)
	}
	play.workspace.Init()
	if earlier != nil {
		play.workspace.Must("apply")
		play.write(play.before)
	}
	if play.before != nil || len(c.operation.companions) > 0 {
		play.workspace.Must("apply")
	}
	if c.operation.others != nil {
		if err := c.operation.others(c.on, world, play.objects()[0]); err != nil {
			t.Fatal(err)
		}
	}
	if c.operation.tainted {
		play.workspace.Must("taint", c.on.address())
	}
	if play.after != nil || len(c.operation.companions) > 0 {
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
	text := p.cliCase.on.configuration(p.backendBlock, p.owned, written, p.operation.createBeforeDestroy)
	for _, name := range p.operation.companions {
		machine := subject{p.cliCase.on.vendor, &instances}
		text += machine.block(name, machine.written(with(arguments{"name": name}), nil), false)
	}
	p.workspace.Write(text)
}

// command is the one that carries the operation out. Where there are machines besides, only the block is gone.
func (p *cliPlay) command() []string {
	if p.after == nil && len(p.operation.companions) == 0 {
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
	if !p.awaitHolding(id, process) {
		out, _, err := process.Wait()
		return struckRun{out: out, err: err}
	}
	p.what.act(process)
	if p.what.kills {
		p.killed = true
		p.cloud.RemoveFault(id)
		return struckRun{err: errWasKilled}
	}
	struck := p.cloud.Journal()
	out, took, err := process.Wait()
	return struckRun{out: out, err: err, wrong: p.afterCtrlC(struck[len(struck)-1].Seq, took, out)}
}

// awaitHolding says whether the request came: the number of polls differs from run to run, and the command may end
// without it.
func (p *cliPlay) awaitHolding(id string, process *acceptance.Process) bool {
	ctx, done := context.WithTimeout(p.t.Context(), acceptance.Patience)
	defer done()
	go func() {
		select {
		case <-process.Ended():
			done()
		case <-ctx.Done():
		}
	}()
	return p.cloud.AwaitHolding(ctx, id) == nil
}

// afterCtrlC: the command asks the vendor a few things more, and ends. How long that takes is judged where the clock is the
// bench's own, since here it says more about the computer than about the provider.
func (p *cliPlay) afterCtrlC(since int64, took time.Duration, out string) *verdict {
	polls := 0
	for _, entry := range p.cloud.JournalSince(since) {
		if entry.Method == http.MethodGet {
			polls++
		}
	}
	if polls > lastLooks || took > acceptance.Patience {
		return fault(broken, "after the signal the command went on for %s, with %d looks at the vendor:\n%s", took, polls, out)
	}
	return nil
}

// lastLooks is how often a command may look at a vendor after a signal: what is in flight, and what is under way, once each.
const lastLooks = 8

// isWindow: see play.isWindow.
func (p *cliPlay) isWindow(out string) bool {
	unknown := 0
	var left emulator.Object
	held := p.holds()
	for _, object := range p.objects() {
		if _, known := held[object.ID]; !known {
			unknown, left = unknown+1, object
		}
	}
	on := p.cliCase.on
	return !p.owned && p.killed && p.strangers() == nil && p.ordered() == 1 && unknown == 1 && !on.creating(on.vendor, p.cloud, left) &&
		strings.Contains(out, "(CONFLICT)") && strings.Contains(out, "import {")
}

// holds answers the vendor's ids that the state holds, with whether they are tainted.
func (p *cliPlay) holds() map[string]bool {
	ids := map[string]bool{}
	for address, resource := range p.workspace.Resources() {
		if id, ok := resource.Values[p.cliCase.on.id].(string); ok && strings.HasPrefix(address, p.cliCase.on.address()) {
			ids[id] = resource.Tainted
		}
	}
	return ids
}

// judge looks at what is there after the last apply.
func (p *cliPlay) judge(kind outcome) verdict {
	wanted, mayOrder := 1, p.operation.mayOrder(p.cliCase.on.vendor)
	if p.after == nil {
		wanted = 0
	}
	if kind == named {
		mayOrder++
	}
	var held []string
	for id := range p.holds() {
		held = append(held, id)
	}
	for _, wrong := range []*verdict{p.strangers(), p.matches(held, wanted), p.orderedAtMost(mayOrder), p.replaced(p.operation), p.asWritten(p.after), p.planIsEmpty()} {
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

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// trial is one case of the simulated bench: an operation of which one request is interrupted.
type trial struct {
	on        subject
	operation operation
	what      interruption
	// at is the number of the request, from 1; 0: none is interrupted.
	at int
	// owned sets the provider's owner; stores is the local backend.
	owned, stores bool
	// plants is a fault of the provider's that the bench has to see; nil: none.
	plants *planted
}

// String names the case, so that it can be run again by its name.
func (c trial) String() string {
	if c.at == 0 {
		return strings.Join([]string{c.on.String(), c.operation.name, c.setting(), "to its end"}, "/")
	}
	return strings.Join([]string{c.on.String(), c.operation.name, c.setting(), c.what.name, fmt.Sprintf("request %d", c.at)}, "/")
}

func (c trial) setting() string {
	owner, backend := "no owner", "remote state"
	if c.owned {
		owner = "owner"
	}
	if c.stores {
		backend = "local state"
	}
	return owner + ", " + backend
}

// journal runs the operation to its end and answers what the vendor has been asked.
func (c trial) journal(t *testing.T) (sent []emulator.Entry) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		play := c.prepare(t)
		if command := play.apply(newWire(play.transport()), play.after); command.failed {
			t.Fatalf("%s: %s", c, command.said)
		}
		sent = play.cloud.JournalSince(play.since)
	})
	return sent
}

// settling is longer than any request of a process that is gone.
const settling = 5 * time.Minute

// run carries a case out in a bubble of its own. It answers the verdict and what the first command has sent.
func (c trial) run(t *testing.T) (found verdict, sent *wire) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		play := c.prepare(t)
		found = play.interrupted()
		play.left.Wait()
		// What a killed process had begun, such as a shared look, comes to its end inside its own deadline.
		<-time.After(settling)
		sent = play.wire
	})
	return found, sent
}

// play is a case under way.
type play struct {
	trial
	*workspace
	*scene
	t             *testing.T
	before, after arguments
	wire          *wire
	// begun says that the operation has begun, and with it what is planted.
	begun bool
}

// prepare brings a fresh vendor to where the operation begins.
func (c trial) prepare(t *testing.T) *play {
	t.Helper()
	cloud := emulator.InMemory(t, emulator.Options{})
	scene := newScene(t, c.on, cloud)
	play := &play{trial: c, scene: scene, t: t, workspace: &workspace{t: t, on: c.on, stores: c.stores, texts: c.on.texts(t)}}
	play.token = c.on.Of(cloud).Token
	if c.owned {
		play.owner = "shop/prod"
	}
	account := c.on.reference(t, cloud)
	machines := play.companions(account)
	play.before, play.after = c.written(c.operation.before, account, machines), c.written(c.operation.after, account, machines)
	for _, side := range []arguments{c.written(c.operation.earlier, account, machines), play.before} {
		if side == nil {
			continue
		}
		if command := play.apply(newWire(play.transport()), side); command.failed {
			t.Fatalf("preparing: %s", command.said)
		}
	}
	if c.operation.others != nil {
		if err := c.operation.others(c.on, cloud, play.objects()[0]); err != nil {
			t.Fatal(err)
		}
	}
	play.live.tainted, play.saved.tainted = c.operation.tainted, c.operation.tainted
	scene.begin()
	play.begun = true
	return play
}

// written is a side's block, with the machines that are there besides put in.
func (c trial) written(side func(vendor) arguments, account arguments, machines map[companion]arguments) arguments {
	block := c.on.written(side, account)
	for name, value := range block {
		if besides, ok := value.(companion); ok {
			block[name] = machines[besides]
		}
	}
	return block
}

// companions makes the machines that are there besides, and answers their objects.
func (p *play) companions(account arguments) map[companion]arguments {
	p.t.Helper()
	made := map[companion]arguments{}
	for _, name := range p.operation.companions {
		machine := subject{p.trial.on.vendor, &instances}
		own := &workspace{t: p.t, on: machine, owner: p.owner, token: p.token, stores: true}
		command := own.begin(newWire(p.transport()))
		command.apply(machine.written(with(arguments{"name": name}), account), false)
		if command.failed {
			p.t.Fatalf("preparing machine %s: %s", name, command.said)
		}
		object := arguments{"provider_account": arguments{"id": account["id"], "kind": account["kind"]}}
		for _, attribute := range []string{"id", "tenant_id", "machine_id", "region"} {
			object[attribute] = providertest.Text(p.t, own.live.current.Value, attribute)
		}
		made[companion(name)] = object
	}
	return made
}

func (p *play) transport() roundTripper {
	base := p.trial.on.Of(p.cloud).Transport()
	if p.begun && p.plants != nil && p.plants.carries != nil {
		return p.plants.carries(p, base)
	}
	return base
}

func (p *play) apply(wire *wire, written arguments) *command {
	command := p.workspace.begin(wire)
	command.apply(written, p.operation.createBeforeDestroy)
	if p.begun && p.plants != nil && p.plants.after != nil {
		p.plants.after(p)
	}
	return command
}

// interrupted runs the operation with its interruption, repeats it as a user would, and judges what is there then.
func (p *play) interrupted() verdict {
	p.wire = newWire(p.transport())
	p.wire.at, p.wire.what = p.at, p.what
	first := p.apply(p.wire, p.after)
	if strings.Contains(first.said.String(), "a mistake in the provider") {
		return *fault(broken, "panic: %s", first.said)
	}
	if wrong := p.afterCtrlC(first); wrong != nil {
		return *wrong
	}
	return p.repeat(first)
}

// repeat applies again where the first command has not come to its end, at most twice, and judges what is there then.
func (p *play) repeat(first *command) verdict {
	if first.goes() {
		return p.judge(unharmed)
	}
	again, kind := p.getUp()
	switch {
	case !again.failed:
		return p.judge(kind)
	case p.isWindow(again):
		return verdict{outcome: window}
	}
	return *fault(broken, "two more applies failed: first %s\nthen %s\nwrites: %s", first.said, again.said, p.writes())
}

// getUp applies undisturbed until it passes, at most twice; once more where a person had to answer a question.
func (p *play) getUp() (again *command, kind outcome) {
	kind = healed
	for try := 0; try < 2; try++ {
		again = p.apply(newWire(p.transport()), p.after)
		if !again.failed {
			return again, kind
		}
		object, asked := p.unanswered(p.holds(), again.said.String())
		if !asked || kind == named {
			continue
		}
		if err := p.release(object); err != nil {
			p.t.Fatal(err)
		}
		kind, try = named, 0
	}
	return again, kind
}

// afterCtrlC: the command ends soon, and what it has made is in the state, untainted.
func (p *play) afterCtrlC(first *command) *verdict {
	if !p.wire.isStopped() {
		return nil
	}
	if took := p.wire.slowness(time.Now()); took > patience {
		return fault(broken, "after Ctrl-C the command went on for %s", took)
	}
	if p.live.tainted && !p.operation.tainted {
		return fault(broken, "after Ctrl-C it is tainted: %s", first.said)
	}
	return nil
}

// isWindow: the one case in which a repeated apply may end in CONFLICT: no owner, killed when the create was finished and
// its state was not stored yet. There is that one object more than the state holds, finished, and it was ordered once.
func (p *play) isWindow(again *command) bool {
	var unknown []emulator.Object
	for _, object := range p.objects() {
		if !slices.Contains(p.holds(), object.ID) {
			unknown = append(unknown, object)
		}
	}
	return !p.owned && p.wire.isDead() && p.strangers() == nil && p.ordered() == 1 &&
		len(unknown) == 1 && !p.trial.on.creating(p.trial.on.vendor, p.cloud, unknown[0]) &&
		strings.Contains(again.said.String(), "(CONFLICT)") && strings.Contains(again.said.String(), "import {")
}

// judge looks at what is there after the last apply. Where an answer was spoilt that tells of options it may have said just
// what is wanted, which nobody can know: then a further plan has to see the truth and bring what is written.
func (p *play) judge(kind outcome) verdict {
	if kind == unharmed && p.what.mayLie() && p.asWritten(p.after) != nil {
		if again := p.apply(newWire(p.transport()), p.after); again.failed {
			return *fault(broken, "the apply after a wrong answer fails: %s", again.said)
		}
		return p.judge(healed)
	}
	wanted, mayOrder := 1, p.operation.mayOrder(p.trial.on.vendor)
	if p.after == nil {
		wanted = 0
	}
	if p.what.spoils != "" || p.wire.what.mayTaint {
		mayOrder++
	}
	if kind == named {
		mayOrder++
	}
	for _, wrong := range []*verdict{p.strangers(), p.matches(p.holds(), wanted), p.orderedAtMost(mayOrder), p.replaced(p.operation), p.asWritten(p.after), p.planIsEmpty(), p.runs()} {
		if wrong != nil {
			wrong.why += "; writes: " + p.writes()
			return *wrong
		}
	}
	return verdict{outcome: kind}
}

func (p *play) planIsEmpty() *verdict {
	if p.after == nil {
		return nil
	}
	command := p.workspace.begin(newWire(p.transport()))
	change, _ := command.plan(p.after)
	if command.failed || change.Replaces || !change.Planned.Value.Equal(p.live.current.Value) {
		return fault(broken, "the second plan is not empty: %s", command.said)
	}
	return nil
}

// runs: what is not written to be off runs, whatever has stopped it for a while.
func (p *play) runs() *verdict {
	if p.after == nil || p.after["power"] == "off" || p.trial.on.typeName != typeName {
		return nil
	}
	for _, machine := range p.objects() {
		if machine.State != p.trial.on.Running {
			return fault(broken, "machine %s is %s at the end", machine.ID, machine.State)
		}
	}
	return nil
}

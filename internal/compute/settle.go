// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// settle waits for a machine that is being made, puts it into its project, gives it the power state that is wanted, and takes the mark `creating`
// off, once the claim has been seen to be still ours before and after.
func (a *Account) settle(ctx context.Context, order order, made Made, operations []driver.Operation) (Made, error) {
	action := "create " + order.wish.object()
	proof, err := a.carry(ctx, order.spec, made.Machine, operations, action)
	made.Proof = cmp.Or(made.Proof, proof)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	machine, err := a.readyAndMarked(ctx, made, action)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	made.Machine = machine
	if twins := a.twinsOf(ctx, order.wish, made); len(twins) > 0 {
		return a.giveWay(ctx, order.wish, made, twins)
	}
	if err := a.assignProject(ctx, machine, a.projectOf(order.spec.Options), action); err != nil {
		return a.fail(ctx, made, err)
	}
	machine, err = a.optionsAtCreate(ctx, order, machine)
	if err != nil {
		made.Machine = machine
		return a.fail(ctx, made, err)
	}
	machine, err = a.powerAtCreate(ctx, order.wish, machine)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	made.Machine = machine
	return a.complete(ctx, order.wish, a.awaitAddress(ctx, order.wish, made))
}

// ready waits until nothing is under way on the machine and it has a settled state.
func (a *Account) ready(ctx context.Context, machine driver.Machine, action string) (driver.Machine, error) {
	return a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool {
		return !seen.Busy && (seen.State == driver.StateRunning || seen.State == driver.StateStopped)
	})
}

// readyAndMarked is ready for a machine whose marks may show later than it does.
func (a *Account) readyAndMarked(ctx context.Context, made Made, action string) (driver.Machine, error) {
	machine, err := a.ready(ctx, made.Machine, action)
	lag := a.Limits().IndexLag
	if err != nil || lag == 0 || made.ordered.IsZero() || machine.Marks.Claim != "" {
		return machine, err
	}
	return a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool {
		return seen.Marks.Claim != "" || time.Since(made.ordered) > lag
	})
}

// awaitMachine reads the machine until it is as wanted. A read that fails for a passing reason is no failure of the wait;
// where the time runs out, the last one that had an answer says what was waited for.
func (a *Account) awaitMachine(ctx context.Context, machine driver.Machine, action string, enough func(driver.Machine) bool) (driver.Machine, error) {
	var last error
	ctx = calls.For(ctx, "wait")
	wanted := a.machines.now()
	for look := 0; ; look++ {
		seen, err := a.machines.get(ctx, machine.ID, wanted)
		if err == nil || ctx.Err() == nil {
			last = err
		}
		switch {
		case err == nil && enough(seen):
			return seen, nil
		case err == nil && seen.State == driver.StateError:
			return seen, a.fault(driver.ProviderError, "", action, objectOf(seen)+" is in an error state at the vendor.",
				"Look at it at the vendor, then replace it.")
		case err != nil && ctx.Err() == nil && !a.passing(err) && (!a.isGone(err) || !a.machines.mayAppear(machine.ID)):
			return machine, a.explain(ctx, err, action, objectOf(machine))
		}
		if wanted, err = a.machines.nextRound(ctx, lookInterval(look)); err != nil {
			return machine, a.ended(ctx, action, objectOf(machine), last)
		}
	}
}

// passing says whether a failed read may succeed in a moment.
func (a *Account) passing(err error) bool {
	switch a.describe(err).Code {
	case driver.ProviderError, driver.RateLimited, driver.Timeout:
		return true
	default:
		return false
	}
}

// complete is the end of every create: read, write the marks without `creating`, read again. Whoever finds another claim
// has lost, saves nothing and writes nothing more.
func (a *Account) complete(ctx context.Context, wish Wish, made Made) (Made, error) {
	action := "create " + wish.object()
	if made.Machine.Marks.Claim != made.Claim {
		return Made{}, a.loseRace(ctx, wish, made, made.Machine)
	}
	machine, err := a.mark(ctx, made.Machine, a.marks(wish.Key, made.Claim, false), withLabels(made.Machine.Labels, nil, wish.Labels), action)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	made.Machine = machine
	machine, err = a.rereadMarked(ctx, machine, action)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	if machine.Marks.Claim != made.Claim {
		return Made{}, a.loseRace(ctx, wish, made, machine)
	}
	made.Machine, made.Unfinished = machine, false
	return made, nil
}

// rereadMarked reads until the marks that were just written show, which a lagging list may take a moment for.
func (a *Account) rereadMarked(ctx context.Context, machine driver.Machine, action string) (driver.Machine, error) {
	return a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool {
		return seen.Marks.Claim != machine.Marks.Claim || !seen.Marks.Creating
	})
}

// withLabels answers the machine's labels with the managed ones changed from prior to wanted; all others stay.
func withLabels(shown, prior, wanted map[string]string) map[string]string {
	labels := map[string]string{}
	maps.Copy(labels, shown)
	for key := range prior {
		delete(labels, key)
	}
	maps.Copy(labels, wanted)
	return labels
}

// mark writes marks and labels on a machine.
func (a *Account) mark(ctx context.Context, machine driver.Machine, marks driver.Marks, labels map[string]string, action string) (driver.Machine, error) {
	marker, err := capability[driver.Mark](a, CapabilityMark, action)
	if err != nil {
		return machine, err
	}
	marked := machine
	err = a.persistAgain(ctx, action, objectOf(machine), func(ctx context.Context) error {
		var err error
		marked, err = marker.Mark(ctx, machine, marks, labels)
		return err
	})
	a.machines.wrote(machine.ID)
	if err != nil {
		return machine, err
	}
	return marked, nil
}

// fail ends a create that knows its machine. What the vendor has thrown away is not kept; what is there is let go of by
// `creating`, since the state that is saved now owns it.
func (a *Account) fail(ctx context.Context, made Made, failed error) (Made, error) {
	ending, done := lastWords(ctx)
	defer done()
	machine, err := a.driver.Get(ending, made.Machine.ID)
	if err != nil {
		if a.isGone(err) && !errors.Is(failed, ErrInterrupted) && !a.mayStillAppear(made, failed) {
			return Made{}, a.vanished(made, failed)
		}
		return made, failed
	}
	if WellFormedClaim(machine.Marks.Claim) && machine.Marks.Claim != made.Claim {
		return Made{}, failed // another create has it: a state that kept it would replace it
	}
	made.Machine = machine
	if machine.Marks.Claim != made.Claim || !machine.Marks.Creating {
		return made, failed
	}
	if marker, ok := a.driver.(driver.Mark); ok {
		marked, err := marker.Mark(ending, machine, a.marks(machine.Marks.Key, made.Claim, false), machine.Labels)
		a.machines.wrote(machine.ID)
		if err == nil {
			made.Machine = marked
		}
	}
	return made, failed
}

// mayStillAppear says whether a machine that is not found is to be kept: it has never shown, and nothing says that the
// vendor has given it up.
func (a *Account) mayStillAppear(made Made, failed error) bool {
	return a.describe(failed).Outcome != driver.Done && a.machines.mayAppear(made.Machine.ID)
}

// vanished says in the words of a create that the vendor has thrown its machine away.
func (a *Account) vanished(made Made, err error) error {
	known, ok := errors.AsType[*Error](err)
	if !ok || known.Code != driver.NotFound {
		return err
	}
	known.Code, known.Outcome = driver.ProviderError, driver.Done
	known.Advice = "The vendor took the order and then removed " + objectOf(made.Machine) +
		" again: often there is no room. Apply again, or choose another offer or region. Nothing is kept."
	return known
}

// powerAtCreate brings a machine that has never been used to the power state that its create would have left.
func (a *Account) powerAtCreate(ctx context.Context, wish Wish, machine driver.Machine) (driver.Machine, error) {
	switch {
	case wish.Power == "off" && machine.State == driver.StateRunning:
		return a.switchPower(ctx, machine, driver.PowerOff)
	case wish.Power != "off" && machine.State == driver.StateStopped:
		return a.switchPower(ctx, machine, driver.PowerOn)
	}
	return machine, nil
}

// takeOverPause is how long a take-over waits before it looks whether its claim has stayed.
const takeOverPause = 2 * time.Second

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// stepTries is how often a step is tried whose answer was lost: each try begins with a look at what there is.
const stepTries = 3

// carry waits for operations, and where a create or reinstall takes several requests, for those of one step after the
// other. Proof is what a step gave for it.
func (a *Account) carry(
	ctx context.Context, spec driver.Spec, machine driver.Machine, operations []driver.Operation, action string,
) (proof string, err error) {
	for look := 0; ; look++ {
		err := a.await(ctx, operations, action, objectOf(machine))
		switch {
		case err == nil && !a.Limits().Stepwise:
			return proof, nil
		case err == nil:
		case !a.Limits().Stepwise || !a.waitsOut(err):
			return proof, err
		case pause(ctx, interval(look)) != nil:
			// The operation met another change of the machine; the next step looks what is left to do.
			return proof, a.ended(ctx, action, objectOf(machine), err)
		}
		resumed, err := a.step(ctx, spec, machine, action)
		if err != nil {
			return proof, err
		}
		proof = cmp.Or(proof, resumed.Proof)
		if len(resumed.Operations) == 0 {
			return proof, nil
		}
		operations = resumed.Operations
	}
}

// step asks the driver for the next step of a create. The step looks at the machine before it does anything, so a lost
// answer is no reason to give up.
func (a *Account) step(ctx context.Context, spec driver.Spec, machine driver.Machine, action string) (driver.Created, error) {
	for try := 1; ; try++ {
		var resumed driver.Created
		err := a.persist(ctx, action, objectOf(machine), func(ctx context.Context) error {
			var err error
			resumed, err = a.driver.Resume(ctx, spec, machine)
			return err
		})
		a.machines.wrote(machine.ID)
		if err == nil || !a.Limits().Stepwise || a.describe(err).Outcome != driver.Unknown || try >= stepTries {
			return resumed, err
		}
		if pause(ctx, interval(try)) != nil {
			return resumed, a.ended(ctx, action, objectOf(machine), err)
		}
	}
}

// find answers what bears the key. A machine that is being made may not show its key yet: it is waited for.
func (a *Account) find(ctx context.Context, wish Wish) ([]driver.Machine, error) {
	action := "create " + wish.object()
	for look := 0; ; look++ {
		found, err := a.driver.Find(ctx, wish.Key)
		if err == nil || !a.waitsOut(err) {
			return found, a.explain(ctx, err, action, "")
		}
		if pause(ctx, interval(look)) != nil {
			return nil, a.ended(ctx, action, "", err)
		}
	}
}

// lookWidely is the look-up where the list misses machines whose create was cut off early: they are looked for by key, and
// by name for what was made under the same name with other arguments.
func (a *Account) lookWidely(ctx context.Context, wish Wish) ([]driver.Machine, error) {
	found, err := a.find(ctx, wish)
	if err != nil || len(found) > 0 {
		return found, err
	}
	action := "create " + wish.object()
	lister, err := capability[driver.List](a, CapabilityList, action)
	if err != nil {
		return nil, err
	}
	named, err := lister.FindName(ctx, wish.Name)
	if err != nil {
		return nil, a.explain(ctx, err, action, "")
	}
	for _, machine := range named {
		if machine.Marks.Key == wish.Key {
			found = append(found, machine)
		} else if a.leftover(machine, wish) {
			return nil, a.leftoverConflict(machine, wish)
		}
	}
	return found, nil
}

// elsewhere goes on with a create whose place has gone to another machine: to one with the same key it is a take-over, else
// the machine is ordered anew.
func (a *Account) elsewhere(ctx context.Context, order order) (Made, error) {
	found, err := a.find(ctx, order.wish)
	if err != nil {
		return Made{}, err
	}
	if len(found) > 0 {
		return a.meet(ctx, order, found)
	}
	if pause(ctx, interval(0)) != nil {
		return Made{}, a.ended(ctx, "create "+order.wish.object(), "", nil)
	}
	return a.make(ctx, order)
}

// recognizable waits until a machine shows whose it is: one that is being cloned does not at first.
func (a *Account) recognizable(ctx context.Context, machine driver.Machine, action string) (driver.Machine, error) {
	if !a.Limits().Stepwise || !machine.Busy || machine.Marks.Key != "" {
		return machine, nil
	}
	return a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool { return !seen.Busy || seen.Marks.Key != "" })
}

// removeStepwise asks the driver for one step of a removal after the other until the machine is gone. Each looks first, so
// a lost answer is no reason to give up.
func (a *Account) removeStepwise(ctx context.Context, machine driver.Machine, action string) error {
	for lost := 0; ; {
		operations, err := a.sendDelete(ctx, machine, action)
		switch {
		case a.isGone(err):
			return nil
		case err != nil && a.describe(err).Outcome == driver.Unknown && lost < stepTries:
			lost++
		case err != nil:
			return err
		}
		if err := a.await(ctx, operations, action, ""); err != nil && !a.isGone(err) && !a.waitsOut(err) {
			return err
		}
		if pause(ctx, interval(0)/10) != nil {
			return a.ended(ctx, action, "", err)
		}
	}
}

// awaitAddress waits for the addresses of a machine that runs, where they are known only once its guest tells them.
func (a *Account) awaitAddress(ctx context.Context, wish Wish, made Made) Made {
	patience := a.Limits().AddressWait
	if !wish.WaitForAddress || patience == 0 || len(made.Machine.Addresses) > 0 || made.Machine.State != driver.StateRunning {
		return made
	}
	waiting, done := context.WithTimeout(ctx, patience)
	defer done()
	seen, err := a.awaitMachine(waiting, made.Machine, "learn the addresses", func(seen driver.Machine) bool { return len(seen.Addresses) > 0 })
	if err == nil {
		made.Machine = seen
		return made
	}
	if ctx.Err() == nil {
		made.Notices = append(made.Notices, Notice{
			Summary: "No address is known yet",
			Detail: capital(objectOf(made.Machine)) + " runs, but its guest has not told an address within " + patience.String() +
				". The next refresh shows what it tells by then; wait_for_address = false does not wait.",
		})
	}
	return made
}

// warnings are what the driver has to say though nothing has failed, of a machine and of the account itself.
func (a *Account) warnings(id string) []Notice {
	warner, ok := a.driver.(driver.Warn)
	if !ok {
		return nil
	}
	var notices []Notice
	texts := warner.Warnings("")
	if id != "" {
		texts = append(texts, warner.Warnings(id)...)
	}
	for _, text := range texts {
		notices = append(notices, Notice{Summary: a.title() + " warns", Detail: text})
	}
	return notices
}

// Warnings are what came up about the account itself since they were last asked for.
func (a *Account) Warnings() []Notice { return a.warnings("") }

// sameMaker compares marks but for the managed one, which a step that is still under way may bring.
func sameMaker(a, b driver.Marks) bool {
	a.Managed = b.Managed
	return a == b
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// work is something that is done to a machine while it is off. It brings made to what the machine shows by then.
type work func(ctx context.Context, made *Made) error

// offline are the changes that a machine has to be off for. Each one answers the work that there is for it, nil for none,
// and finds what would be refused while the machine still runs. One that an earlier update has finished has none.
func (a *Account) offline() []func(context.Context, driver.Machine, Change) (work, error) {
	return []func(context.Context, driver.Machine, Change) (work, error){a.resizeWork}
}

// changeOffline stops a machine for what it has to be off for, and gives it the power state back that it had. A mark on the
// machine says meanwhile that it is to run again, so that the next update brings that to its end, whatever has
// interrupted this one.
func (a *Account) changeOffline(ctx context.Context, held Held, change Change, made *Made) error {
	var all []work
	for _, prepare := range a.offline() {
		work, err := prepare(ctx, made.Machine, change)
		if err != nil {
			return err
		}
		if work != nil {
			all = append(all, work)
		}
	}
	if len(all) == 0 && !made.Machine.Marks.Stopped {
		return nil
	}
	wanted, err := a.stopForWork(ctx, held, change, made, len(all) > 0)
	if err != nil {
		return err
	}
	for _, work := range all {
		if err = work(ctx, made); err != nil {
			break
		}
	}
	if err != nil && ctx.Err() != nil {
		return a.leftOff(err, made, wanted)
	}
	return a.restart(ctx, held, change, made, wanted, err)
}

// stopForWork stops a machine that runs, if there is work for it, and answers the power state that it is to have
// afterwards: the one that the change says, else the one that it had.
func (a *Account) stopForWork(ctx context.Context, held Held, change Change, made *Made, needed bool) (wanted string, err error) {
	action := "update " + held.object()
	machine, err := a.ready(ctx, made.Machine, action)
	if err != nil {
		return "", err
	}
	machine.Marks.Stopped = made.Machine.Marks.Stopped
	made.Machine = machine
	runs := machine.State == driver.StateRunning
	switch {
	case change.Power != "":
		wanted = change.Power
	case runs || machine.Marks.Stopped:
		wanted = "on"
	default:
		wanted = "off"
	}
	if !needed || !runs {
		return wanted, nil
	}
	if !change.AllowStopping && wanted != "off" {
		return "", a.mustStop(action, machine)
	}
	if wanted == "on" {
		if err := a.markStopped(ctx, held, made, true); err != nil {
			return "", err
		}
	}
	stopped, err := a.gracefulOff(ctx, made.Machine, change.ShutdownTimeout)
	if err != nil {
		return "", a.leftOff(err, made, wanted)
	}
	stopped.Marks.Stopped = made.Machine.Marks.Stopped
	made.Machine = stopped
	return wanted, nil
}

// restart gives the machine its power state, after work that has failed too, and takes the mark off.
func (a *Account) restart(ctx context.Context, held Held, change Change, made *Made, wanted string, failed error) error {
	marked := made.Machine.Marks.Stopped
	machine, err := a.ready(ctx, made.Machine, "update "+held.object())
	if err == nil {
		machine, err = a.power(ctx, machine, wanted, change.ShutdownTimeout)
	}
	machine.Marks.Stopped = marked
	made.Machine = machine
	if err != nil {
		return a.leftOff(errors.Join(failed, err), made, wanted)
	}
	if marked {
		err = a.markStopped(ctx, held, made, false)
	}
	if failed != nil {
		return failed
	}
	return err
}

// markStopped puts on or takes off the mark that says that a machine is to run again.
func (a *Account) markStopped(ctx context.Context, held Held, made *Made, stopped bool) error {
	action := "update " + held.object()
	marks := a.marks(held.Key, held.Claim, made.Machine.Marks.Creating)
	marks.Stopped = stopped
	machine, err := a.mark(ctx, made.Machine, marks, made.Machine.Labels, action)
	made.Machine = machine
	if err != nil || stopped {
		return err
	}
	made.Machine, err = a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool { return !seen.Marks.Stopped })
	return err
}

func (a *Account) mustStop(action string, machine driver.Machine) error {
	return a.fault(driver.InvalidState, "allow_stopping_for_update", action,
		capital(objectOf(machine))+" runs, and it has to be stopped for this. Nothing was changed.",
		"Set allow_stopping_for_update = true, or switch the machine off first.")
}

// leftOff says of a change that was broken off that the machine may be off, and what switches it on again.
func (a *Account) leftOff(err error, made *Made, wanted string) error {
	known, ok := errors.AsType[*Error](err)
	if !ok || wanted != "on" {
		return err
	}
	known.Advice += " " + capital(objectOf(made.Machine)) + " was stopped for this and may be off now; the next apply brings the change to its end and switches it on again."
	return err
}

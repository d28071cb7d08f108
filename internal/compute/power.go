// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Power carries out one action on a machine and waits until the vendor says that it has ended; for on and off also until
// the machine shows it. It is what drivertest drives; resources reach it through Create, Update and Delete.
func (a *Account) Power(ctx context.Context, held Held, action driver.PowerAction) (driver.Machine, error) {
	leave, machine, err := a.open(ctx, held, "switch "+held.object())
	if err != nil {
		return machine, err
	}
	defer leave()
	return a.switchPower(ctx, machine, action)
}

// power brings a machine to "on" or "off"; the guest is asked first before power is cut.
func (a *Account) power(ctx context.Context, machine driver.Machine, wanted string, patience time.Duration) (driver.Machine, error) {
	switch {
	case wanted == "on" && machine.State == driver.StateStopped:
		return a.switchPower(ctx, machine, driver.PowerOn)
	case wanted == "off" && machine.State == driver.StateRunning:
		return a.gracefulOff(ctx, machine, patience)
	}
	return machine, nil
}

// gracefulOff asks the guest to stop, waits as long as it is given, and cuts the power then.
func (a *Account) gracefulOff(ctx context.Context, machine driver.Machine, patience time.Duration) (driver.Machine, error) {
	if patience <= 0 || !a.offers(driver.GracefulOff) {
		return a.switchPower(ctx, machine, driver.PowerOff)
	}
	if _, err := a.switchPower(ctx, machine, driver.GracefulOff); err != nil {
		return machine, err
	}
	waiting, done := context.WithTimeout(ctx, patience)
	defer done()
	stopped, err := a.awaitMachine(waiting, machine, "stop "+objectOf(machine), isStopped)
	if err == nil {
		return stopped, nil
	}
	if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return machine, err
	}
	return a.switchPower(ctx, machine, driver.PowerOff)
}

func isStopped(machine driver.Machine) bool {
	return !machine.Busy && machine.State == driver.StateStopped
}

func isRunning(machine driver.Machine) bool {
	return !machine.Busy && machine.State == driver.StateRunning
}

func (a *Account) offers(action driver.PowerAction) bool {
	power, ok := a.driver.(driver.Power)
	return ok && slices.Contains(power.PowerActions(), action)
}

// switchPower sends one action. Where its answer is lost, the machine tells what came of it; on and off are the same in
// effect when repeated and are sent once more, the others are not.
func (a *Account) switchPower(ctx context.Context, machine driver.Machine, action driver.PowerAction) (driver.Machine, error) {
	phrase := "power " + string(action) + " " + objectOf(machine)
	if !a.offers(action) {
		return machine, a.fault(driver.Unsupported, "power", phrase, a.title()+" has no such power action.",
			advice(driver.Failure{Code: driver.Unsupported}))
	}
	wanted := reached(action)
	repeatable := action == driver.PowerOn || action == driver.PowerOff
	operations, err := a.sendPower(ctx, machine, action, phrase)
	if err != nil && a.describe(err).Outcome == driver.Unknown {
		seen, readErr := a.fresh(ctx, machine.ID)
		switch {
		case readErr == nil && (repeatable && wanted(seen) || seen.Busy):
			err = nil
		case repeatable:
			operations, err = a.sendPower(ctx, machine, action, phrase)
		default:
			err = a.mayHaveHappened(err)
		}
	}
	if err != nil {
		return machine, err
	}
	if err := a.await(ctx, operations, phrase, ""); err != nil {
		return machine, err
	}
	a.machines.wrote(machine.ID)
	if wanted == nil {
		wanted = func(seen driver.Machine) bool { return !seen.Busy }
	}
	return a.awaitMachine(ctx, machine, phrase, wanted)
}

// reached answers what a machine looks like after an action; nil where the action's own success says nothing about it.
func reached(action driver.PowerAction) func(driver.Machine) bool {
	switch action {
	case driver.PowerOn, driver.Reset, driver.Cycle:
		return isRunning
	case driver.PowerOff:
		return isStopped
	default:
		return nil
	}
}

func (a *Account) sendPower(ctx context.Context, machine driver.Machine, action driver.PowerAction, phrase string) ([]driver.Operation, error) {
	power, err := capability[driver.Power](a, CapabilityPower, phrase)
	if err != nil {
		return nil, err
	}
	var operations []driver.Operation
	err = a.persist(ctx, phrase, "", func(ctx context.Context) error {
		var err error
		operations, err = power.Power(ctx, machine.ID, action)
		return err
	})
	a.machines.wrote(machine.ID)
	return operations, err
}

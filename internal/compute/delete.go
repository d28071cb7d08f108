// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Delete removes a machine and returns when it is seen to be gone. What is gone already is deleted; what is not ours any
// more is left alone, with a notice. A shutdown above zero asks the guest to stop first and waits that long.
func (a *Account) Delete(ctx context.Context, held Held, shutdown time.Duration) (notices []Notice, err error) {
	defer func() { notices = append(notices, a.warnings(held.MachineID)...) }()
	action := "delete " + held.object()
	for _, lane := range []string{held.Key, held.MachineID} {
		leave, err := a.queue.enter(ctx, lane)
		if err != nil {
			return nil, a.ended(ctx, action, "", nil)
		}
		defer leave()
	}
	machine, err := a.fresh(ctx, held.MachineID)
	if err == nil {
		machine, err = a.recognizable(ctx, machine, action)
	}
	if err != nil {
		_, err = a.absent(ctx, held, err, action)
		return nil, err
	}
	switch Judge(machine, held, a.settings.Owner).Delete {
	case DropNoCall:
		return []Notice{a.removed(held, machine)}, nil
	default:
		return nil, a.remove(ctx, machine, shutdown, action)
	}
}

func (a *Account) remove(ctx context.Context, machine driver.Machine, shutdown time.Duration, action string) error {
	if shutdown > 0 && machine.State == driver.StateRunning {
		if _, err := a.gracefulOff(ctx, machine, shutdown); err != nil {
			return err
		}
	}
	if a.Limits().Stepwise {
		return a.removeStepwise(ctx, machine, action)
	}
	operations, err := a.sendDelete(ctx, machine, action)
	if err != nil && a.describe(err).Outcome == driver.Unknown {
		// A machine that is gone is what was wanted, and a second delete of one that is not does no harm.
		operations, err = a.sendDelete(ctx, machine, action)
	}
	if err != nil && !a.isGone(err) {
		return err
	}
	if err := a.await(ctx, operations, action, ""); err != nil {
		return err
	}
	if err := a.awaitGone(ctx, machine, action); err != nil {
		return err
	}
	return a.forget(ctx, machine, action)
}

func (a *Account) sendDelete(ctx context.Context, machine driver.Machine, action string) ([]driver.Operation, error) {
	var operations []driver.Operation
	err := a.persist(ctx, action, "", func(ctx context.Context) error {
		var err error
		operations, err = a.driver.Delete(ctx, machine.ID)
		return err
	})
	a.machines.wrote(machine.ID)
	return operations, err
}

func (a *Account) isGone(err error) bool {
	return err != nil && a.describe(err).Code == driver.NotFound
}

// awaitGone returns when a read that began after the delete no longer shows the machine.
func (a *Account) awaitGone(ctx context.Context, machine driver.Machine, action string) error {
	a.machines.wrote(machine.ID)
	var last error
	ctx = calls.For(ctx, "wait")
	wanted := a.machines.now()
	for look := 0; ; look++ {
		gone, err := a.isAbsent(ctx, machine.ID, wanted)
		switch {
		case gone:
			return nil
		case err != nil && ctx.Err() == nil && !a.passing(err):
			return a.explain(ctx, err, action, "")
		case err == nil || ctx.Err() == nil:
			last = err
		}
		if wanted, err = a.machines.nextRound(ctx, lookInterval(look)); err != nil {
			return a.stillThere(ctx, last, action)
		}
	}
}

// isAbsent looks in the account's list, which serves everybody who deletes at the same time: what it showed marked before and
// shows no longer is gone. Where that would take more requests, or proves nothing, it asks for the machine.
func (a *Account) isAbsent(ctx context.Context, id string, wanted age) (bool, error) {
	if !a.Has(CapabilityList) {
		return a.isAnsweredGone(ctx, id)
	}
	wanted, each, err := a.machines.way(ctx, wanted)
	if err != nil {
		return false, err
	}
	if each {
		return a.isAnsweredGone(ctx, id)
	}
	current, err := a.machines.list(ctx, wanted)
	if err != nil {
		return false, err
	}
	machine, there := current.byID[id]
	if !there && a.Limits().IndexLag > 0 {
		return a.isAnsweredGone(ctx, id)
	}
	return !there || machine.State == driver.StateDeleted, nil
}

// isAnsweredGone asks for the machine itself.
func (a *Account) isAnsweredGone(ctx context.Context, id string) (bool, error) {
	machine, err := a.driver.Get(ctx, id)
	if a.isGone(err) {
		return true, nil
	}
	return err == nil && machine.State == driver.StateDeleted, err
}

func (a *Account) stillThere(ctx context.Context, last error, action string) error {
	ended := a.ended(ctx, action, "", last)
	if known, ok := ended.(*Error); ok && last == nil { //nolint:errorlint // ended answers *Error itself
		known.Message = fmt.Sprintf("%s has accepted the delete, but the object is still there", a.title())
	}
	return ended
}

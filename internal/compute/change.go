// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"maps"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Change is what an update does to a machine. Zero values change nothing.
type Change struct {
	Name string
	// Labels are the managed ones as planned, PriorLabels as they were; others are left alone.
	ChangeLabels        bool
	Labels, PriorLabels map[string]string
	// Power is "on" or "off".
	Power           string
	ShutdownTimeout time.Duration
	// OfferID is the offer that the machine is to have.
	OfferID string
	// AllowStopping says that the machine may be stopped for what it has to be off for.
	AllowStopping bool
	// Reinstall puts the wish's image and user data on the disk, which erases it.
	Reinstall *Wish
	// RestoreMarks writes marks that are missing.
	RestoreMarks bool
}

// Update changes a machine in place. On an error, Made says what is true by then.
func (a *Account) Update(ctx context.Context, held Held, change Change) (made Made, err error) {
	defer func() { made.Notices = append(made.Notices, a.warnings(held.MachineID)...) }()
	leave, machine, err := a.open(ctx, held, "update "+held.object())
	if err != nil {
		return Made{}, err
	}
	defer leave()
	made = Made{Machine: machine, Claim: held.Claim, Proof: held.Proof}
	for _, step := range []func(context.Context, Held, Change, *Made) error{
		a.changeMarks, a.changeName, a.changeOffline, a.changeDisk, a.changePower,
	} {
		if err := step(ctx, held, change, &made); err != nil {
			return made, err
		}
	}
	return made, nil
}

// open takes the machine's turn, reads it as it is now and judges whether the state may change it.
func (a *Account) open(ctx context.Context, held Held, action string) (leave func(), machine driver.Machine, err error) {
	leave, err = a.queue.enter(ctx, held.MachineID)
	if err != nil {
		return nil, machine, a.ended(ctx, action, held.object(), nil)
	}
	machine, err = a.fresh(ctx, held.MachineID)
	if err == nil {
		machine, err = a.recognizable(ctx, machine, action)
	}
	if err != nil {
		leave()
		return nil, machine, a.explain(ctx, err, action, held.object())
	}
	switch Judge(machine, held, a.settings.Owner).Update {
	case GoOn, RestoreMarks:
		return leave, machine, nil
	case PlanAgain:
		leave()
		return nil, machine, a.planAgain(held.object(), action, claimedMachine(machine))
	default:
		leave()
		return nil, machine, a.notOurs(held.object(), action, claimedMachine(machine))
	}
}

func (a *Account) changeMarks(ctx context.Context, held Held, change Change, made *Made) error {
	marks := a.marks(held.Key, held.Claim, made.Machine.Marks.Creating)
	marks.Stopped = made.Machine.Marks.Stopped // it goes when the machine runs again
	labels := made.Machine.Labels
	if change.ChangeLabels {
		labels = withLabels(labels, change.PriorLabels, change.Labels)
	}
	if marks == made.Machine.Marks && maps.Equal(labels, made.Machine.Labels) {
		return nil
	}
	machine, err := a.mark(ctx, made.Machine, marks, labels, "update "+held.object())
	made.Machine = machine
	return err
}

func (a *Account) changeName(ctx context.Context, _ Held, change Change, made *Made) error {
	if change.Name == "" {
		return nil
	}
	if err := a.rename(ctx, made.Machine, change.Name); err != nil {
		return err
	}
	made.Machine.Name = change.Name
	return nil
}

// rename changes the vendor's name of a machine. A taken one is somebody else's: nothing is changed.
func (a *Account) rename(ctx context.Context, machine driver.Machine, name string) error {
	if machine.Name == name {
		return nil
	}
	action := "rename " + objectOf(machine) + " to " + name
	renamer, err := capability[driver.Rename](a, CapabilityRename, action)
	if err != nil {
		return err
	}
	err = a.persistAgain(ctx, action, "", func(ctx context.Context) error { return renamer.Rename(ctx, machine.ID, name) })
	a.machines.wrote(machine.ID)
	if err != nil {
		return err
	}
	_, err = a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool { return seen.Name == name })
	return err
}

func (a *Account) changeDisk(ctx context.Context, held Held, change Change, made *Made) error {
	if change.Reinstall == nil {
		return nil
	}
	action := "reinstall " + held.object()
	order, err := a.prepareAgain(ctx, *change.Reinstall, made.Machine)
	if err != nil {
		return err
	}
	machine, err := a.stopFor(ctx, made.Machine, change.ShutdownTimeout)
	made.Machine = machine
	if err != nil {
		return err
	}
	order.spec.Marks = a.marks(held.Key, held.Claim, machine.Marks.Creating)
	if err := a.reinstall(ctx, machine, order.spec); err != nil {
		return err
	}
	made.ImageID = order.spec.ImageID
	machine, err = a.ready(ctx, machine, action)
	made.Machine = machine
	if err != nil {
		return err
	}
	machine, err = a.powerAtCreate(ctx, *change.Reinstall, machine)
	made.Machine = machine
	return err
}

// stopFor gives the guest its time to stop before its disk is written again.
func (a *Account) stopFor(ctx context.Context, machine driver.Machine, patience time.Duration) (driver.Machine, error) {
	if patience <= 0 || machine.State != driver.StateRunning {
		return machine, nil
	}
	return a.gracefulOff(ctx, machine, patience)
}

// reinstall is never repeated when its answer is lost: it may have happened.
func (a *Account) reinstall(ctx context.Context, machine driver.Machine, spec driver.Spec) error {
	action := "reinstall " + objectOf(machine)
	reinstaller, err := capability[driver.Reinstall](a, CapabilityReinstall, action)
	if err != nil {
		return err
	}
	var operations []driver.Operation
	err = a.persist(ctx, action, "", func(ctx context.Context) error {
		var err error
		operations, err = reinstaller.Reinstall(ctx, machine.ID, spec)
		return err
	})
	a.machines.wrote(machine.ID)
	if err != nil {
		return a.mayHaveHappened(err)
	}
	_, err = a.carry(ctx, spec, machine, operations, action)
	a.machines.wrote(machine.ID)
	return err
}

func (a *Account) changePower(ctx context.Context, _ Held, change Change, made *Made) error {
	machine, err := a.power(ctx, made.Machine, change.Power, change.ShutdownTimeout)
	made.Machine = machine
	return err
}

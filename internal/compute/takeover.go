// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// meet deals with what bears the wish's key already: it carries an interrupted create on, takes back what a lost state of
// the same owner had made, and refuses everything else untouched.
func (a *Account) meet(ctx context.Context, order order, found []driver.Machine) (Made, error) {
	if len(found) > 1 {
		return Made{}, a.twins("create "+order.wish.object(), claimedMachines(found))
	}
	order = order.like(found[0])
	if err := a.mayTakeOver(order, found[0]); err != nil {
		return Made{}, err
	}
	leave, err := a.queue.enter(ctx, found[0].ID)
	if err != nil {
		return Made{}, a.ended(ctx, "create "+order.wish.object(), objectOf(found[0]), nil)
	}
	defer leave()
	return a.takeOver(ctx, order, found[0])
}

// mayTakeOver refuses a machine that is somebody else's, and one that cannot be brought to the plan.
func (a *Account) mayTakeOver(order order, machine driver.Machine) error {
	if !machine.Marks.Creating && !sameOwner(machine.Marks.Claim, a.settings.Owner) {
		return a.foreignClaim("create "+order.wish.object(), claimedMachine(machine))
	}
	var differs []string
	for _, choice := range []struct{ what, shown, planned string }{
		{"offer", machine.OfferID, order.spec.OfferID}, {"region", machine.Region, order.spec.Region},
	} {
		if choice.shown != choice.planned {
			differs = append(differs, fmt.Sprintf("its %s is %s, planned is %s", choice.what, choice.shown, choice.planned))
		}
	}
	if len(differs) > 0 && len(order.choices) > 1 {
		differs = []string{fmt.Sprintf("it was made by offer %s in region %s, planned is one of %s", machine.OfferID, machine.Region, places(order.choices))}
	}
	mayReinstall := machine.Marks.Creating && a.Has(CapabilityReinstall)
	if a.otherImage(order, machine) && !mayReinstall {
		differs = append(differs, fmt.Sprintf("its image is %s, planned is %s", machine.Image, order.wish.Image))
	}
	differs = append(differs, a.optionsThatReplace(order, machine)...)
	if len(differs) > 0 {
		return a.cannotBring("create "+order.wish.object(), claimedMachine(machine), strings.Join(differs, "; "))
	}
	return nil
}

func (a *Account) otherImage(order order, machine driver.Machine) bool {
	return machine.ImageID != "" && machine.ImageID != order.spec.ImageID
}

// takeOver writes our claim, after one more look right before, and goes on only if it stays.
func (a *Account) takeOver(ctx context.Context, order order, machine driver.Machine) (Made, error) {
	action := "take over " + objectOf(machine)
	order.spec.Marks = a.marks(order.wish.Key, NewClaim(a.settings.Owner), machine.Marks.Creating)
	order.spec.Marks.Stopped = machine.Marks.Stopped
	if err := a.letFinish(ctx, machine, action); err != nil {
		return Made{}, err
	}
	marked, err := a.writeClaim(ctx, order, machine, action)
	if err != nil {
		return Made{}, err
	}
	made := a.made(order, driver.Created{Machine: marked})
	made.Adopted = true
	made.Notices = append(made.Notices, a.takenOver(machine))
	if err := pause(ctx, takeOverPause); err != nil {
		return a.fail(ctx, made, a.ended(ctx, action, "", nil))
	}
	seen, err := a.settled(ctx, machine, action)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	if seen.Marks.Claim != made.Claim {
		return Made{}, a.loseRace(ctx, order.wish, made, seen)
	}
	made.Machine = seen
	return a.bring(ctx, order, made)
}

// settled reads a machine whose claim was replaced until it no longer shows the old one, for as long as the vendor may lag.
func (a *Account) settled(ctx context.Context, before driver.Machine, action string) (driver.Machine, error) {
	written := time.Now()
	return a.awaitMachine(ctx, before, action, func(seen driver.Machine) bool {
		claims := append([]string{seen.Marks.Claim}, seen.OtherClaims...)
		return claims[0] != "" && !slices.Contains(claims, before.Marks.Claim) || time.Since(written) >= a.Limits().IndexLag
	})
}

// letFinish gives a create that may still be alive in another process the time to come to its end: it looks at its machine
// every few seconds, and takes `creating` off then.
func (a *Account) letFinish(ctx context.Context, machine driver.Machine, action string) error {
	if !machine.Marks.Creating || !machine.Busy && time.Since(machine.CreatedAt) > writeDeadline {
		return nil
	}
	_, err := a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool { return !seen.Busy })
	if err != nil {
		return err
	}
	if pause(ctx, 2*longestInterval) != nil {
		return a.ended(ctx, action, "", nil)
	}
	return nil
}

// writeClaim looks at the machine right before each try to write: one whose marks have changed is being made or taken by
// somebody else.
func (a *Account) writeClaim(ctx context.Context, order order, machine driver.Machine, action string) (driver.Machine, error) {
	marker, err := capability[driver.Mark](a, CapabilityMark, action)
	if err != nil {
		return machine, err
	}
	for look := 0; ; look++ {
		seen, err := a.fresh(ctx, machine.ID)
		if err != nil {
			return machine, a.explain(ctx, err, action, "")
		}
		if !sameMaker(seen.Marks, machine.Marks) {
			return machine, a.lostRace("create "+order.wish.object(), claimedMachine(seen))
		}
		marked := seen
		err = a.writeOnce(ctx, func(ctx context.Context) error {
			var err error
			marked, err = marker.Mark(ctx, seen, order.spec.Marks, withLabels(seen.Labels, nil, order.wish.Labels))
			return err
		})
		a.machines.wrote(machine.ID)
		if err == nil || !a.waitsOut(err) {
			return marked, a.explain(context.WithoutCancel(ctx), err, action, "")
		}
		if pause(ctx, interval(look)) != nil {
			return machine, a.ended(ctx, action, "", err)
		}
	}
}

// bring makes a machine that was taken over like the plan. One that was still being created has never been used, so its
// disk may be written again.
func (a *Account) bring(ctx context.Context, order order, made Made) (Made, error) {
	if !made.Machine.Marks.Creating {
		return a.bringUsed(ctx, order, made)
	}
	action := "create " + order.wish.object()
	if err := a.rename(ctx, made.Machine, order.wish.Name); err != nil {
		return a.fail(ctx, made, err)
	}
	if !order.wish.KeyCoversContent && a.Limits().FixedUserData {
		made.Notices = append(made.Notices, a.userDataStays(made.Machine))
	}
	if !order.wish.KeyCoversContent && !a.Limits().FixedUserData || a.otherImage(order, made.Machine) {
		machine, err := a.ready(ctx, made.Machine, action)
		if err != nil {
			return a.fail(ctx, made, err)
		}
		made.Machine = machine
		if err := a.reinstall(ctx, machine, order.spec); err != nil {
			return a.fail(ctx, made, err)
		}
	}
	return a.resume(ctx, order, made)
}

// bringUsed leaves the disk of a machine that was in use alone. One that an update had stopped runs again.
func (a *Account) bringUsed(ctx context.Context, order order, made Made) (Made, error) {
	if err := a.rename(ctx, made.Machine, order.wish.Name); err != nil {
		return a.fail(ctx, made, err)
	}
	machine, err := a.optionsInUse(ctx, order, made.Machine)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	if err := a.assignProject(ctx, machine, a.ownProject(order.spec.Options), "create "+order.wish.object()); err != nil {
		return a.fail(ctx, made, err)
	}
	wanted := order.wish.Power
	if wanted == "" && machine.Marks.Stopped {
		wanted = "on"
	}
	machine, err = a.power(ctx, machine, wanted, order.wish.ShutdownTimeout)
	if err != nil {
		return a.fail(ctx, made, err)
	}
	made.Machine = machine
	return a.complete(ctx, order.wish, made)
}

func (a *Account) takenOver(machine driver.Machine) Notice {
	age := time.Since(machine.CreatedAt).Round(time.Second)
	if machine.Marks.Creating {
		return Notice{
			Summary: "An interrupted create was carried on",
			Detail: fmt.Sprintf("%s was made %s ago by a create that did not come to its end. It bears this resource's key, has never been used, and was taken over; no second machine was made.",
				capital(objectOf(machine)), age),
		}
	}
	return Notice{
		Summary: "A machine that this state had lost was taken back",
		Detail: fmt.Sprintf("%s was made %s ago under the same owner and bears this resource's key. It was adopted; no second machine was made, and its disk was left alone. "+
			"If this was to be a replacement with create_before_destroy, nothing was replaced: change idempotency_key%s.",
			capital(objectOf(machine)), age, a.nameToo()),
	}
}

// userDataStays says what a take-over under a chosen key cannot see to where a machine keeps the user data of its create.
func (a *Account) userDataStays(machine driver.Machine) Notice {
	return Notice{
		Summary: "The user data is that of the interrupted create",
		Detail: fmt.Sprintf("%s was ordered under this resource's idempotency_key. %s shows nobody the user data it was ordered with and cannot change it. If you have changed user_data or ssh_authorized_keys since that apply, replace the machine.",
			capital(objectOf(machine)), a.title()),
	}
}

// Finish carries on a create whose machine a state holds already: what an interrupted create, an untainted one or an
// import of an unfinished machine left to do.
func (a *Account) Finish(ctx context.Context, held Held, wish Wish) (finished Made, err error) {
	defer func() { finished.Notices = append(finished.Notices, a.warnings(held.MachineID)...) }()
	action := "create " + wish.object()
	leave, machine, err := a.open(ctx, held, action)
	if err != nil {
		return Made{}, err
	}
	defer leave()
	order, err := a.prepareAgain(ctx, wish, machine)
	if err != nil {
		return Made{Machine: machine, Claim: held.Claim, Proof: held.Proof, Unfinished: true}, err
	}
	order.spec.Marks = a.marks(held.Key, held.Claim, false)
	made := a.made(order, driver.Created{Machine: machine, Proof: held.Proof})
	if err := a.rename(ctx, machine, wish.Name); err != nil {
		return made, err
	}
	if machine.Marks.Claim != held.Claim {
		marked, err := a.mark(ctx, machine, order.spec.Marks, machine.Labels, action)
		if err != nil {
			return made, err
		}
		made.Machine = marked
	}
	return a.resume(ctx, order, made)
}

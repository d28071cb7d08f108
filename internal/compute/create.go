// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Create makes the machine that bears the wish's key, or carries on, adopts or refuses what bears it already. It may be
// repeated after whatever happened to an earlier try. On an error, Made says what is there; ErrInterrupted says that the
// command was cancelled.
func (a *Account) Create(ctx context.Context, wish Wish) (made Made, err error) {
	defer func() { made.Notices = append(made.Notices, a.warnings(made.Machine.ID)...) }()
	leave, err := a.queue.enter(ctx, wish.Key)
	if err != nil {
		return Made{}, a.ended(ctx, "create "+wish.object(), "", nil)
	}
	defer leave()
	defer a.creating.add(wish.Key)()
	a.quotas.start(driver.CountedMachines)
	order, err := a.prepare(ctx, wish)
	if err != nil {
		return Made{}, err
	}
	found, err := a.lookUp(ctx, &order)
	if err != nil {
		return Made{}, err
	}
	if len(found) == 0 {
		return a.make(ctx, order)
	}
	return a.meet(ctx, order, found)
}

// lookUp answers what bears the wish's key, and refuses a leftover of the same resource that was made with other
// arguments. Where the index lags, an earlier try is given the time to show.
func (a *Account) lookUp(ctx context.Context, order *order) ([]driver.Machine, error) {
	found, err := a.lookAround(ctx, order.wish)
	if err != nil || len(found) > 0 {
		return found, err
	}
	return a.lookBack(ctx, order)
}

func (a *Account) lookAround(ctx context.Context, wish Wish) ([]driver.Machine, error) {
	action := "create " + wish.object()
	if a.Limits().Stepwise {
		return a.lookWidely(ctx, wish)
	}
	if !a.Has(CapabilityList) {
		found, err := a.driver.Find(ctx, wish.Key)
		return found, a.explain(ctx, err, action, "")
	}
	since := time.Now().Add(-lookupAge)
	if since.Before(a.settings.Opened) {
		since = a.settings.Opened
	}
	current, err := a.machines.list(ctx, age{since: since})
	if err != nil {
		return nil, a.explain(ctx, err, action, "")
	}
	var found []driver.Machine
	for _, machine := range current.ordered() {
		if machine.Marks.Key == wish.Key {
			found = append(found, machine)
		} else if a.leftover(machine, wish) {
			return nil, a.leftoverConflict(action, claimedMachine(machine))
		}
	}
	return found, nil
}

// leftover says whether a machine is what an earlier, interrupted create of this resource left behind.
func (a *Account) leftover(machine driver.Machine, wish Wish) bool {
	part, _, _ := strings.Cut(machine.Marks.Claim, "-")
	return machine.Marks.Creating && machine.Marks.Account == a.settings.Reference.ID && machine.Name == wish.Name &&
		part == ownerPart(a.settings.Owner) && !a.creating.has(machine.Marks.Key)
}

// make orders a new machine and waits until it is ready.
func (a *Account) make(ctx context.Context, order order) (Made, error) {
	order.spec.Marks = a.marks(order.wish.Key, NewClaim(a.settings.Owner), true)
	order, created, err := a.postFirst(ctx, order)
	if err != nil {
		return a.afterPost(ctx, order, err)
	}
	made, err := a.settle(ctx, order, a.ordered(order, created), created.Operations)
	if err != nil && a.describe(err).Reason == driver.ReasonPlaceTaken {
		return a.elsewhere(ctx, order)
	}
	return made, err
}

func (a *Account) made(order order, created driver.Created) Made {
	return Made{
		Machine: created.Machine, ImageID: order.spec.ImageID, Offer: order.offer,
		Claim: order.spec.Marks.Claim, Proof: created.Proof, Unfinished: true,
	}
}

// ordered is made for a machine that this create has ordered itself.
func (a *Account) ordered(order order, created driver.Created) Made {
	made := a.made(order, created)
	made.ordered, made.Notices = time.Now(), order.passedOver()
	return made
}

// post sends the one request that makes a machine. It is sent again only when the vendor said that it was too busy.
func (a *Account) post(ctx context.Context, order order) (driver.Created, error) {
	var created driver.Created
	err := a.persist(ctx, "create "+order.wish.object(), "", func(ctx context.Context) error {
		var err error
		created, err = a.driver.Create(ctx, order.spec)
		return err
	})
	if err == nil {
		a.machines.ordered(created.Machine.ID)
	}
	return created, err
}

// afterPost finds out what became of a create whose request failed: a lost answer is looked for by its key, a taken name
// may be that of a create with the same key in another process.
func (a *Account) afterPost(ctx context.Context, order order, failed error) (Made, error) {
	failure := a.describe(failed)
	switch {
	case failure.Outcome == driver.Unknown:
		return a.recoverLost(ctx, order, failed)
	case failure.Reason == driver.ReasonPlaceTaken:
		return a.elsewhere(ctx, order)
	case failure.Reason == driver.ReasonNameTaken:
		return a.nameTaken(ctx, order, failed)
	}
	if failure.Outcome == driver.NotDone {
		a.takeBack(ctx, order)
	}
	if failure.Code == driver.CapacityUnavailable {
		return Made{}, a.noRoom(ctx, order, failed)
	}
	return Made{}, failed
}

// recoverLost looks for the machine that a lost answer may have made. It never sends the create again.
func (a *Account) recoverLost(ctx context.Context, order order, failed error) (Made, error) {
	looking, done := context.WithTimeout(context.WithoutCancel(ctx), writeDeadline+a.Limits().IndexLag)
	defer done()
	for _, after := range []time.Duration{time.Second, 3 * time.Second, 8 * time.Second, a.Limits().IndexLag} {
		if pause(looking, after) != nil {
			break
		}
		found, err := a.driver.Find(looking, order.wish.Key)
		if err != nil && a.waitsOut(err) {
			found, err = a.find(ctx, order.wish)
		}
		if err != nil || len(found) == 0 {
			continue
		}
		if len(found) == 1 && found[0].Marks.Claim == order.spec.Marks.Claim {
			return a.resume(ctx, order, a.ordered(order, driver.Created{Machine: found[0]}))
		}
		return a.meet(ctx, order, found)
	}
	return Made{}, a.mayHaveBeenMade(order.wish.object(), order.wish.Key, failed)
}

// resume carries a machine on that bears our claim, and settles it.
func (a *Account) resume(ctx context.Context, order order, made Made) (Made, error) {
	order.spec.Marks = made.Machine.Marks
	resumed, err := a.step(ctx, order.spec, made.Machine, "create "+order.wish.object())
	if err != nil {
		return a.fail(ctx, made, err)
	}
	made.Proof = cmp.Or(made.Proof, resumed.Proof)
	return a.settle(ctx, order, made, resumed.Operations)
}

func (a *Account) nameTaken(ctx context.Context, order order, failed error) (Made, error) {
	reading, done := detached(ctx)
	defer done()
	found, err := a.driver.Find(reading, order.wish.Key)
	if err == nil && len(found) > 0 {
		return a.meet(ctx, order, found)
	}
	return Made{}, a.nameTakenConflict(reading, order.wish, failed)
}

// noRoom names other regions that have the offer in stock, as far as one more look tells.
func (a *Account) noRoom(ctx context.Context, order order, failed error) error {
	explained := a.explain(ctx, failed, "create "+order.wish.object(), "")
	known, ok := errors.AsType[*Error](explained)
	if !ok {
		return explained
	}
	known.Field = cmp.Or(known.Field, "offer_id")
	if len(order.choices) > 1 {
		known.Advice = "None of the choices has room now: " + places(order.choices) + ". Add another offer or region to the lists, or try again later."
		return known
	}
	others := a.regionsWith(ctx, order.wish.OfferID, order.spec.Region, func(offer driver.Offer) bool { return offer.Available })
	if len(others) > 0 {
		known.Advice = fmt.Sprintf("Offer %s has no room in region %s now. It is in stock in: %s. Choose one of them or another offer, or try again later.",
			order.wish.OfferID, order.spec.Region, strings.Join(others, ", "))
	}
	return known
}

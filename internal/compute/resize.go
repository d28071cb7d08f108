// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// resizeWork gives a machine another offer. There is nothing to do where it has it already.
func (a *Account) resizeWork(ctx context.Context, machine driver.Machine, change Change) (work, error) {
	if change.OfferID == "" || change.OfferID == machine.OfferID {
		return nil, nil //nolint:nilnil // no work and no fault
	}
	action := resizeAction(machine, change.OfferID)
	resizer, err := capability[driver.Resize](a, CapabilityResize, action)
	if err != nil {
		return nil, err
	}
	offer, err := a.resizable(ctx, resizer, machine, change.OfferID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, made *Made) error {
		resized, err := a.resize(ctx, resizer, made.Machine, offer)
		resized.Marks.Stopped = made.Machine.Marks.Stopped
		made.Machine = resized
		if err == nil {
			made.Offer = offer
		}
		return err
	}, nil
}

func resizeAction(machine driver.Machine, offer string) string {
	return "change the offer of " + objectOf(machine) + " to " + offer
}

// resizable answers the offer that a machine is to have, if its region sells it and the vendor can give it to this machine.
func (a *Account) resizable(ctx context.Context, resizer driver.Resize, machine driver.Machine, id string) (driver.Offer, error) {
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: machine.Region})
	if err != nil {
		return driver.Offer{}, err
	}
	at := slices.IndexFunc(offers, func(offer driver.Offer) bool { return offer.ID == id })
	if at < 0 {
		return driver.Offer{}, a.noOffer(ctx, id, machine.Region, offers)
	}
	if err := resizer.CheckResize(machine, offers[at]); err != nil {
		return driver.Offer{}, a.cannotResize(err, resizer, machine, offers[at], offers)
	}
	return offers[at], nil
}

// cannotResize says why a machine cannot have an offer, and names those of about its size that it can have.
func (a *Account) cannotResize(refused error, resizer driver.Resize, machine driver.Machine, wanted driver.Offer, offers []driver.Offer) error {
	able := a.resizableOffers(resizer, machine, offers)
	next := "There is no other offer in this region that it can have."
	if len(able) > 0 {
		next = "It can have: " + describeOffers(nearestInSize(wanted, able)) + "."
	}
	failure := a.describe(refused)
	return a.fault(failure.Code, cmp.Or(failure.Field, "offer_id"), resizeAction(machine, wanted.ID), capital(failure.Message)+".",
		next+" To have one that it cannot, replace the machine: change idempotency_key together with offer_id. The new machine's disk begins empty.")
}

// resizableOffers answers the offers in stock that a machine can have in the place of its own.
func (a *Account) resizableOffers(resizer driver.Resize, machine driver.Machine, offers []driver.Offer) []driver.Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(offer driver.Offer) bool {
		return !offer.Available || offer.ID == machine.OfferID || resizer.CheckResize(machine, offer) != nil
	})
}

// nearestInSize answers the offers that are most like one: first in CPUs, then in memory, then in their price.
func nearestInSize(wanted driver.Offer, offers []driver.Offer) []driver.Offer {
	sorted := slices.SortedStableFunc(slices.Values(offers), func(a, b driver.Offer) int {
		return cmp.Or(
			cmp.Compare(apart(float64(a.VCPU), float64(wanted.VCPU)), apart(float64(b.VCPU), float64(wanted.VCPU))),
			cmp.Compare(apart(a.MemoryGiB, wanted.MemoryGiB), apart(b.MemoryGiB, wanted.MemoryGiB)),
			compareOffers(a, b),
		)
	})
	return sorted[:min(nearestShown, len(sorted))]
}

func apart(a, b float64) float64 { return max(a, b) - min(a, b) }

func describeOffers(offers []driver.Offer) string {
	texts := make([]string, len(offers))
	for i, offer := range offers {
		texts[i] = describeOffer(offer)
	}
	return strings.Join(texts, "; ")
}

// resize is carried out on a machine that is off, and waits until it has the offer. It is never repeated blindly when its
// answer is lost.
func (a *Account) resize(ctx context.Context, resizer driver.Resize, machine driver.Machine, offer driver.Offer) (driver.Machine, error) {
	action := resizeAction(machine, offer.ID)
	for lost := 0; ; {
		operations, err := a.sendResize(ctx, resizer, machine, offer, action)
		switch {
		case err != nil && a.describe(err).Outcome == driver.Unknown && !a.Limits().Stepwise:
			return a.afterLostResize(ctx, machine, offer, action, err)
		case err != nil && (a.describe(err).Outcome != driver.Unknown || lost >= stepTries):
			return machine, err
		case err != nil:
			// Each step looks at the machine before it does anything.
			lost++
			if pause(ctx, interval(lost)) != nil {
				return machine, a.ended(ctx, action, "", err)
			}
			continue
		}
		if err := a.await(ctx, operations, action, ""); err != nil && (!a.Limits().Stepwise || !a.waitsOut(err)) {
			return machine, err
		}
		if !a.Limits().Stepwise || len(operations) == 0 {
			a.machines.wrote(machine.ID)
			return a.awaitOffer(ctx, machine, offer, action)
		}
	}
}

func (a *Account) sendResize(
	ctx context.Context, resizer driver.Resize, machine driver.Machine, offer driver.Offer, action string,
) ([]driver.Operation, error) {
	var operations []driver.Operation
	err := a.persist(ctx, action, "", func(ctx context.Context) error {
		var err error
		operations, err = resizer.Resize(ctx, machine, offer)
		return err
	})
	a.machines.wrote(machine.ID)
	return operations, err
}

// awaitOffer waits until the machine shows its new offer and nothing is under way.
func (a *Account) awaitOffer(ctx context.Context, machine driver.Machine, offer driver.Offer, action string) (driver.Machine, error) {
	return a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool {
		return !seen.Busy && seen.OfferID == offer.ID && (seen.State == driver.StateRunning || seen.State == driver.StateStopped)
	})
}

// afterLostResize looks what became of a resize whose answer was lost: one that is under way is waited for. It is not sent
// again.
func (a *Account) afterLostResize(
	ctx context.Context, machine driver.Machine, offer driver.Offer, action string, lost error,
) (driver.Machine, error) {
	under, err := a.driver.Resume(ctx, driver.Spec{}, machine)
	if err == nil {
		err = a.await(ctx, under.Operations, action, "")
	}
	a.machines.wrote(machine.ID)
	seen := machine
	if err == nil {
		seen, err = a.ready(ctx, machine, action)
	}
	switch {
	case ctx.Err() != nil:
		return machine, a.ended(ctx, action, "", lost)
	case err == nil && seen.OfferID == offer.ID:
		return seen, nil
	}
	return seen, a.mayHaveHappened(lost)
}

// ResizeCheck is what a plan wants to know before it changes a machine's offer.
type ResizeCheck struct {
	Held    Held
	OfferID string
	// MaxPricePerHour is decimal; empty: no limit.
	MaxPricePerHour string
}

// PreflightResize looks whether a machine can be given another offer: sold and in stock in its region, of its architecture,
// with a disk that is not smaller than its own, and not dearer than is allowed.
func (a *Account) PreflightResize(ctx context.Context, check ResizeCheck) []Finding {
	action := fmt.Sprintf("change the offer of %s to %s", check.Held.object(), check.OfferID)
	resizer, err := capability[driver.Resize](a, CapabilityResize, action)
	if err != nil {
		return appendFinding(nil, err)
	}
	machine, err := a.machines.get(ctx, check.Held.MachineID, age{since: a.settings.Opened})
	if err != nil {
		return a.report(appendFinding(nil, a.explain(ctx, err, action, "")))
	}
	return a.report(a.resizeFindings(ctx, resizer, machine, check))
}

func (a *Account) resizeFindings(ctx context.Context, resizer driver.Resize, machine driver.Machine, check ResizeCheck) []Finding {
	if machine.OfferID == check.OfferID {
		return nil
	}
	offer, err := a.resizable(ctx, resizer, machine, check.OfferID)
	if err != nil {
		return appendFinding(nil, err)
	}
	if a.Limits().ResizeKeepsPlace {
		offer.Available = true
	}
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: machine.Region})
	if err != nil {
		return appendFinding(nil, err)
	}
	return a.checkOffer(ctx, offer, a.resizableOffers(resizer, machine, offers), Preflight{CheckOffer: true, MaxPricePerHour: check.MaxPricePerHour})
}

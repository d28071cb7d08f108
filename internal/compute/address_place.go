// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// placement is where an address has come to.
type placement struct {
	address driver.ReservedAddress
	// proof is what the vendor's operation left behind.
	proof string
	// placed are the machines that this state has put it on, as in AddressHeld.
	placed string
	// known says that address has been seen at all.
	known bool
}

// take keeps what place has seen.
func (m *AddressMade) take(seen placement) {
	if !seen.known {
		return
	}
	m.Address, m.Placed = seen.address, seen.placed
	if seen.proof != "" {
		m.Proof = seen.proof
	}
}

// fewTries bounds what is sent again after an answer that does not say what has become of the address.
const fewTries = 3

// place brings an address onto a machine, or off every machine where machineID is empty. Each try looks first where it
// is, so nothing is sent twice for a lost answer, and nothing is taken off a machine that somebody else put it on. Known,
// where the caller has just looked, takes the place of the first look.
func (a *Account) place(ctx context.Context, held AddressHeld, machineID, action string, known *driver.ReservedAddress) (placement, error) {
	api, err := capability[driver.Addresses](a, CapabilityAddresses, action)
	if err != nil {
		return placement{}, err
	}
	at, tries := placement{placed: held.Placed}, 0
	for look := 0; ; look++ {
		seen, err := a.lookUntilSeen(ctx, held.AddressID, known)
		if err != nil {
			return at, a.explain(ctx, err, action, held.object())
		}
		known = nil
		at.address, at.known = seen, true
		if seen.Holder == machineID {
			at.placed = machineID
			return at, nil
		}
		if seen.Holder != "" && !slices.Contains(strings.Fields(at.placed), seen.Holder) {
			return at, a.foreignMachine(seen, action)
		}
		target, send := nextStep(api, seen, machineID)
		if target != "" {
			// From here on it may be there, whatever becomes of the answer.
			at.placed = strings.TrimSpace(seen.Holder + " " + target)
		}
		done, err := a.moveOnce(ctx, held, &at, target, send, action)
		switch {
		case done && target == machineID:
			return at, nil
		case done:
			continue
		case a.waitsOut(err):
		case a.isSettled(err) || tries >= fewTries || ctx.Err() != nil:
			return at, a.explain(ctx, err, action, held.object())
		default:
			tries++
		}
		if pause(ctx, interval(look)) != nil {
			return at, a.ended(ctx, action, held.object(), err)
		}
	}
}

// lookUntilSeen is lookAt that tries a few times more where the answer fails for a passing reason.
func (a *Account) lookUntilSeen(ctx context.Context, id string, known *driver.ReservedAddress) (driver.ReservedAddress, error) {
	for look := 0; ; look++ {
		seen, err := a.lookAt(ctx, id, known)
		if err == nil || look >= fewTries || ctx.Err() != nil || !a.passing(err) || pause(ctx, interval(look)) != nil {
			return seen, err
		}
	}
}

// lookAt answers what is known, or looks now.
func (a *Account) lookAt(ctx context.Context, id string, known *driver.ReservedAddress) (driver.ReservedAddress, error) {
	if known != nil {
		return *known, nil
	}
	seen, err := a.freshAddress(ctx, id)
	return seen.ReservedAddress, err
}

// isSettled says whether a refusal leaves no doubt, so that a look at the address can change nothing.
func (a *Account) isSettled(err error) bool {
	failure := a.describe(err)
	switch failure.Code {
	case driver.InvalidState, driver.Conflict, driver.InvalidInput, driver.NotFound, driver.ProviderError:
		return failure.Reason == driver.ReasonProtected
	default:
		return failure.Outcome != driver.Unknown
	}
}

// nextStep answers the machine that the next request aims at, empty for none, and the request.
func nextStep(
	api driver.Addresses, seen driver.ReservedAddress, machineID string,
) (target string, send func(context.Context) ([]driver.Operation, error)) {
	moves := slices.Contains(api.AddressRules().Moves, seen.Family)
	if machineID == "" || seen.Holder != "" && !moves {
		return "", func(ctx context.Context) ([]driver.Operation, error) { return api.Unassign(ctx, seen) }
	}
	return machineID, func(ctx context.Context) ([]driver.Operation, error) { return api.Assign(ctx, seen, machineID) }
}

// moveOnce sends one request and waits until the address is where it aims at.
func (a *Account) moveOnce(
	ctx context.Context, held AddressHeld, at *placement, target string, send func(context.Context) ([]driver.Operation, error), action string,
) (done bool, err error) {
	if ended := a.ended(ctx, action, held.object(), nil); ended != nil {
		return false, ended
	}
	var operations []driver.Operation
	err = a.writeOnce(ctx, func(ctx context.Context) error {
		var err error
		operations, err = send(ctx)
		return err
	})
	a.addresses.wrote(held.AddressID)
	if err != nil {
		return false, err
	}
	for _, operation := range operations {
		if operation.Proof != "" {
			at.proof = operation.Proof
		}
	}
	address, err := a.awaitHolder(ctx, held, operations, target, action)
	if err != nil {
		return false, err
	}
	at.address, at.placed = address, target
	return true, nil
}

// awaitHolder returns when the address is on the machine. The address itself decides: operations that end, fail or are
// never shown only say when to look.
func (a *Account) awaitHolder(
	ctx context.Context, held AddressHeld, operations []driver.Operation, target, action string,
) (driver.ReservedAddress, error) {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- a.poller.wait(watching, operations) }()
	failed := waitFirst(ctx, ended)
	for look := 0; ; look++ {
		seen, err := a.addressAt(ctx, held.AddressID, look)
		switch {
		case err == nil && seen.Holder == target && !seen.Busy:
			return seen.ReservedAddress, nil
		case err == nil && failed != nil && !seen.Busy && ctx.Err() == nil:
			return seen.ReservedAddress, a.explain(ctx, failed, action, held.object())
		case err != nil && !a.passing(err):
			return driver.ReservedAddress{}, a.explain(ctx, err, action, held.object())
		}
		if pause(ctx, interval(look)) != nil {
			return driver.ReservedAddress{}, a.ended(ctx, action, held.object(), err)
		}
		select {
		case failed = <-ended:
		default:
		}
	}
}

// waitFirst gives operations a while to end before anybody looks at what came of them.
func waitFirst(ctx context.Context, ended chan error) error {
	waiting, done := context.WithTimeout(ctx, longestInterval)
	defer done()
	select {
	case err := <-ended:
		return err
	case <-waiting.Done():
		return nil
	}
}

func (a *Account) foreignMachine(address driver.ReservedAddress, action string) *Error {
	return a.conflict("instance", action,
		fmt.Sprintf("%s is on machine %s, and this resource did not put it there. It was not touched.", capital(objectOfAddress(address)), address.Holder),
		fmt.Sprintf("If it is to stay there, say so: instance = the machine %s. Else take it off at %s, and apply again.", address.Holder, a.title()))
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Seen is what a read found.
type Seen struct {
	Machine driver.Machine
	// Gone says that the state is to drop the machine; the notices say why.
	Gone bool
	// Ours says that it shows our key and our claim.
	Ours bool
	// Managed is false while our marks are missing; an update writes them.
	Managed bool
	// Proof is the proof of the place that the state is to keep: the one that it holds, or a better one.
	Proof string
	// Regained is the machine's claim where the state had lost its own; empty: it had not.
	Regained string
	Notices  []Notice
}

// Read looks at a machine that a state holds, by the vendor's id, and judges what it shows. It never writes. Absence is
// believed only of an account that can be shown to be the right one.
func (a *Account) Read(ctx context.Context, held Held) (Seen, error) {
	machine, err := a.machines.get(ctx, held.MachineID, age{since: a.settings.Opened})
	if err != nil {
		return a.absent(ctx, held, err, "read "+held.object())
	}
	regained := a.regained(held, machine)
	if regained != "" {
		held.Claim = regained
	}
	if err := a.whole(machine, held); err != nil {
		return Seen{}, err
	}
	judged := Judge(machine, held, a.settings.Owner)
	seen := Seen{Machine: machine, Managed: judged.Sight != SightUnmarked, Ours: judged.Sight == SightOurs, Proof: held.Proof, Regained: regained}
	if regained != "" {
		seen.Notices = []Notice{{
			Summary: "What was stored about the machine had been lost",
			Detail: fmt.Sprintf("The state holds %s without the claim that tells whose it is: that happens when the provider's process ends in the middle of a change. The machine bears this resource's key, and its claim is of the same owner, so the claim was copied from it, as an import does.",
				objectOf(machine)),
		}}
	}
	switch judged.Read {
	case Remove:
		seen.Gone = true
		seen.Notices = append(seen.Notices, a.removed(held, machine))
	case KeepAndWarn:
		seen.Notices = []Notice{anotherStates("machine", claimedMachine(machine))}
	default:
	}
	seen.Notices = append(seen.Notices, a.warnings("")...)
	if judged.Sight == SightOurs {
		a.sighted()
		seen.Proof = a.proofSeen(ctx, held.Proof)
	}
	return seen, nil
}

// whole refuses a machine that is settled and shows no offer, which every machine has: half an answer would be taken for a
// change that others have made.
func (a *Account) whole(machine driver.Machine, held Held) error {
	settled := machine.State == driver.StateRunning || machine.State == driver.StateStopped
	if !settled || machine.OfferID != "" {
		return nil
	}
	return a.fault(driver.ProviderError, "", "read "+held.object(),
		a.title()+" answers without the offer of "+objectOf(machine)+", so the answer is not taken for what is there.",
		"Nothing was changed. Run the command again; if that does not help, look at the machine at the vendor.")
}

// regained answers the claim of a machine whose own the state has lost: the CLIs throw a resource's private state away when
// the provider dies in the middle of a change. The state still knows the vendor's id and our key; the machine has to bear that
// key, and a claim of the same owner.
func (a *Account) regained(held Held, machine driver.Machine) string {
	part, _, _ := strings.Cut(machine.Marks.Claim, "-")
	if held.Claim != "" || machine.Marks.Key != held.Key || !WellFormedClaim(machine.Marks.Claim) || part != ownerPart(a.settings.Owner) {
		return ""
	}
	return machine.Marks.Claim
}

func (a *Account) removed(held Held, machine driver.Machine) Notice {
	return noLongerOurs("machine", held.object(), claimedMachine(machine))
}

// absent decides what a failed read means: gone, or an error that keeps the state.
func (a *Account) absent(ctx context.Context, held Held, err error, action string) (Seen, error) {
	if ctx.Err() != nil || a.describe(err).Code != driver.NotFound {
		return Seen{}, a.explain(ctx, err, action, held.object())
	}
	if err := a.proveAbsence(ctx, held.Proof, held.object(), action); err != nil {
		return Seen{}, err
	}
	return Seen{Gone: true, Notices: []Notice{a.gone("machine", held.object())}}, nil
}

// sighted notes that this process has seen a claim of its own state through this account, which shows that the account is
// the right one.
func (a *Account) sighted() { a.proven.Store(true) }

// proveAbsence answers nil when the account can be shown to be the one that the machine was made in: it has shown a claim
// of this state, or it still knows the machine's create. Where a machine brought no such proof (it was imported), anything
// that bears the account's mark will do, and where its proof is that of a token which has another one in its place by now.
func (a *Account) proveAbsence(ctx context.Context, proof, object, action string) error {
	if a.proven.Load() {
		return nil
	}
	prover, ok := a.driver.(driver.Prove)
	if ok && proof != "" {
		proven, err := prover.Prove(ctx, proof)
		if err != nil {
			return a.explain(ctx, err, action, object)
		}
		if proven {
			return nil
		}
		if !ofToken(proof) {
			return a.wrongAccount(object, action)
		}
	}
	marked, err := a.bearsMarks(ctx)
	if err != nil {
		return err
	}
	if !marked {
		return a.wrongAccount(object, action)
	}
	return nil
}

// bearsMarks says whether anything shows this account's mark.
func (a *Account) bearsMarks(ctx context.Context) (bool, error) {
	machines, err := a.Managed(ctx)
	if err != nil || len(machines) > 0 {
		return len(machines) > 0, err
	}
	if a.Has(CapabilityCertificates) {
		if certificates, err := a.ManagedCertificates(ctx); err != nil || len(certificates) > 0 {
			return len(certificates) > 0, err
		}
	}
	if !a.Has(CapabilityAddresses) {
		return false, nil
	}
	addresses, err := a.addresses.list(ctx, a.addresses.now())
	if err != nil {
		return false, a.explain(ctx, err, "list addresses", "")
	}
	for _, address := range addresses.byID {
		if address.Marks.Account == a.settings.Reference.ID {
			return true, nil
		}
	}
	return false, nil
}

func (a *Account) wrongAccount(object, action string) error {
	return a.fault(driver.AccessDenied, "provider_account", action,
		fmt.Sprintf("%s is not there for this account's token, and nothing shows that the token belongs to the place where it was made. The state is kept.",
			capital(object)),
		"Check the secret behind the account's token: is it of the right project? If it really was removed, take it out of the state (`removed` block or `state rm`) and apply again.")
}

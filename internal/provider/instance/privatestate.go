// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/privatestate"
)

// The keys of the private state. They are part of every state that was written: never to be renamed or used anew.
const (
	privateClaim      = "claim"
	privateProof      = "proof"
	privateUUID       = "uuid"
	privateUnfinished = "unfinished"
	privateUnmarked   = "unmarked"
	privateImported   = "imported"
	privateMachine    = "machine"
	privateStopped    = "stopped"
	privateProtected  = "protected"
)

// private is what a state knows besides its attributes. It holds no secret.
type private struct {
	// Claim is the one that this state has put on the machine, Proof what compute made to tell the right project by.
	Claim, Proof string
	// UUID tells the machine from a later one with the same id, where the vendor uses ids again.
	UUID string
	// Unfinished: the create has not come to its end; the next update carries it there.
	Unfinished bool
	// Unmarked is the claim to be written on a machine that was imported without marks; empty: it has marks.
	Unmarked string
	// Imported: no update has been applied since the import, arguments take what is written.
	Imported bool
	// Stopped: an update has stopped the machine and has not switched it on again; the next one does.
	Stopped bool
	// Protected: the state shows the machine protected. The plan of a replacement has no state to tell it by.
	Protected bool
	// Machine is the vendor's id of the machine that all this is about. It is written in one case only: see handOver.
	Machine string
}

func (p *private) entries() privatestate.Entries {
	return privatestate.Entries{
		privateClaim: &p.Claim, privateProof: &p.Proof, privateUUID: &p.UUID, privateUnfinished: &p.Unfinished,
		privateUnmarked: &p.Unmarked, privateImported: &p.Imported, privateMachine: &p.Machine,
		privateStopped: &p.Stopped, privateProtected: &p.Protected,
	}
}

func readPrivate(ctx context.Context, from privatestate.Reader, diags *diag.Diagnostics) private {
	var out private
	privatestate.Read(ctx, from, out.entries(), diags)
	return out
}

// write stores everything; what is empty is removed.
func (p private) write(ctx context.Context, to privatestate.Writer, diags *diag.Diagnostics) {
	privatestate.Write(ctx, to, p.entries(), diags)
}

// held is what compute judges the machine by.
func (p private) held(state model) compute.Held {
	held := compute.Held{
		MachineID: state.MachineID.ValueString(),
		Key:       state.ID.ValueString(),
		Name:      state.Name.ValueString(),
		Claim:     p.Claim,
		Proof:     p.Proof,
		UUID:      p.UUID,
	}
	if p.Unmarked != "" {
		held.Unmarked, held.Claim = true, p.Unmarked
	}
	return held
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
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
	// Machine is the vendor's id of the machine that all this is about. It is written in one case only: see handOver.
	Machine string
}

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func readPrivate(ctx context.Context, from privateReader, diags *diag.Diagnostics) private {
	var out private
	for key, target := range map[string]any{
		privateClaim: &out.Claim, privateProof: &out.Proof, privateUUID: &out.UUID, privateUnfinished: &out.Unfinished,
		privateUnmarked: &out.Unmarked, privateImported: &out.Imported, privateMachine: &out.Machine,
	} {
		value, problems := from.GetKey(ctx, key)
		diags.Append(problems...)
		if len(value) == 0 {
			continue
		}
		if err := json.Unmarshal(value, target); err != nil {
			diags.AddError("The private state is damaged", "The entry "+key+" of the resource's private state cannot be read: "+err.Error())
		}
	}
	return out
}

// write stores everything; what is empty is removed.
func (p private) write(ctx context.Context, to privateWriter, diags *diag.Diagnostics) {
	for key, value := range map[string]string{
		privateClaim: p.Claim, privateProof: p.Proof, privateUUID: p.UUID, privateUnmarked: p.Unmarked, privateMachine: p.Machine,
	} {
		diags.Append(to.SetKey(ctx, key, encodeText(value))...)
	}
	for key, value := range map[string]bool{privateUnfinished: p.Unfinished, privateImported: p.Imported} {
		diags.Append(to.SetKey(ctx, key, encodeFlag(value))...)
	}
}

func encodeText(value string) []byte {
	if value == "" {
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic("a text can always be written as JSON: " + err.Error())
	}
	return text
}

func encodeFlag(value bool) []byte {
	if !value {
		return nil
	}
	return []byte("true")
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

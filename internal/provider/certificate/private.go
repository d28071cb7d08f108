// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/privatestate"
)

// The keys of the private state. They are part of every state that was written: never to be renamed or used anew.
const (
	privateClaim      = "claim"
	privateProof      = "proof"
	privateUnfinished = "unfinished"
	privateUnmarked   = "unmarked"
	privateImported   = "imported"
)

// private is what a state knows besides its attributes. It holds no secret.
type private struct {
	// Claim is the one that this state has put on the certificate, Proof what the create gave to tell the right account by.
	Claim, Proof string
	// Unfinished: the create has not come to its end; the next update carries it there.
	Unfinished bool
	// Unmarked is the claim to be written on a certificate that was imported without marks; empty: it has marks.
	Unmarked string
	// Imported: no update has been applied since the import, arguments take what is written.
	Imported bool
}

func (p *private) entries() privatestate.Entries {
	return privatestate.Entries{
		privateClaim: &p.Claim, privateProof: &p.Proof, privateUnfinished: &p.Unfinished, privateUnmarked: &p.Unmarked, privateImported: &p.Imported,
	}
}

// noun is the resource's in what accounts.KeepPrivate remembers.
const noun = "certificate"

func readPrivate(ctx context.Context, from privatestate.Reader, diags *diag.Diagnostics) private {
	var out private
	privatestate.Read(ctx, from, out.entries(), diags)
	return out
}

// write stores everything; what is empty is removed.
func (p private) write(ctx context.Context, to privatestate.Writer, diags *diag.Diagnostics) {
	privatestate.Write(ctx, to, p.entries(), diags)
}

// held is what compute judges the certificate by.
func (p private) held(state model) compute.HeldCertificate {
	held := compute.HeldCertificate{
		CertificateID: state.CertificateID.ValueString(), Key: state.ID.ValueString(), Name: state.Name.ValueString(),
		Kind: driver.CertificateKind(state.Kind.ValueString()), Claim: p.Claim, Proof: p.Proof,
	}
	if p.Unmarked != "" {
		held.Claim = p.Unmarked
	}
	return held
}

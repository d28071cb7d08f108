// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Read brings what the vendor shows into the state. It never writes at the vendor.
func (r *Resource) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	diags := &response.Diagnostics
	state, known := read(ctx, request.State, diags), readPrivate(ctx, request.Private, diags)
	if diags.HasError() {
		return
	}
	account := r.MustOpen(ctx, state.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, state.allowed("read", defaultRead))
	defer done()
	seen, err := account.ReadCertificate(limited, known.held(state))
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), map[string]path.Path{reference.Name: accountPath()})
		return
	}
	diagnostics.Warn(diags, seen.Notices, nil)
	if seen.Gone {
		log(ctx, account, state.ID.ValueString(), state.CertificateID.ValueString(), "deleted", nil)
		response.State.RemoveResource(ctx)
		return
	}
	if known.Proof != seen.Proof {
		known.Proof = seen.Proof
		known.write(ctx, response.Private, diags)
	}
	r.Note(heldObjects, state.ID.ValueString())
	r.KeepPrivate(noun, known, state.ID, state.fullName())
	// The copy of the account may be an old one: the newest is what a delete in the apply, another process, will need.
	state.ProviderAccount = reference.Object(account.Reference())
	state.Managed = types.BoolValue(seen.Managed && !known.Imported)
	diags.Append(response.State.Set(ctx, attributes.Object(ctx, state.observed(seen.Certificate)))...)
}

// Update carries a create that was cut short to its end, and writes marks that are missing: a certificate has nothing else
// that changes in place. What is the state's own affair makes no call.
func (r *Resource) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	diags := &response.Diagnostics
	known := readPrivate(ctx, request.Private, diags)
	prior, plan, config := read(ctx, request.State, diags), read(ctx, request.Plan, diags), read(ctx, request.Config, diags)
	if diags.HasError() {
		return
	}
	restore := known.Unmarked != "" || accountMoves(prior, plan) || prior.Managed.Equal(types.BoolValue(false)) && !known.Imported
	if !known.Unfinished && !restore {
		known.Imported = false
		known.write(ctx, response.Private, diags)
		diags.Append(response.State.Set(ctx, plan)...)
		return
	}
	account := r.MustOpen(ctx, plan.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, plan.allowed("update", defaultUpdate))
	defer done()
	made, own, err := r.changed(limited, account, known, prior, plan, config)
	diagnostics.Warn(diags, made.Notices, config.paths())
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), config.paths())
		if made.Certificate.ID != "" {
			prior = prior.observed(made.Certificate)
		}
		diags.Append(response.State.Set(ctx, prior)...)
		return
	}
	private{Claim: made.Claim, Proof: made.Proof, Unfinished: made.Unfinished}.write(ctx, response.Private, diags)
	diags.Append(response.State.Set(ctx, plan.completed(made.Certificate, own.content))...)
}

func (r *Resource) changed(
	ctx context.Context, account *compute.Account, known private, prior, plan, config model,
) (made compute.MadeCertificate, own *upload, err error) {
	wish, own := r.wish(plan, config)
	held, step := known.held(prior), "changed"
	if known.Unfinished {
		step = "ready"
		own.describe(prior)
		made, err = account.FinishCertificate(ctx, held, wish)
	} else {
		made, err = account.UpdateCertificate(ctx, held)
	}
	log(ctx, account, wish.Key, held.CertificateID, step, err)
	return made, own, err
}

// Delete removes the certificate and returns when it is gone. An error, an interrupt included, keeps it in the state.
func (r *Resource) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	diags := &response.Diagnostics
	state, known := read(ctx, request.State, diags), readPrivate(ctx, request.Private, diags)
	if diags.HasError() {
		return
	}
	if known.Unmarked != "" {
		refuseUnmarked(diags, "destroy")
		return
	}
	if known.Claim == "" {
		accounts.RefuseUnknownClaim(diags, noun, state.Name.ValueString())
		return
	}
	account := r.MustOpen(ctx, state.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, state.allowed("delete", defaultDelete))
	defer done()
	notices, err := account.DeleteCertificate(limited, known.held(state))
	log(ctx, account, state.ID.ValueString(), state.CertificateID.ValueString(), "deleted", err)
	diagnostics.Warn(diags, notices, nil)
	diagnostics.Append(diags, err, path.Empty(), map[string]path.Path{reference.Name: accountPath()})
}

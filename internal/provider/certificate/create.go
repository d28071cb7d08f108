// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
)

// typeName is the resource's type in configurations.
const typeName = "bettercompute_certificate"

// log writes one line at INFO for a step of a certificate's life, which takes the place of an event; "error" where it failed.
func log(ctx context.Context, account *compute.Account, id, certificate, step string, err error) {
	fields := map[string]any{"id": id, "certificate_id": certificate, "provider_account": account.Reference().ID}
	if err != nil {
		fields["step"], fields["code"], fields["error"] = step, string(compute.CodeOf(err)), err.Error()
		step = "error"
	}
	tflog.Info(ctx, "certificate "+step, fields)
}

// Create makes the certificate, or carries on or adopts what bears its id already.
func (r *Resource) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	diags := &response.Diagnostics
	plan, config := read(ctx, request.Plan, diags), read(ctx, request.Config, diags)
	if diags.HasError() {
		return
	}
	account := r.MustOpen(ctx, plan.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, plan.allowed("create", defaultCreate))
	defer done()
	wish, own := r.wish(plan, config)
	made, err := account.CreateCertificate(limited, wish)
	diagnostics.Warn(diags, made.Notices, config.paths())
	log(ctx, account, wish.Key, made.Certificate.ID, "created", err)
	if made.Certificate.ID == "" {
		// Nothing is known at the vendor: nothing is saved, and the next apply creates under the same id.
		diagnostics.Append(diags, importid.WithBlock(err, typeName), path.Empty(), config.paths())
		return
	}
	private{Claim: made.Claim, Proof: made.Proof, Unfinished: err != nil || made.Unfinished}.write(ctx, response.Private, diags)
	diags.Append(response.State.Set(ctx, plan.completed(made.Certificate, own.content))...)
	reportCreate(diags, err, config.paths())
}

// reportCreate tells of a create that left a certificate behind which is not finished. An interrupt is a warning, since after
// an error the CLIs would taint the certificate and replace it.
func reportCreate(diags *diag.Diagnostics, err error, paths map[string]path.Path) {
	if errors.Is(err, compute.ErrInterrupted) {
		diags.AddWarning("The certificate is not finished",
			"The command was interrupted while the certificate was being made. It is in the state; the next apply carries its creation to the end in place.")
		return
	}
	diagnostics.Append(diags, importid.WithAdvice(err, "The certificate is there and is saved as tainted, so the next apply would replace it. "+
		"To have the next apply carry its creation to the end instead, run `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) first, "+
		"with this resource's address: one that has been issued meanwhile is then taken as it is, one that has failed is tried once more where the vendor can do that."),
		path.Empty(), paths)
}

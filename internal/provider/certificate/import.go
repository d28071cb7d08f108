// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var importAdvice = importid.Advice("certificate", "bettercompute_certificate.www", "www",
	"our id (pcert_ and 52 characters), the vendor's id of the certificate, or its name")

// ImportState takes a certificate into the state that is at the vendor already. It writes nothing there: one without marks
// is marked by the apply that follows.
func (r *Resource) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	diags := &response.Diagnostics
	account, object := r.Import(ctx, request.ID, importAdvice, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, defaultRead)
	defer done()
	found, err := account.LookupCertificate(limited, object)
	if err != nil {
		diagnostics.Append(diags, err, path.Empty(), nil)
		return
	}
	state, known := imported(account, found, r.Tenant())
	known.write(ctx, response.Private, diags)
	diags.Append(response.State.Set(ctx, state)...)
}

// imported answers the state of a certificate as it was found, and what the first plan has to know of it. Managed is false
// until the first apply, so that there is one, which ends the import.
func imported(account *compute.Account, found driver.Certificate, tenant string) (model, private) {
	marks := found.Marks
	known := private{Imported: true, Claim: marks.Claim, Unfinished: marks.Creating}
	state := model{
		ProviderAccount: reference.Object(account.Reference()), Timeouts: attributes.NoTimeouts(),
		ID: types.StringValue(marks.Key), TenantID: types.StringValue(tenant), Managed: types.BoolValue(false),
		Name: types.StringValue(driver.PlainName(found.Name, marks.Key)), Kind: types.StringValue(string(found.Kind)), Domains: nameSet(nil),
	}
	if marks.Key == "" || !compute.WellFormedClaim(marks.Claim) {
		known.Claim, known.Unmarked = "", compute.NewClaim(account.Owner())
	}
	if marks.Key == "" {
		state.ID = types.StringValue(compute.UnmarkedCertificateID(account.Reference().ID, found.ID))
	}
	return state.observed(found), known
}

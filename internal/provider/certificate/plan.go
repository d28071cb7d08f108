// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// planning is one plan of a certificate that is created, replaced or changed.
type planning struct {
	resource *Resource
	// config is what is written, write-only values included. prior is null-valued for a create.
	config, prior, plan model
	private             private
	replace             path.Paths
	diags               *diag.Diagnostics
}

// ModifyPlan decides between create, replacement, change in place and nothing. It runs again in the apply, which is
// another process: planned values come from configuration, state and private state only.
func (r *Resource) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	known := readPrivate(ctx, request.Private, &response.Diagnostics)
	if request.Plan.Raw.IsNull() {
		if known.Unmarked != "" {
			refuseUnmarked(&response.Diagnostics, "destroy")
		}
		return
	}
	p := &planning{resource: r, private: known, diags: &response.Diagnostics}
	p.config, p.plan = read(ctx, request.Config, p.diags), read(ctx, request.Plan, p.diags)
	if p.diags.HasError() {
		return
	}
	ctx, done := context.WithTimeout(ctx, p.plan.allowed("read", defaultRead))
	defer done()
	if request.State.Raw.IsNull() {
		p.create(ctx)
		var kept private
		if known.Claim == "" && r.KeptPrivate(noun, &kept, p.plan.ID, p.plan.fullName()) {
			kept.write(ctx, response.Private, p.diags)
		}
	} else {
		p.prior = read(ctx, request.State, p.diags)
		p.update(ctx)
		response.RequiresReplace = p.replace
	}
	response.Diagnostics.Append(response.Plan.Set(ctx, attributes.Object(ctx, p.plan))...)
}

// refuseUnmarked: a certificate without marks may be anybody's until an apply has marked it.
func refuseUnmarked(diags *diag.Diagnostics, deed string) {
	accounts.RefuseUnmarked(diags, "a certificate", deed, "managed turns true")
}

// create plans a certificate that is not there, or the new one of a replacement: both come with a null state. The private
// state is the old one's then, and tells one thing only: whether the old one may go.
func (p *planning) create(ctx context.Context) {
	if p.private.Unmarked != "" {
		refuseUnmarked(p.diags, "replace")
		return
	}
	tenant := p.resource.Tenant()
	p.plan.TenantID = types.StringUnknown()
	if tenant != "" {
		p.plan.TenantID = types.StringValue(tenant)
	}
	p.plan.Managed = types.BoolValue(true)
	p.planContent()
	p.plan.ID = plannedID(tenant, p.config)
	account := p.resource.Open(ctx, p.plan.ProviderAccount, p.diags)
	p.refuseDuplicates(tenant)
	p.warnOfAdoption()
	if account == nil || p.diags.HasError() {
		return
	}
	p.check(ctx, account, tenant)
}

// planContent makes known what a given PEM says of itself.
func (p *planning) planContent() {
	if p.plan.Kind.ValueString() != custom || unknown(p.config.CertificatePEM, p.config.ChainPEM) || p.config.CertificatePEM.IsNull() {
		return
	}
	if bundle, err := certpem.Read(p.config.CertificatePEM.ValueString(), p.config.ChainPEM.ValueString()); err == nil {
		own := contentOf(bundle)
		p.plan.Domains, p.plan.NotBefore, p.plan.NotAfter, p.plan.Fingerprint = own.Domains, own.NotBefore, own.NotAfter, own.Fingerprint
	}
}

// plannedID answers the id of a certificate that is to be made, from its configuration; unknown while one of the arguments
// that the id is made of is unknown.
func plannedID(tenant string, config model) types.String {
	account := attributes.TextOf(config.ProviderAccount, "id")
	if tenant == "" || unknown(account, config.IdempotencyKey) {
		return types.StringUnknown()
	}
	identity := compute.CertificateIdentity{
		Tenant: tenant, AccountID: account.ValueString(), IdempotencyKey: config.IdempotencyKey.ValueString(),
	}
	if identity.IdempotencyKey != "" {
		return types.StringValue(identity.ID())
	}
	domains, known := names(config.Domains)
	if !known || unknown(config.Name, config.Kind, config.Certificate, config.PrivateKey, config.Chain, config.ReferencesVersion,
		config.CertificatePEM, config.ChainPEM, config.PrivateKeyPEMWOVersion) {
		return types.StringUnknown()
	}
	identity.Name, identity.Kind, identity.Domains = config.Name.ValueString(), config.Kind.ValueString(), domains
	identity.Certificate, identity.PrivateKey = config.Certificate.ValueString(), config.PrivateKey.ValueString()
	identity.Chain, identity.Version = config.Chain.ValueString(), config.ReferencesVersion.ValueString()
	identity.KeyVersion = config.PrivateKeyPEMWOVersion.ValueString()
	// A text that cannot be read is refused by the checks.
	if bundle, err := certpem.Read(config.CertificatePEM.ValueString(), config.ChainPEM.ValueString()); err == nil {
		identity.Fingerprints = bundle.Fingerprints()
	}
	return types.StringValue(identity.ID())
}

// refuseDuplicates finds two certificates of one id in one configuration: the second would take over the first.
func (p *planning) refuseDuplicates(tenant string) {
	if p.resource.Accounts == nil || tenant == "" || p.plan.ID.IsUnknown() || p.resource.Note("certificate id", p.plan.ID.ValueString()) {
		return
	}
	diagnostics.Error(p.diags, path.Root("name"), driver.Conflict, "Two certificates are planned with one id",
		"The configuration plans more than one certificate with the id "+p.plan.ID.ValueString()+", which comes from tenant, account and idempotency_key or, "+
			"without one, name, kind and content. Give each certificate its own name.")
}

// heldObjects is the sort of note for ids of certificates that the state of this command holds.
const heldObjects = "certificate in state"

// warnOfAdoption: with create_before_destroy the create of a replacement that has the id of the old certificate finds that
// one and takes it over.
func (p *planning) warnOfAdoption() {
	if p.resource.Accounts == nil || p.plan.ID.IsUnknown() || !p.resource.Noted(heldObjects, p.plan.ID.ValueString()) {
		return
	}
	p.diags.AddAttributeWarning(path.Root("name"), "The replacement has the id of the certificate that it replaces",
		"No argument that the id is made of has changed. Without create_before_destroy this certificate is destroyed and made anew. "+
			"With create_before_destroy nothing would be replaced: the create would find the old certificate under this id and keep it. "+
			"If this resource has create_before_destroy, change references_version, private_key_pem_wo_version or idempotency_key.")
}

// check asks whether the certificate can be made: whether the vendor has certificates, whether references are the tenant's
// own, whether texts are sound and, with preflight, whether domains are the tenant's and what is behind references is sound.
func (p *planning) check(ctx context.Context, account *compute.Account, tenant string) {
	if !account.Has(compute.CapabilityCertificates) {
		kind := account.Reference().Kind
		diagnostics.Error(p.diags, accountPath(), driver.Unsupported, "An account of kind "+kind+" cannot keep certificates",
			"The vendor has no certificates. Use an account of another kind.")
		return
	}
	switch p.plan.Kind.ValueString() {
	case managed:
		p.checkDomains(ctx, account, tenant)
	case custom:
		p.checkReferences(tenant)
		p.checkContent(ctx)
	}
}

func (p *planning) checkDomains(ctx context.Context, account *compute.Account, tenant string) {
	domains, known := names(p.plan.Domains)
	if !known || !p.resource.Preflight() {
		return
	}
	diagnostics.Report(p.diags, account.PreflightDomains(ctx, tenant, domains), accountPath(), p.config.paths())
}

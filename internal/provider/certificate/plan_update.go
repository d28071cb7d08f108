// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// checkReferences refuses secret:// references of another tenant.
func (p *planning) checkReferences(tenant string) {
	for _, named := range []struct {
		name  string
		value types.String
	}{{"certificate", p.config.Certificate}, {"private_key", p.config.PrivateKey}, {"chain", p.config.Chain}} {
		if named.value.IsNull() || named.value.IsUnknown() {
			continue
		}
		if err := secret.CheckTenant(named.value.ValueString(), tenant); err != nil {
			diagnostics.Error(p.diags, path.Root(named.name), driver.InvalidInput, "Invalid "+named.name, named.name+" "+err.Error()+".")
		}
	}
}

// checkContent looks at what will be uploaded. Texts are always looked at, references with preflight.
func (p *planning) checkContent(ctx context.Context) {
	config := p.config
	if p.diags.HasError() || unknown(config.CertificatePEM, config.ChainPEM, config.Certificate, config.Chain) ||
		!config.byText() && !p.resource.Preflight() {
		return
	}
	own := p.resource.upload(config)
	check := func() error { _, err := own.bundle(ctx); return err }
	if !unknown(config.PrivateKey, config.PrivateKeyPEMWO) {
		check = func() error { _, err := own.material(ctx); return err }
	}
	err := check()
	if known, ok := errors.AsType[*compute.Error](err); err != nil && !ok || ok && known.Code == driver.ProviderError {
		// A store that cannot be asked does not make the plan wrong. The create asks again.
		diagnostics.AppendWarning(p.diags, err, accountPath(), config.paths())
		return
	}
	diagnostics.Append(p.diags, err, accountPath(), config.paths())
}

// update plans a certificate that the state holds: nothing, a change in place, or a replacement, which is then planned once
// more with a null state.
func (p *planning) update(ctx context.Context) {
	if p.resource.Accounts != nil {
		p.resource.Note(heldObjects, p.prior.ID.ValueString())
	}
	p.keepComputed()
	p.keepSpellings()
	if p.private.Imported {
		p.takeWritten()
	} else {
		p.findReplacement()
	}
	if len(p.replace) > 0 || p.diags.HasError() {
		return
	}
	if p.private.Unfinished {
		p.openUnfinished()
	}
	p.checkAccount(ctx)
}

// keepComputed gives the plan what the state has: the framework makes it all unknown as soon as anything changes.
func (p *planning) keepComputed() {
	prior := p.prior
	p.plan.ID, p.plan.TenantID, p.plan.CertificateID, p.plan.State = prior.ID, prior.TenantID, prior.CertificateID, prior.State
	p.plan.NotBefore, p.plan.NotAfter, p.plan.Fingerprint = prior.NotBefore, prior.NotAfter, prior.Fingerprint
	if p.config.Domains.IsNull() {
		p.plan.Domains = prior.Domains
	}
	// Where the marks are missing the plan shows them being restored. That an imported certificate has taken what is written
	// is told by the same attribute.
	p.plan.Managed = types.BoolValue(true)
}

// keepSpellings gives the plan what the state has where the configuration says the same in other words. Semantic equality
// of a type would not do: it is not asked in a plan.
func (p *planning) keepSpellings() {
	if sameNames(p.prior.Domains, p.plan.Domains) {
		p.plan.Domains = p.prior.Domains
	}
	if !p.prior.CertificatePEM.IsNull() && !p.plan.CertificatePEM.IsNull() && !p.plan.CertificatePEM.IsUnknown() &&
		certpem.Same(p.prior.CertificatePEM.ValueString(), p.plan.CertificatePEM.ValueString()) {
		p.plan.CertificatePEM = p.prior.CertificatePEM
	}
	if !p.prior.ChainPEM.IsNull() && !p.plan.ChainPEM.IsNull() && !p.plan.ChainPEM.IsUnknown() &&
		certpem.Same(p.prior.ChainPEM.ValueString(), p.plan.ChainPEM.ValueString()) {
		p.plan.ChainPEM = p.prior.ChainPEM
	}
}

// openUnfinished: a create that was cut short has left values that are not final.
func (p *planning) openUnfinished() {
	p.plan.State, p.plan.CertificateID = types.StringUnknown(), types.StringUnknown()
	p.plan.NotBefore, p.plan.NotAfter, p.plan.Fingerprint = types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
	if p.config.Domains.IsNull() {
		p.plan.Domains = types.SetUnknown(types.StringType)
	}
}

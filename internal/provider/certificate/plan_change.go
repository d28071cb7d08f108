// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// replacing are the arguments whose change replaces the certificate, besides domains and the kind of the account.
func (m model) replacing() map[string]types.String {
	return map[string]types.String{
		"name": m.Name, "kind": m.Kind, "certificate": m.Certificate, "private_key": m.PrivateKey, "chain": m.Chain,
		"references_version": m.ReferencesVersion, "certificate_pem": m.CertificatePEM, "chain_pem": m.ChainPEM,
		"private_key_pem_wo_version": m.PrivateKeyPEMWOVersion, "idempotency_key": m.IdempotencyKey,
	}
}

// findReplacement collects the arguments whose change replaces the certificate.
func (p *planning) findReplacement() {
	before, after := attributes.TextOf(p.prior.ProviderAccount, "kind"), attributes.TextOf(p.plan.ProviderAccount, "kind")
	p.replaceOn(accountPath(), before, after)
	prior := p.prior.replacing()
	for name, value := range p.plan.replacing() {
		p.replaceOn(path.Root(name), prior[name], value)
	}
	if _, known := names(p.plan.Domains); !known {
		p.warnUnknown(path.Root("domains"))
	} else if !p.config.Domains.IsNull() && !sameNames(p.prior.Domains, p.plan.Domains) {
		p.replace.Append(path.Root("domains"))
	}
	if len(p.replace) > 0 && p.private.Unmarked != "" {
		refuseUnmarked(p.diags, "replace")
	}
}

func (p *planning) replaceOn(argument path.Path, before, after types.String) {
	switch {
	case after.IsUnknown():
		p.warnUnknown(argument)
	case !attributes.SameText(before, after):
		p.replace.Append(argument)
	}
}

// warnUnknown: what is unknown never forces a replacement.
func (p *planning) warnUnknown(argument path.Path) {
	p.diags.AddAttributeWarning(argument, "Not known until apply: "+argument.String(),
		"Whether "+argument.String()+" changes is not known yet. A change replaces the certificate. Nothing is replaced by this plan. "+
			"If the value turns out to differ, the apply stops before it touches the certificate; plan again then. "+
			"A data source in place of a resource for the account keeps such values known.")
}

// takeWritten plans the first change after an import: arguments that cannot be read back take what is written, in place.
// What is written must be the certificate, though.
func (p *planning) takeWritten() {
	before, after := attributes.TextOf(p.prior.ProviderAccount, "kind"), attributes.TextOf(p.plan.ProviderAccount, "kind")
	if !after.IsUnknown() && !attributes.SameText(before, after) {
		p.refuseOther(accountPath(), "account of kind "+before.ValueString())
	}
	if !p.plan.Name.IsUnknown() && !attributes.SameText(p.prior.Name, p.plan.Name) {
		p.refuseOther(path.Root("name"), "name "+p.prior.Name.ValueString())
	}
	if !p.plan.Kind.IsUnknown() && !attributes.SameText(p.prior.Kind, p.plan.Kind) {
		p.refuseOther(path.Root("kind"), "kind "+p.prior.Kind.ValueString())
		return
	}
	has, _ := names(p.prior.Domains)
	if _, known := names(p.plan.Domains); known && !p.config.Domains.IsNull() && !sameNames(p.prior.Domains, p.plan.Domains) {
		p.refuseOther(path.Root("domains"), "domains "+strings.Join(has, ", "))
	}
	p.refuseOtherText()
}

// refuseOtherText compares a given PEM with the certificate that was imported, where the vendor tells its fingerprint.
func (p *planning) refuseOtherText() {
	if p.prior.Fingerprint.IsNull() || p.plan.CertificatePEM.IsNull() || unknown(p.plan.CertificatePEM, p.plan.ChainPEM) {
		return
	}
	bundle, err := certpem.Read(p.plan.CertificatePEM.ValueString(), p.plan.ChainPEM.ValueString())
	if err != nil {
		diagnostics.Append(p.diags, p.resource.upload(p.config).fault(err), path.Root("certificate_pem"), p.config.paths())
		return
	}
	if bundle.Fingerprint() != p.prior.Fingerprint.ValueString() {
		p.refuseOther(path.Root("certificate_pem"), "fingerprint "+p.prior.Fingerprint.ValueString())
	}
}

func (p *planning) refuseOther(argument path.Path, has string) {
	diagnostics.Error(p.diags, argument, driver.InvalidInput, "The imported certificate is another one",
		fmt.Sprintf("The certificate that was imported (id %s) has the %s; the configuration says otherwise. Write what it is: an import never replaces. "+
			"To have another one, apply the import first and change it then.", p.prior.CertificateID.ValueString(), has))
}

// accountMoves says whether another account of the same kind is to be used from now on.
func accountMoves(prior, plan model) bool {
	before, after := attributes.TextOf(prior.ProviderAccount, "id"), attributes.TextOf(plan.ProviderAccount, "id")
	return !after.IsUnknown() && !attributes.SameText(before, after)
}

// checkAccount looks the certificate up through an account that it was not made by.
func (p *planning) checkAccount(ctx context.Context) {
	if !accountMoves(p.prior, p.plan) {
		return
	}
	account := p.resource.Open(ctx, p.plan.ProviderAccount, p.diags)
	if account == nil {
		return
	}
	seen, err := account.ReadCertificate(ctx, p.private.held(p.prior))
	if err != nil {
		diagnostics.Append(p.diags, err, accountPath(), nil)
		return
	}
	if seen.Gone {
		diagnostics.Error(p.diags, accountPath(), driver.NotFound, "The certificate is not visible through the new account",
			fmt.Sprintf("Certificate %s (id %s) is not this resource's as account %s sees it. A change of provider_account keeps the certificate, so the new account "+
				"must be of the same place. Keep the old account, or change idempotency_key as well to have a new certificate made through the new one.",
				p.prior.Name.ValueString(), p.prior.CertificateID.ValueString(), account.Reference().ID))
	}
}

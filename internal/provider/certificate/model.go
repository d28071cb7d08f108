// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

// The kinds, as they are written.
const (
	managed = string(driver.CertificateManaged)
	custom  = string(driver.CertificateCustom)
)

// The default timeouts.
const (
	defaultCreate = 20 * time.Minute
	defaultUpdate = 20 * time.Minute
	defaultDelete = 10 * time.Minute
	defaultRead   = 2 * time.Minute
)

// model is configuration, plan or state of a certificate. Every value may be unknown in a configuration or a plan.
type model struct {
	ProviderAccount        types.Object   `tfsdk:"provider_account"`
	Name                   types.String   `tfsdk:"name"`
	Kind                   types.String   `tfsdk:"kind"`
	Domains                types.Set      `tfsdk:"domains"`
	Certificate            types.String   `tfsdk:"certificate"`
	PrivateKey             types.String   `tfsdk:"private_key"`
	Chain                  types.String   `tfsdk:"chain"`
	ReferencesVersion      types.String   `tfsdk:"references_version"`
	CertificatePEM         types.String   `tfsdk:"certificate_pem"`
	ChainPEM               types.String   `tfsdk:"chain_pem"`
	PrivateKeyPEMWO        types.String   `tfsdk:"private_key_pem_wo"`
	PrivateKeyPEMWOVersion types.String   `tfsdk:"private_key_pem_wo_version"`
	IdempotencyKey         types.String   `tfsdk:"idempotency_key"`
	Timeouts               timeouts.Value `tfsdk:"timeouts"`

	ID            types.String `tfsdk:"id"`
	TenantID      types.String `tfsdk:"tenant_id"`
	CertificateID types.String `tfsdk:"certificate_id"`
	Managed       types.Bool   `tfsdk:"managed"`
	State         types.String `tfsdk:"state"`
	NotBefore     types.String `tfsdk:"not_before"`
	NotAfter      types.String `tfsdk:"not_after"`
	Fingerprint   types.String `tfsdk:"fingerprint"`
}

// read takes a model out of a configuration, a plan or a state.
func read(ctx context.Context, from attributes.Source, diags *diag.Diagnostics) model {
	return attributes.Read[model](ctx, from, diags)
}

func (m model) allowed(operation string, standard time.Duration) time.Duration {
	return attributes.Allowed(m.Timeouts, operation, standard)
}

// byText says that the certificate is given as PEM, not by reference.
func (m model) byText() bool {
	return !m.CertificatePEM.IsNull() || !m.ChainPEM.IsNull() || !m.PrivateKeyPEMWO.IsNull() || !m.PrivateKeyPEMWOVersion.IsNull()
}

// fullName tells a certificate from all others of the configuration but those that replace it; empty while it is not known.
func (m model) fullName() types.String {
	account := attributes.TextOf(m.ProviderAccount, "id")
	if unknown(account, m.TenantID, m.Name) {
		return types.StringNull()
	}
	return types.StringValue(strings.Join([]string{typeName, account.ValueString(), m.TenantID.ValueString(), m.Name.ValueString()}, " "))
}

// names answers the domains, in order and in lower case; known is false while the set or one of its elements is unknown.
func names(set types.Set) (domains []string, known bool) {
	if set.IsUnknown() {
		return nil, false
	}
	for _, element := range set.Elements() {
		domain, ok := element.(types.String)
		if !ok || domain.IsUnknown() {
			return nil, false
		}
		domains = append(domains, strings.ToLower(domain.ValueString()))
	}
	slices.Sort(domains)
	return slices.Compact(domains), true
}

func sameNames(a, b types.Set) bool {
	first, firstKnown := names(a)
	second, secondKnown := names(b)
	return firstKnown && secondKnown && slices.Equal(first, second)
}

func nameSet(domains []string) types.Set {
	elements := []attr.Value{}
	for _, domain := range slices.Compact(slices.Sorted(slices.Values(domains))) {
		elements = append(elements, types.StringValue(domain))
	}
	return types.SetValueMust(types.StringType, elements)
}

// paths maps the fields that compute names to our arguments.
func (m model) paths() map[string]path.Path {
	paths := map[string]path.Path{}
	for _, name := range []string{"name", "kind", "domains", "certificate", "private_key", "chain", "idempotency_key"} {
		paths[name] = path.Root(name)
	}
	if m.byText() {
		paths["certificate"], paths["chain"] = path.Root("certificate_pem"), path.Root("chain_pem")
		paths["private_key"] = path.Root("private_key_pem_wo")
	}
	return paths
}

// observed answers the model with everything that the vendor tells of the certificate. What it does not tell stays as it is.
func (m model) observed(seen driver.Certificate) model {
	m.CertificateID = types.StringValue(seen.ID)
	m.State = types.StringValue(string(seen.State))
	if len(seen.Domains) > 0 && !sameNames(m.Domains, nameSet(seen.Domains)) {
		m.Domains = nameSet(seen.Domains)
	}
	if !seen.NotBefore.IsZero() {
		m.NotBefore = attributes.Moment(seen.NotBefore)
	}
	if !seen.NotAfter.IsZero() {
		m.NotAfter = attributes.Moment(seen.NotAfter)
	}
	if seen.Fingerprint != "" {
		m.Fingerprint = types.StringValue(seen.Fingerprint)
	}
	return m
}

// completed answers a plan with what it left open filled in: from the certificate, else from what was uploaded, else null.
func (m model) completed(seen driver.Certificate, uploaded content) model {
	found := m.observed(seen)
	if found.Domains.IsUnknown() {
		found.Domains = uploaded.Domains
	}
	for value, other := range map[*types.String]types.String{
		&found.NotBefore: uploaded.NotBefore, &found.NotAfter: uploaded.NotAfter, &found.Fingerprint: uploaded.Fingerprint,
	} {
		attributes.Fill(value, other)
	}
	attributes.Fill(&m.CertificateID, found.CertificateID)
	attributes.Fill(&m.State, found.State)
	attributes.Fill(&m.Domains, found.Domains)
	attributes.Fill(&m.NotBefore, found.NotBefore)
	attributes.Fill(&m.NotAfter, found.NotAfter)
	attributes.Fill(&m.Fingerprint, found.Fingerprint)
	attributes.Fill(&m.Managed, types.BoolValue(true))
	return m
}

// wish is what compute is to make of a plan; a write-only key comes from the configuration.
func (r *Resource) wish(plan, config model) (compute.CertificateWish, *upload) {
	wish := compute.CertificateWish{
		Key: plan.ID.ValueString(), Name: plan.Name.ValueString(), Kind: driver.CertificateKind(plan.Kind.ValueString()),
		Tenant: plan.TenantID.ValueString(),
	}
	if wish.Kind == driver.CertificateManaged {
		wish.Domains, _ = names(plan.Domains)
	}
	own := r.upload(config)
	wish.Material = own.material
	return wish, own
}

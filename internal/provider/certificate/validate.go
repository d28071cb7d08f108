// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// ValidateConfig checks which arguments go together, and the PEM texts that are known.
func (r *Resource) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	config, diags := read(ctx, request.Config, &response.Diagnostics), &response.Diagnostics
	if diags.HasError() || config.Kind.IsUnknown() {
		return
	}
	switch config.Kind.ValueString() {
	case managed:
		config.refuseContent(diags)
	case custom:
		config.demandContent(diags)
	}
}

// argument is an argument by its name.
type argument struct {
	name  string
	value interface{ IsNull() bool }
}

func (m model) byReference() []argument {
	return []argument{
		{"certificate", m.Certificate}, {"private_key", m.PrivateKey}, {"chain", m.Chain}, {"references_version", m.ReferencesVersion},
	}
}

func (m model) asText() []argument {
	return []argument{
		{"certificate_pem", m.CertificatePEM}, {"private_key_pem_wo", m.PrivateKeyPEMWO},
		{"private_key_pem_wo_version", m.PrivateKeyPEMWOVersion}, {"chain_pem", m.ChainPEM},
	}
}

func (m model) refuseContent(diags *diag.Diagnostics) {
	if m.Domains.IsNull() {
		missing(diags, "domains", "A managed certificate needs the domains that it is for.")
	}
	for _, given := range append(m.byReference(), m.asText()...) {
		if !given.value.IsNull() {
			superfluous(diags, given.name, "It belongs to a custom certificate: the vendor makes the content of a managed one.")
		}
	}
}

// demandContent wants either references or texts, certificate and key at least.
func (m model) demandContent(diags *diag.Diagnostics) {
	if !m.Domains.IsNull() {
		superfluous(diags, "domains", "It belongs to a managed certificate: a custom one names its domains itself.")
	}
	wanted, other, instead := m.byReference(), m.asText(), "certificate_pem and private_key_pem_wo"
	need := 2
	if m.byText() {
		wanted, other, instead, need = other, wanted, "certificate and private_key", 3
	}
	for _, given := range other {
		if !given.value.IsNull() {
			superfluous(diags, given.name, "A custom certificate is given by references or as PEM, not by both.")
		}
	}
	for _, one := range wanted[:need] {
		if one.value.IsNull() {
			missing(diags, one.name, fmt.Sprintf("A custom certificate needs %s, %s, or instead of them %s.", wanted[0].name, wanted[1].name, instead))
		}
	}
}

func missing(diags *diag.Diagnostics, name, why string) {
	diagnostics.Error(diags, path.Root(name), driver.InvalidInput, "Missing "+name, why)
}

func superfluous(diags *diag.Diagnostics, name, why string) {
	diagnostics.Error(diags, path.Root(name), driver.InvalidInput, "Superfluous "+name, why+" Leave it out.")
}

// unknown says whether one of the values is not known yet.
func unknown(values ...types.String) bool {
	for _, value := range values {
		if value.IsUnknown() {
			return true
		}
	}
	return false
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"os"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// The environment variables that Vault's own command reads too.
const (
	vaultAddressVariable       = "VAULT_ADDR"
	vaultNamespaceVariable     = "VAULT_NAMESPACE"
	vaultTokenVariable         = "VAULT_TOKEN"
	vaultCACertificateVariable = "VAULT_CACERT"
)

// secretStore is the argument secret_store.
type secretStore struct {
	Path     types.String `tfsdk:"path"`
	Identity types.String `tfsdk:"identity"`
}

// vault is the argument vault.
type vault struct {
	Address       types.String `tfsdk:"address"`
	Namespace     types.String `tfsdk:"namespace"`
	Token         types.String `tfsdk:"token"`
	CACertificate types.String `tfsdk:"ca_certificate"`
}

func secretStoreAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Sealed file behind `secret://TENANT/NAME` references. Its values are encrypted with age, each on a line of its own, so " +
			"that it can be kept in version control. The subcommand `secret` of the provider's binary makes it. Default: none.",
		Attributes: map[string]schema.Attribute{
			"path": schema.StringAttribute{
				Required: true, Validators: []validator.String{validators.Matching(regexp.MustCompile("."), "the path of a file")},
				MarkdownDescription: "Path of the file, such as `\"${path.root}/secrets.sealed\"`. A relative path begins at the directory that the CLI runs in.",
			},
			"identity": schema.StringAttribute{
				Required: true, Validators: []validator.String{validators.Sound(referenceTo("env"))},
				MarkdownDescription: "Reference to the age identity that opens the file, such as `env://BETTERCOMPUTE_IDENTITY`: what the environment " +
					"variable holds is the text that `secret keygen` or `age-keygen` has made. It is read when a value is opened.",
			},
		},
	}
}

func vaultAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Vault server behind `vault://MOUNT/PATH#FIELD` references: values of KV version 2 engines. `vault = {}` takes everything " +
			"from the environment. Default: none.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				Optional: true, Validators: []validator.String{validators.Sound(secret.CheckVaultAddress)},
				MarkdownDescription: "URL of the server; plain http on loopback addresses only. Default: the environment variable `" + vaultAddressVariable + "`.",
			},
			"namespace": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Namespace, where the server has some. Default: the environment variable `" + vaultNamespaceVariable + "`, else none.",
			},
			"token": schema.StringAttribute{
				Optional: true, Validators: []validator.String{validators.Sound(referenceTo("env", "secret"))},
				MarkdownDescription: "Reference to the token, `env://` or `secret://`. It is read for each value. Default: `env://" + vaultTokenVariable + "`.",
			},
			"ca_certificate": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Certificates in PEM that the server's is checked against, in place of the system's. Default: the file that the environment " +
					"variable `" + vaultCACertificateVariable + "` names, else none.",
			},
		},
	}
}

func referenceTo(schemes ...string) func(string) error {
	return func(text string) error { return secret.CheckScheme(text, schemes...) }
}

// resolver makes what finds the values behind references. It opens and asks nothing yet.
func (m model) resolver(ctx context.Context) (secret.Resolver, diag.Diagnostics) {
	var resolver secret.Resolver
	var diags diag.Diagnostics
	if !m.SecretStore.IsNull() {
		var store secretStore
		diags.Append(m.SecretStore.As(ctx, &store, basetypes.ObjectAsOptions{})...)
		resolver.Sealed = store.file()
	}
	if !m.Vault.IsNull() {
		var server vault
		diags.Append(m.Vault.As(ctx, &server, basetypes.ObjectAsOptions{})...)
		resolver.Vault = server.open(secret.Resolver{Sealed: resolver.Sealed}, &diags)
	}
	return resolver, diags
}

func (s secretStore) file() *secret.SealedFile {
	reference := s.Identity.ValueString()
	return &secret.SealedFile{
		Path: s.Path.ValueString(),
		Identity: func(ctx context.Context) (string, error) {
			return secret.Resolver{}.ResolveText(ctx, reference)
		},
	}
}

// open makes the client for Vault. Tokens finds its token.
func (v vault) open(tokens secret.Resolver, diags *diag.Diagnostics) *secret.Vault {
	at := path.Root("vault")
	address := fallback(v.Address, vaultAddressVariable, "")
	if address == "" {
		diagnostics.Error(diags, at.AtName("address"), driver.InvalidInput, "Vault has no address",
			"Set address in the provider argument vault, or the environment variable "+vaultAddressVariable+".")
		return nil
	}
	if err := secret.CheckVaultAddress(address); err != nil {
		diagnostics.Error(diags, at.AtName("address"), driver.InvalidInput, "Invalid vault.address",
			"The environment variable "+vaultAddressVariable+" "+err.Error()+".")
		return nil
	}
	certificate, ok := v.certificate(diags, at.AtName("ca_certificate"))
	if !ok {
		return nil
	}
	reference := v.Token.ValueString()
	if v.Token.IsNull() {
		reference = "env://" + vaultTokenVariable
	}
	client, err := secret.NewVault(secret.VaultOptions{
		Address: address, Namespace: fallback(v.Namespace, vaultNamespaceVariable, ""), CACertificate: certificate,
		Token: func(ctx context.Context) (string, error) { return tokens.Resolve(ctx, reference) },
	})
	if err != nil {
		diagnostics.Error(diags, at.AtName("ca_certificate"), driver.InvalidInput, "Invalid vault.ca_certificate", "vault.ca_certificate "+err.Error()+".")
	}
	return client
}

// certificate answers the PEM text of the argument, else of the file that the environment names; empty for the system's.
func (v vault) certificate(diags *diag.Diagnostics, at path.Path) (text string, ok bool) {
	file := os.Getenv(vaultCACertificateVariable)
	if !v.CACertificate.IsNull() || file == "" {
		return v.CACertificate.ValueString(), true
	}
	read, err := os.ReadFile(file) //nolint:gosec // the user names the file
	if err != nil {
		diagnostics.Error(diags, at, driver.InvalidInput, "Invalid vault.ca_certificate",
			"The file that the environment variable "+vaultCACertificateVariable+" names cannot be read: "+err.Error())
		return "", false
	}
	return string(read), true
}

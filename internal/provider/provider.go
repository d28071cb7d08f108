// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package provider is the Terraform provider: its block, and the list of what it offers. The resources and data sources
// are packages below this one; vendors are known to none of them by name.
package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/certificate"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/firewalls"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/images"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/instance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/networks"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/offers"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/provideraccount"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/provideraddress"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/sealedsecret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

// Address is where registries list the provider.
const Address = "registry.terraform.io/better-compute/bettercompute"

// The provider's name, which begins the names of its resources, and the environment variables behind its arguments.
const (
	name           = "bettercompute"
	tenantVariable = "BETTERCOMPUTE_TENANT_ID"
	ownerVariable  = "BETTERCOMPUTE_OWNER"
)

// The defaults of the provider block.
const (
	defaultTenant     = "root"
	defaultMaxRetries = 5
)

// Provider is the provider bettercompute.
type Provider struct {
	version string
	// change, where a test has set it, has the last word on what accounts are made with.
	change func(*cloud.Options)
}

var _ provider.ProviderWithFunctions = &Provider{}

// New makes the provider; version is the one of its release.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &Provider{version: version} }
}

// model is the provider block.
type model struct {
	TenantID          types.String  `tfsdk:"tenant_id"`
	Owner             types.String  `tfsdk:"owner"`
	MaxRetries        types.Int64   `tfsdk:"max_retries"`
	SecretStore       types.Object  `tfsdk:"secret_store"`
	Vault             types.Object  `tfsdk:"vault"`
	RequestsPerSecond types.Float64 `tfsdk:"requests_per_second"`
	Preflight         types.Bool    `tfsdk:"preflight"`
}

// Metadata tells the provider's name and version.
func (p *Provider) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = name
	response.Version = p.version
}

// Schema tells the arguments of the provider block.
func (p *Provider) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Runs machines on several vendors through one set of resources. The provider block holds what is common to all accounts; " +
			"the accounts themselves, with references to their tokens, are `bettercompute_provider_account`.",
		Attributes: map[string]schema.Attribute{
			"tenant_id": schema.StringAttribute{
				Optional: true, Validators: validators.Tenant(),
				MarkdownDescription: "Tenant that owns what is made: 1 to 128 letters, digits and the characters `. _ : -`. Existing objects keep " +
					"theirs. Default: the environment variable `" + tenantVariable + "`, else `" + defaultTenant + "`.",
			},
			"owner": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "A name for this state that no other state has, such as `\"shop/${terraform.workspace}\"`. It lets the same state take " +
					"back what it had made before it was lost. Default: the environment variable `" + ownerVariable + "`, else none.",
			},
			"secret_store": secretStoreAttribute(),
			"vault":        vaultAttribute(),
			"max_retries": schema.Int64Attribute{
				Optional: true, Validators: []validator.Int64{validators.Between(0, 100)},
				MarkdownDescription: "How often one request is repeated at most where a repeat is safe, within the timeout of the operation: " +
					"a whole number from 0 to 100. Waiting for the vendor's rate limit does not count. Default: `5`.",
			},
			"requests_per_second": schema.Float64Attribute{
				Optional: true, Validators: []validator.Float64{validators.NotNegative()},
				MarkdownDescription: "Ceiling for the requests of one account, in requests a second. Default: `0`, which is no ceiling besides the one that " +
					"the vendor's headers ask for.",
			},
			"preflight": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether a plan checks against the vendor what it is about to create or to change, such as offer, image and region. A " +
					"vendor that is out of reach is a warning. Default: `true`.",
			},
		},
	}
}

// Configure makes the accounts of this command. As long as an argument is unknown there are none: an unknown value is
// neither the default nor what an environment variable says.
func (p *Provider) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var block model
	response.Diagnostics.Append(request.Config.Get(ctx, &block)...)
	if response.Diagnostics.HasError() || !request.Config.Raw.IsFullyKnown() {
		return
	}
	tenant := fallback(block.TenantID, tenantVariable, defaultTenant)
	if !validators.IsTenant(tenant) {
		diagnostics.Error(&response.Diagnostics, path.Root("tenant_id"), driver.InvalidInput, "Invalid tenant_id",
			"The environment variable "+tenantVariable+" must hold "+validators.TenantRule+".")
		return
	}
	resolver, diags := block.resolver(ctx)
	response.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	options := cloud.Options{
		Version:           p.version,
		TenantID:          tenant,
		Owner:             fallback(block.Owner, ownerVariable, ""),
		MaxRetries:        block.maxRetries(),
		RequestsPerSecond: block.RequestsPerSecond.ValueFloat64(),
		Preflight:         block.Preflight.IsNull() || block.Preflight.ValueBool(),
		Resolve:           resolver.Resolve,
		ResolveText:       resolver.ResolveText,
		Secrets:           resolver.Sealed,
	}
	if p.change != nil {
		p.change(&options)
	}
	accounts := cloud.NewAccounts(options)
	response.ResourceData, response.DataSourceData = accounts, accounts
}

func (m model) maxRetries() int {
	if m.MaxRetries.IsNull() {
		return defaultMaxRetries
	}
	return int(m.MaxRetries.ValueInt64())
}

// fallback answers the argument; only where it is null the environment variable; and where that is empty the default.
func fallback(argument types.String, variable, otherwise string) string {
	if !argument.IsNull() {
		return argument.ValueString()
	}
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return otherwise
}

// Resources are the resources that this release has.
func (p *Provider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		provideraccount.NewResource(cloud.Kinds()),
		instance.NewResource,
		certificate.NewResource,
		sealedsecret.NewResource,
		provideraddress.NewResource,
	}
}

// DataSources are the data sources that this release has.
func (p *Provider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		provideraccount.NewDataSource(cloud.Kinds()),
		offers.NewOffers,
		offers.NewOffer,
		certificate.NewDataSource,
		provideraddress.NewDataSource,
		images.NewDataSource,
		networks.NewDataSource,
		firewalls.NewDataSource,
		instance.NewDataSource,
	}
}

// Functions are the functions that this release has.
func (p *Provider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		importid.New,
	}
}

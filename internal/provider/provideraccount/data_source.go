// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// DataSource is the data source bettercompute_provider_account.
type DataSource struct {
	kinds    []driver.Kind
	accounts *cloud.Accounts
}

var (
	_ datasource.DataSourceWithConfigure      = &DataSource{}
	_ datasource.DataSourceWithValidateConfig = &DataSource{}
)

// NewDataSource makes the data source for the given kinds of accounts.
func NewDataSource(kinds []driver.Kind) func() datasource.DataSource {
	return func() datasource.DataSource { return &DataSource{kinds: kinds} }
}

// Metadata tells the data source's name.
func (d *DataSource) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_provider_account"
}

// Schema tells the attributes, one for each kind of account among them.
func (d *DataSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = dataSourceSchema(d.kinds)
}

// Configure takes the accounts of the process.
func (d *DataSource) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.accounts, _ = request.ProviderData.(*cloud.Accounts)
}

// ValidateConfig reports all faults of the config together.
func (d *DataSource) ValidateConfig(
	ctx context.Context, request datasource.ValidateConfigRequest, response *datasource.ValidateConfigResponse,
) {
	written, diags := readArguments(ctx, request.Config, d.kinds)
	response.Diagnostics.Append(diags...)
	if !diags.HasError() {
		response.Diagnostics.Append(written.validate()...)
	}
}

// Read answers the account object, announces it and tries its token. Whether it runs in a plan or in an apply it cannot
// tell, so a vendor that is out of reach is a warning; what then needs the vendor fails by itself.
func (d *DataSource) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	if d.accounts == nil {
		diagnostics.NotConfigured(&response.Diagnostics, path.Empty())
		return
	}
	written, diags := readArguments(ctx, request.Config, d.kinds)
	response.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	response.Diagnostics.Append(written.validate()...)
	account, err := written.computed(providerTenant(d.accounts))
	if err != nil && !response.Diagnostics.HasError() {
		response.Diagnostics.AddError("The config cannot be written as JSON (INVALID_INPUT)", err.Error())
	}
	reference, known := account.reference()
	chosen, one := written.chosen()
	if response.Diagnostics.HasError() || !known || !one {
		return
	}
	response.State.Raw = request.Config.Raw
	response.Diagnostics.Append(account.set(ctx, &response.State)...)
	response.Diagnostics.Append(announce(d.accounts, reference)...)
	if !response.Diagnostics.HasError() && written.verifies() {
		response.Diagnostics.Append(verify(ctx, d.accounts, reference, chosen, planning)...)
	}
}

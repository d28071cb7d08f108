// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// Offer is the data source bettercompute_offer.
type Offer struct {
	accounts *cloud.Accounts
}

var _ datasource.DataSourceWithConfigure = &Offer{}

// NewOffer makes the data source bettercompute_offer.
func NewOffer() datasource.DataSource { return &Offer{} }

// offerModel is a query and one offer: kind, region and gpu_model are in both.
type offerModel struct {
	query
	ProviderAccount types.Object  `tfsdk:"provider_account"`
	ID              types.String  `tfsdk:"id"`
	VCPU            types.Int64   `tfsdk:"vcpu"`
	MemoryGiB       types.Float64 `tfsdk:"memory_gib"`
	DiskGiB         types.Float64 `tfsdk:"disk_gib"`
	GPUs            types.Int64   `tfsdk:"gpus"`
	PricePerHour    types.Number  `tfsdk:"price_per_hour"`
	Currency        types.String  `tfsdk:"currency"`
	Available       types.Bool    `tfsdk:"available"`
}

// Metadata tells the data source's name.
func (o *Offer) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_offer"
}

// Schema tells the attributes.
func (o *Offer) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = offerSchema()
}

// Configure takes the accounts of the process.
func (o *Offer) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	o.accounts, _ = request.ProviderData.(*cloud.Accounts)
}

// Read answers the cheapest offer that the filters leave.
func (o *Offer) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var config offerModel
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	sold, diags := look(ctx, o.accounts, config.ProviderAccount, config.query)
	response.Diagnostics.Append(diags...)
	if response.Diagnostics.HasError() {
		return
	}
	found, diags := sold.cheapest(ctx, config.ID.ValueString(), config.filters())
	response.Diagnostics.Append(diags...)
	if response.Diagnostics.HasError() {
		return
	}
	shown, err := show(found)
	if err != nil {
		diagnostics.Error(&response.Diagnostics, path.Root("price_per_hour"), driver.ProviderError, "Unable to read a price", err.Error())
		return
	}
	config.take(shown)
	response.Diagnostics.Append(response.State.Set(ctx, &config)...)
}

// take shows the offer. A gpu_model that is written keeps its spelling.
func (m *offerModel) take(found offer) {
	m.ID, m.Kind, m.Region = found.ID, found.Kind, found.Region
	if m.GPUModel.ValueString() == "" {
		m.GPUModel = found.GPUModel
	}
	m.VCPU, m.MemoryGiB, m.DiskGiB, m.GPUs = found.VCPU, found.MemoryGiB, found.DiskGiB, found.GPUs
	m.PricePerHour, m.Currency, m.Available = found.PricePerHour, found.Currency, found.Available
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package offers is the data sources bettercompute_offers and bettercompute_offer: what can be ordered in a region of an
// account.
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

// Offers is the data source bettercompute_offers.
type Offers struct {
	accounts *cloud.Accounts
}

var _ datasource.DataSourceWithConfigure = &Offers{}

// NewOffers makes the data source bettercompute_offers.
func NewOffers() datasource.DataSource { return &Offers{} }

type offersModel struct {
	query
	ProviderAccount types.Object `tfsdk:"provider_account"`
	Offers          types.List   `tfsdk:"offers"`
}

// Metadata tells the data source's name.
func (o *Offers) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_offers"
}

// Schema tells the attributes.
func (o *Offers) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = offersSchema()
}

// Configure takes the accounts of the process.
func (o *Offers) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	o.accounts, _ = request.ProviderData.(*cloud.Accounts)
}

// Read answers the offers that the filters leave, none if that is so.
func (o *Offers) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var config offersModel
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	sold, diags := look(ctx, o.accounts, config.ProviderAccount, config.query)
	response.Diagnostics.Append(diags...)
	if response.Diagnostics.HasError() {
		return
	}
	left, emptied := narrow(sold.offers, config.filters())
	if emptied != nil {
		left = nil
	}
	shown := make([]offer, 0, len(left))
	for _, one := range left {
		row, err := show(one)
		if err != nil {
			diagnostics.Error(&response.Diagnostics, path.Root("offers"), driver.ProviderError, "Unable to read a price", err.Error())
			return
		}
		shown = append(shown, row)
	}
	config.Region = types.StringValue(sold.name)
	config.Offers, diags = types.ListValueFrom(ctx, types.ObjectType{AttrTypes: offerTypes}, shown)
	response.Diagnostics.Append(diags...)
	response.Diagnostics.Append(response.State.Set(ctx, &config)...)
}

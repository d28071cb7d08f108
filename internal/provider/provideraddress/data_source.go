// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var _ datasource.DataSourceWithConfigure = (*DataSource)(nil)

// DataSource is bettercompute_provider_addresses.
type DataSource struct {
	accounts accounts.Opener
}

// NewDataSource makes the data source for the provider's list.
func NewDataSource() datasource.DataSource { return &DataSource{} }

// Metadata tells the data source's name.
func (d *DataSource) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_provider_addresses"
}

// Configure takes the accounts of the command.
func (d *DataSource) Configure(_ context.Context, request datasource.ConfigureRequest, response *datasource.ConfigureResponse) {
	d.accounts.Take(request.ProviderData, &response.Diagnostics)
}

var listedTypes = map[string]attr.Type{
	"id": types.StringType, "address": types.StringType, "name": types.StringType, "state": types.StringType, "owned": types.BoolType,
	"family": types.StringType, "region": types.StringType, "machine_id": types.StringType,
}

// Schema tells the attributes.
func (d *DataSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	response.Schema = schema.Schema{
		MarkdownDescription: "The reserved addresses of an account that bear this provider's marks, those of all states among them, oldest first. On DigitalOcean also what may " +
			"have leaked: intents without an address, and addresses that nothing has recorded.",
		Attributes: map[string]schema.Attribute{
			reference.Name: reference.DataSourceAttribute(),
			"addresses": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The addresses.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":         text("Our id of the address: `paddr_` and 52 characters. Null for one that nothing has recorded."),
					"address":    text("The address. Null for an intent: an earlier create that never learned what it had reserved."),
					"name":       text("Name of the address, null where the vendor keeps none."),
					"state":      text("`ready`, `pending` (not finished, or an intent), or `error` (the vendor has blocked it)."),
					"owned":      schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether a state owns it."},
					"family":     text("`ipv4` or `ipv6`. Null for an intent."),
					"region":     text("Region of the address. Null for an intent."),
					"machine_id": text("The vendor's id of the machine that it is on, null on none."),
				}},
			},
		},
	}
}

// Read answers what the account shows now.
func (d *DataSource) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var config struct {
		ProviderAccount types.Object `tfsdk:"provider_account"`
		Addresses       types.List   `tfsdk:"addresses"`
	}
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	account := d.accounts.MustOpen(ctx, config.ProviderAccount, &response.Diagnostics)
	if account == nil {
		return
	}
	found, err := account.ManagedAddresses(ctx)
	if err != nil {
		diagnostics.Append(&response.Diagnostics, err, path.Empty(), map[string]path.Path{reference.Name: path.Root(reference.Name)})
		return
	}
	elements := make([]attr.Value, len(found))
	for i, one := range found {
		elements[i] = listed(one)
	}
	config.Addresses = types.ListValueMust(types.ObjectType{AttrTypes: listedTypes}, elements)
	response.Diagnostics.Append(response.State.Set(ctx, &config)...)
}

func listed(one compute.ListedAddress) attr.Value {
	state := stateReady
	switch {
	case one.Address.ID == "", one.Address.Marks.Creating:
		state = statePending
	case one.Address.Blocked:
		state = stateError
	}
	return types.ObjectValueMust(listedTypes, map[string]attr.Value{
		"id": attributes.Text(one.Key), "address": attributes.Text(one.Address.Address), "name": attributes.Text(compute.AddressName(one.Address)),
		"state": types.StringValue(state), "owned": types.BoolValue(one.Owned), "family": attributes.Text(one.Address.Family),
		"region": attributes.Text(one.Address.Region), "machine_id": attributes.Text(one.Address.Holder),
	})
}

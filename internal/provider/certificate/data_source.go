// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var _ datasource.DataSourceWithConfigure = (*DataSource)(nil)

// DataSource is bettercompute_certificates.
type DataSource struct {
	accounts.Opener
}

// NewDataSource makes the data source for the provider's list.
func NewDataSource() datasource.DataSource { return &DataSource{} }

// Metadata tells the data source's name.
func (d *DataSource) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_certificates"
}

// Configure takes the accounts that the provider has made for this command.
func (d *DataSource) Configure(_ context.Context, request datasource.ConfigureRequest, response *datasource.ConfigureResponse) {
	d.Take(request.ProviderData, &response.Diagnostics)
}

var listedType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"id": types.StringType, "certificate_id": types.StringType, "name": types.StringType, "state": types.StringType, "owned": types.BoolType,
}}

// Schema describes the data source.
func (d *DataSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	response.Schema = schema.Schema{
		MarkdownDescription: "The certificates that bear the marks of an account, whichever state they belong to, oldest first. What an interrupted apply has left behind shows here.",
		Attributes: map[string]schema.Attribute{
			reference.Name: reference.DataSourceAttribute(),
			"certificates": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The certificates, oldest first, then by the vendor's id.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":             text("Our id: `pcert_` and 52 characters."),
					"certificate_id": text("The vendor's id."),
					"name":           text("The name, without the part of our id that follows it at the vendor."),
					"state":          text("`pending`, `ready`, `deleting` or `error`."),
					"owned":          schema.BoolAttribute{Computed: true, MarkdownDescription: "False as long as a create is under way, or after it was interrupted: no state owns the certificate then."},
				}},
			},
		},
	}
}

type listModel struct {
	ProviderAccount types.Object `tfsdk:"provider_account"`
	Certificates    types.List   `tfsdk:"certificates"`
}

// Read lists the certificates, always anew.
func (d *DataSource) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var config listModel
	diags := &response.Diagnostics
	diags.Append(request.Config.Get(ctx, &config)...)
	if diags.HasError() {
		return
	}
	account := d.MustOpen(ctx, config.ProviderAccount, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, defaultRead)
	defer done()
	found, err := account.ManagedCertificates(limited)
	if err != nil {
		diagnostics.Append(diags, err, accountPath(), map[string]path.Path{reference.Name: accountPath()})
		return
	}
	elements := make([]attr.Value, len(found))
	for i, certificate := range found {
		elements[i] = listed(certificate)
	}
	config.Certificates = types.ListValueMust(listedType, elements)
	diags.Append(response.State.Set(ctx, &config)...)
}

func listed(certificate driver.Certificate) types.Object {
	return types.ObjectValueMust(listedType.AttrTypes, map[string]attr.Value{
		"id":             attributes.Text(certificate.Marks.Key),
		"certificate_id": types.StringValue(certificate.ID),
		"name":           types.StringValue(driver.PlainName(certificate.Name, certificate.Marks.Key)),
		"state":          types.StringValue(string(certificate.State)),
		"owned":          types.BoolValue(!certificate.Marks.Creating),
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package listing makes data sources that list objects of one account. What is listed, and by which further arguments, is
// said by a Definition.
package listing

import (
	"context"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// timeout is how long a list may take, waits for the vendor's rate limit included.
const timeout = 2 * time.Minute

// Elements are the attributes of the objects that are listed, by name.
type Elements map[string]schema.Attribute

// Row is one object, with a value for each attribute of Elements.
type Row map[string]attr.Value

// Arguments are the texts that narrow a list; one that is not written is null. A Read may fill in what it has used.
type Arguments map[string]types.String

// Definition is one data source that lists objects.
type Definition struct {
	// Collection is the attribute that holds the objects; TypeName is the data source's name without the provider's.
	TypeName, Collection string
	// Description and CollectionDescription are for the documentation.
	Description, CollectionDescription string
	Elements                           Elements
	// Arguments are the arguments besides provider_account, all of them texts.
	Arguments map[string]schema.StringAttribute
	// Labels, where the objects have labels, documents the argument labels: only objects that bear all of these are listed. A
	// Row then has a map at "labels", null where the vendor keeps none.
	Labels string
	// Read lists the objects. Errors of compute that name an argument are shown there, others at provider_account.
	Read func(ctx context.Context, account *compute.Account, arguments Arguments) ([]Row, error)
}

// New answers what a provider's list of data sources takes.
func (d Definition) New() datasource.DataSource { return &dataSource{Definition: d} }

type dataSource struct {
	Definition
	accounts accounts.Opener
}

var _ datasource.DataSourceWithConfigure = (*dataSource)(nil)

// Metadata tells the data source's name.
func (d *dataSource) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + d.TypeName
}

// Configure takes the accounts that the provider has made for this command.
func (d *dataSource) Configure(_ context.Context, request datasource.ConfigureRequest, response *datasource.ConfigureResponse) {
	d.accounts.Take(request.ProviderData, &response.Diagnostics)
}

// Schema tells the attributes.
func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		reference.Name: reference.DataSourceAttribute(),
		d.Collection: schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: d.CollectionDescription,
			NestedObject: schema.NestedAttributeObject{Attributes: d.Elements},
		},
	}
	for name, argument := range d.Arguments {
		attributes[name] = argument
	}
	if d.Labels != "" {
		attributes[labels] = schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: d.Labels}
	}
	response.Schema = schema.Schema{MarkdownDescription: d.Description, Attributes: attributes}
}

// Read lists the objects, always anew.
func (d *dataSource) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	diags := &response.Diagnostics
	var named types.Object
	diags.Append(request.Config.GetAttribute(ctx, path.Root(reference.Name), &named)...)
	arguments := Arguments{}
	for name := range d.Arguments {
		var written types.String
		diags.Append(request.Config.GetAttribute(ctx, path.Root(name), &written)...)
		arguments[name] = written
	}
	wanted := types.MapNull(types.StringType)
	if d.Labels != "" {
		diags.Append(request.Config.GetAttribute(ctx, path.Root(labels), &wanted)...)
	}
	if diags.HasError() {
		return
	}
	account := d.accounts.MustOpen(ctx, named, diags)
	if account == nil {
		return
	}
	limited, done := context.WithTimeout(ctx, timeout)
	defer done()
	rows, err := d.Definition.Read(limited, account, arguments)
	if err != nil {
		diagnostics.Append(diags, err, path.Root(reference.Name), d.paths())
		return
	}
	diagnostics.Warn(diags, account.Warnings(), nil)
	values := map[string]attr.Value{reference.Name: named, d.Collection: d.list(d.labelled(rows, wanted, diags))}
	if d.Labels != "" {
		values[labels] = wanted
	}
	for name, value := range arguments {
		values[name] = value
	}
	for name, value := range values {
		diags.Append(response.State.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// paths are the arguments that errors of compute name.
func (d Definition) paths() map[string]path.Path {
	paths := map[string]path.Path{reference.Name: path.Root(reference.Name)}
	for name := range d.Arguments {
		paths[name] = path.Root(name)
	}
	return paths
}

func (d Definition) list(rows []Row) types.List {
	shape := types.ObjectType{AttrTypes: map[string]attr.Type{}}
	for name, attribute := range d.Elements {
		shape.AttrTypes[name] = attribute.GetType()
	}
	elements := make([]attr.Value, len(rows))
	for i, row := range rows {
		elements[i] = types.ObjectValueMust(shape.AttrTypes, maps.Clone(row))
	}
	return types.ListValueMust(shape, elements)
}

// Text is an attribute of a listed object that is a text.
func Text(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

// Flag is one that is true or false.
func Flag(description string) schema.BoolAttribute {
	return schema.BoolAttribute{Computed: true, MarkdownDescription: description}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command nothing is a provider that does nothing: what a CLI takes with it, it takes with every provider.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	options := providerserver.ServeOpts{Address: "registry.terraform.io/better-compute/nothing"}
	made := func() provider.Provider { return nothing{} }
	if err := providerserver.Serve(context.Background(), made, options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type nothing struct{}

func (nothing) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "nothing"
}
func (nothing) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse)          {}
func (nothing) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}
func (nothing) DataSources(context.Context) []func() datasource.DataSource                        { return nil }
func (nothing) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return machine{} }}
}

// machine is a resource that exists in the state only.
type machine struct{}

type model struct {
	Name  types.String `tfsdk:"name"`
	Label types.String `tfsdk:"label"`
}

func (machine) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "nothing_machine"
}

func (machine) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"name":  schema.StringAttribute{Required: true},
		"label": schema.StringAttribute{Required: true},
	}}
}

func (machine) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var planned model
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

func (machine) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (machine) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var planned model
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

func (machine) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

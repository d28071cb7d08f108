// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command idle is a provider with the schema of bettercompute_instance that does nothing: what a CLI and the plugin
// framework take for such a resource, they take whoever serves it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/pluginserver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/instance"
)

func main() {
	made := providerserver.NewProtocol6(idle{})
	if err := pluginserver.Serve(context.Background(), "registry.terraform.io/better-compute/idle", made, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type idle struct{}

func (idle) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "idle"
}
func (idle) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse)          {}
func (idle) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}
func (idle) DataSources(context.Context) []func() datasource.DataSource                        { return nil }
func (idle) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return machine{instance.NewResource()} }}
}

// machine is in the state only.
type machine struct{ instance resource.Resource }

func (machine) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "idle_instance"
}

func (m machine) Schema(ctx context.Context, request resource.SchemaRequest, response *resource.SchemaResponse) {
	m.instance.Schema(ctx, request, response)
}

func (machine) Create(_ context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	response.State.Raw = known(request.Plan.Raw, &response.Diagnostics)
}

// known is a plan with everything that is unknown filled in.
func known(plan tftypes.Value, diagnostics *diag.Diagnostics) tftypes.Value {
	all, err := tftypes.Transform(plan, filled)
	if err != nil {
		diagnostics.AddError("The plan cannot be filled in", err.Error())
	}
	return all
}

// filled gives what is unknown a value of a usual length; what is neither text, number nor truth is null.
func filled(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
	if value.IsKnown() {
		return value, nil
	}
	var example any
	switch of := value.Type(); {
	case of.Is(tftypes.String):
		example = "an example of some length"
	case of.Is(tftypes.Number):
		example = 4
	case of.Is(tftypes.Bool):
		example = true
	}
	return tftypes.NewValue(value.Type(), example), nil
}

func (machine) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (machine) Update(_ context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	response.State.Raw = known(request.Plan.Raw, &response.Diagnostics)
}

func (machine) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

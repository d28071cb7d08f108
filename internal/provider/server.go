// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
)

// NewServer makes the provider's protocol server. A panic in the work for one object becomes an error of that object: the
// process goes on, and with it the work for all the others, whose answers would be lost otherwise.
func NewServer(version string) func() tfprotov6.ProviderServer {
	return NewCountedServer(version, new(calls.Count))
}

// NewCountedServer is NewServer with a count of what is asked of vendors.
func NewCountedServer(version string, count *calls.Count) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		return &server{ProviderServer: providerserver.NewProtocol6(New(version)())(), count: count, turns: newTurns()}
	}
}

// NewServerWith is NewServer for tests that put something of their own, such as a transport in memory, in the place of
// what the provider block says.
func NewServerWith(version string, change func(*cloud.Options)) tfprotov6.ProviderServer {
	return &server{ProviderServer: providerserver.NewProtocol6(&Provider{version: version, change: change})(), count: new(calls.Count), turns: newTurns()}
}

// server guards the requests in which code of this provider runs.
type server struct {
	tfprotov6.ProviderServer
	count *calls.Count
	turns turns
}

// guard runs one request. After a panic it answers what failed makes of the diagnostic.
func guard[Response any](
	ctx context.Context, what string, run func() (*Response, error), failed func([]*tfprotov6.Diagnostic) *Response,
) (response *Response, err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		tflog.Error(ctx, "panic", map[string]any{"request": what, "panic": fmt.Sprint(cause), "stack": string(debug.Stack())})
		response, err = failed([]*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError,
			Summary:  fmt.Sprintf("The provider failed to %s (PROVIDER_ERROR)", what),
			Detail: fmt.Sprintf("This is a mistake in the provider, not in the configuration: %v. Please report it with the log that TF_LOG=ERROR writes. "+
				"The state is kept as it was. Something may have been made or changed at the vendor; the next plan looks.", cause),
		}}), nil
	}()
	return run()
}

// ConfigureProvider is guarded.
func (s *server) ConfigureProvider(
	ctx context.Context, request *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return guard(ctx, "configure itself", func() (*tfprotov6.ConfigureProviderResponse, error) {
		return s.ProviderServer.ConfigureProvider(ctx, request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ConfigureProviderResponse {
		return &tfprotov6.ConfigureProviderResponse{Diagnostics: diagnostics}
	})
}

// ValidateResourceConfig is guarded.
func (s *server) ValidateResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	defer s.turns.take(ctx)()
	return guard(ctx, "validate a "+request.TypeName, func() (*tfprotov6.ValidateResourceConfigResponse, error) {
		return s.ProviderServer.ValidateResourceConfig(ctx, request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ValidateResourceConfigResponse {
		return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: diagnostics}
	})
}

// ReadResource is guarded; after a panic the state is kept.
func (s *server) ReadResource(ctx context.Context, request *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	defer s.turns.take(ctx)()
	return guard(ctx, "read a "+request.TypeName, func() (*tfprotov6.ReadResourceResponse, error) {
		return s.ProviderServer.ReadResource(s.count.Counted(ctx, "refresh"), request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ReadResourceResponse {
		return &tfprotov6.ReadResourceResponse{NewState: request.CurrentState, Private: request.Private, Diagnostics: diagnostics}
	})
}

// PlanResourceChange is guarded.
func (s *server) PlanResourceChange(
	ctx context.Context, request *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	defer s.turns.take(ctx)()
	return guard(ctx, "plan a "+request.TypeName, func() (*tfprotov6.PlanResourceChangeResponse, error) {
		return s.ProviderServer.PlanResourceChange(s.count.Counted(ctx, "plan"), request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.PlanResourceChangeResponse {
		return &tfprotov6.PlanResourceChangeResponse{
			PlannedState: request.PriorState, PlannedPrivate: request.PriorPrivate, Diagnostics: diagnostics,
		}
	})
}

// ApplyResourceChange is guarded; after a panic the state is kept: what a create has made bears its key, and the next
// create finds it.
func (s *server) ApplyResourceChange(
	ctx context.Context, request *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return guard(ctx, "apply the change of a "+request.TypeName, func() (*tfprotov6.ApplyResourceChangeResponse, error) {
		return s.ProviderServer.ApplyResourceChange(s.count.Counted(ctx, change(request)), request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ApplyResourceChangeResponse {
		return &tfprotov6.ApplyResourceChangeResponse{
			NewState: request.PriorState, Private: request.PlannedPrivate, Diagnostics: diagnostics,
		}
	})
}

// ImportResourceState is guarded.
func (s *server) ImportResourceState(
	ctx context.Context, request *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return guard(ctx, "import a "+request.TypeName, func() (*tfprotov6.ImportResourceStateResponse, error) {
		return s.ProviderServer.ImportResourceState(s.count.Counted(ctx, "import"), request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ImportResourceStateResponse {
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: diagnostics}
	})
}

// ValidateDataResourceConfig is guarded.
func (s *server) ValidateDataResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return guard(ctx, "validate the data source "+request.TypeName, func() (*tfprotov6.ValidateDataResourceConfigResponse, error) {
		return s.ProviderServer.ValidateDataResourceConfig(ctx, request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ValidateDataResourceConfigResponse {
		return &tfprotov6.ValidateDataResourceConfigResponse{Diagnostics: diagnostics}
	})
}

// ReadDataSource is guarded.
func (s *server) ReadDataSource(ctx context.Context, request *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return guard(ctx, "read the data source "+request.TypeName, func() (*tfprotov6.ReadDataSourceResponse, error) {
		return s.ProviderServer.ReadDataSource(s.count.Counted(ctx, "data"), request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.ReadDataSourceResponse {
		return &tfprotov6.ReadDataSourceResponse{Diagnostics: diagnostics}
	})
}

// CallFunction is guarded.
func (s *server) CallFunction(ctx context.Context, request *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return guard(ctx, "call the function "+request.Name, func() (*tfprotov6.CallFunctionResponse, error) {
		return s.ProviderServer.CallFunction(ctx, request)
	}, func(diagnostics []*tfprotov6.Diagnostic) *tfprotov6.CallFunctionResponse {
		return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: diagnostics[0].Summary + ": " + diagnostics[0].Detail}}
	})
}

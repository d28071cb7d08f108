// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// broken panics in every request.
type broken struct{ tfprotov6.ProviderServer }

func (broken) ReadResource(context.Context, *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	panic("index out of range")
}

func (broken) ApplyResourceChange(
	context.Context, *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	panic("index out of range")
}

func (broken) CallFunction(context.Context, *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	panic("index out of range")
}

// TestEveryRequestSurvivesAPanic uses a server in which the requests that are not defined above panic for a nil pointer.
func TestEveryRequestSurvivesAPanic(t *testing.T) {
	guarded := &server{ProviderServer: broken{}, turns: newTurns()}
	state := &tfprotov6.DynamicValue{JSON: []byte(`{"id":"inst_1"}`)}
	kept := func(name string, got *tfprotov6.DynamicValue) {
		t.Helper()
		if got != state {
			t.Errorf("%s does not keep the state", name)
		}
	}
	tests := map[string]func() ([]*tfprotov6.Diagnostic, error){
		"configure": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{})
			return response.Diagnostics, err
		},
		"validate resource": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{})
			return response.Diagnostics, err
		},
		"read": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{CurrentState: state})
			kept("read", response.NewState)
			return response.Diagnostics, err
		},
		"plan": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{PriorState: state})
			kept("plan", response.PlannedState)
			return response.Diagnostics, err
		},
		"apply": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{PriorState: state})
			kept("apply", response.NewState)
			return response.Diagnostics, err
		},
		"import": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{})
			return response.Diagnostics, err
		},
		"validate data source": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{})
			return response.Diagnostics, err
		},
		"read data source": func() ([]*tfprotov6.Diagnostic, error) {
			response, err := guarded.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{})
			return response.Diagnostics, err
		},
	}
	for name, request := range tests {
		t.Run(name, func(t *testing.T) {
			diagnostics, err := request()
			if err != nil || len(diagnostics) != 1 || diagnostics[0].Severity != tfprotov6.DiagnosticSeverityError {
				t.Fatalf("got %v and %v, want one error diagnostic", diagnostics, err)
			}
			if !strings.HasSuffix(diagnostics[0].Summary, "(PROVIDER_ERROR)") {
				t.Errorf("summary is %q", diagnostics[0].Summary)
			}
		})
	}
	called, err := guarded.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: "import_id"})
	if err != nil || called.Error == nil || !strings.Contains(called.Error.Text, "import_id") {
		t.Errorf("function: got %v and %v, want an error that names it", called, err)
	}
}

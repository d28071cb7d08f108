// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"context"
	"reflect"
	"maps"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
)

// Attributes are the values that a test writes: string, int, float64, bool, Attributes for an object, []any, nil, Unknown,
// or a tftypes.Value taken from an answer. What is not named is null.
type Attributes map[string]any

// Unknown is a value that is known only after the apply.
var Unknown = tftypes.UnknownValue

// Server is the provider, configured, spoken to by its protocol.
type Server struct {
	t       *testing.T
	server  tfprotov6.ProviderServer
	schemas *tfprotov6.GetProviderSchemaResponse
}

// providerSchemas are the same for every server of the provider package. Each would take longer to tell them than most of
// what is asked of it.
var providerSchemas = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return provider.NewServer("test")().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

// Serve starts the provider and configures it with the arguments of its block.
func Serve(t *testing.T, block Attributes) *Server {
	t.Helper()
	return Speak(t, provider.NewServer("test")(), block)
}

// Speak is Serve for a server that a test has made itself.
func Speak(t *testing.T, server tfprotov6.ProviderServer, block Attributes) *Server {
	t.Helper()
	s := &Server{t: t, server: server}
	tell := providerSchemas
	if reflect.TypeOf(server) != reflect.TypeOf(provider.NewServer("test")()) {
		tell = func() (*tfprotov6.GetProviderSchemaResponse, error) {
			return server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
		}
	}
	schemas, err := tell()
	must(t, err)
	s.schemas = schemas
	configured, err := s.server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encode(t, value(t, schemas.Provider.ValueType(), block)),
	})
	must(t, err)
	if len(configured.Diagnostics) > 0 {
		t.Fatalf("configure: %s", configured.Diagnostics[0].Detail)
	}
	return s
}

// Planned is the answer to Plan.
type Planned struct {
	State       tftypes.Value
	Replaces    []string
	Diagnostics Diagnostics
	private     []byte
	config      tftypes.Value
}

// Validate answers the faults of a resource's configuration.
func (s *Server) Validate(resource string, config Attributes) Diagnostics {
	s.t.Helper()
	response, err := s.server.ValidateResourceConfig(s.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resource, Config: encode(s.t, s.resource(resource, config)),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	must(s.t, err)
	return response.Diagnostics
}

// Plan plans a resource over its prior state, the zero Value for none. Nil config plans its destruction.
func (s *Server) Plan(resource string, prior tftypes.Value, config Attributes) Planned {
	s.t.Helper()
	schema := s.schemas.ResourceSchemas[resource]
	if prior.IsNull() {
		prior = tftypes.NewValue(schema.ValueType(), nil)
	}
	written := tftypes.NewValue(schema.ValueType(), nil)
	if config != nil {
		written = s.resource(resource, config)
	}
	response, err := s.server.PlanResourceChange(s.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resource, Config: encode(s.t, written), PriorState: encode(s.t, prior),
		ProposedNewState: encode(s.t, propose(s.t, schema, prior, written)),
	})
	must(s.t, err)
	planned := Planned{Diagnostics: response.Diagnostics, private: response.PlannedPrivate, config: written}
	planned.State = decode(s.t, schema.ValueType(), response.PlannedState)
	for _, path := range response.RequiresReplace {
		planned.Replaces = append(planned.Replaces, dotted(path))
	}
	return planned
}

// Apply carries a plan out over the prior state, the zero Value for none.
func (s *Server) Apply(resource string, prior tftypes.Value, planned Planned) (tftypes.Value, Diagnostics) {
	s.t.Helper()
	schema := s.schemas.ResourceSchemas[resource]
	if prior.IsNull() {
		prior = tftypes.NewValue(schema.ValueType(), nil)
	}
	response, err := s.server.ApplyResourceChange(s.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resource, Config: encode(s.t, planned.config), PriorState: encode(s.t, prior),
		PlannedState: encode(s.t, planned.State), PlannedPrivate: planned.private,
	})
	must(s.t, err)
	return decode(s.t, schema.ValueType(), response.NewState), response.Diagnostics
}

// Read refreshes a resource's state.
func (s *Server) Read(resource string, state tftypes.Value) (tftypes.Value, Diagnostics) {
	s.t.Helper()
	response, err := s.server.ReadResource(s.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resource, CurrentState: encode(s.t, state),
	})
	must(s.t, err)
	return decode(s.t, state.Type(), response.NewState), response.Diagnostics
}

// Import imports a resource by an id and answers what is wrong with that.
func (s *Server) Import(resource, id string) Diagnostics {
	s.t.Helper()
	response, err := s.server.ImportResourceState(s.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: resource, ID: id})
	must(s.t, err)
	return response.Diagnostics
}

// DataSource validates and reads a data source.
func (s *Server) DataSource(name string, config Attributes) (tftypes.Value, Diagnostics) {
	s.t.Helper()
	schema := s.schemas.DataSourceSchemas[name]
	written := encode(s.t, value(s.t, schema.ValueType(), config))
	validated, err := s.server.ValidateDataResourceConfig(s.t.Context(),
		&tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: written})
	must(s.t, err)
	if len(validated.Diagnostics) > 0 {
		return tftypes.Value{}, validated.Diagnostics
	}
	read, err := s.server.ReadDataSource(s.t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: written})
	must(s.t, err)
	if read.State == nil {
		return tftypes.Value{}, read.Diagnostics
	}
	return decode(s.t, schema.ValueType(), read.State), read.Diagnostics
}

// Call calls a function.
func (s *Server) Call(function string, arguments ...any) (string, *tfprotov6.FunctionError) {
	s.t.Helper()
	definition := s.schemas.Functions[function]
	var encoded []*tfprotov6.DynamicValue
	for i, argument := range arguments {
		encoded = append(encoded, encode(s.t, value(s.t, definition.Parameters[i].Type, argument)))
	}
	response, err := s.server.CallFunction(s.t.Context(), &tfprotov6.CallFunctionRequest{Name: function, Arguments: encoded})
	must(s.t, err)
	if response.Error != nil {
		return "", response.Error
	}
	var text string
	must(s.t, decode(s.t, tftypes.String, response.Result).As(&text))
	return text, nil
}

func (s *Server) resource(name string, config Attributes) tftypes.Value {
	return value(s.t, s.schemas.ResourceSchemas[name].ValueType(), config)
}

// propose is what a CLI proposes: what is written, else what the prior state has for what the provider fills in, unknown
// for a new object, and null for what is write-only.
func propose(t *testing.T, schema *tfprotov6.Schema, prior, written tftypes.Value) tftypes.Value {
	t.Helper()
	if written.IsNull() {
		return written
	}
	attributes, before := Fields(t, written), map[string]tftypes.Value{}
	if !prior.IsNull() {
		before = Fields(t, prior)
	}
	proposed := maps.Clone(attributes)
	for _, attribute := range schema.Block.Attributes {
		old, there := before[attribute.Name]
		switch {
		case attribute.WriteOnly:
			proposed[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
		case !attribute.Computed || !attributes[attribute.Name].IsNull():
		case there:
			proposed[attribute.Name] = old
		default:
			proposed[attribute.Name] = tftypes.NewValue(attribute.ValueType(), tftypes.UnknownValue)
		}
	}
	return tftypes.NewValue(schema.ValueType(), proposed)
}

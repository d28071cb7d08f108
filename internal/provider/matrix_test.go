// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
)

// filling makes the value of every attribute of a type.
type filling func(tftypes.Type) tftypes.Value

// The fillings that every resource, data source and function must take without a panic.
var fillings = map[string]filling{
	"all unknown":    func(of tftypes.Type) tftypes.Value { return tftypes.NewValue(of, tftypes.UnknownValue) },
	"all null":       func(of tftypes.Type) tftypes.Value { return tftypes.NewValue(of, nil) },
	"all empty":      empty,
	"leaves unknown": func(of tftypes.Type) tftypes.Value { return leaves(of, tftypes.UnknownValue) },
	"leaves null":    func(of tftypes.Type) tftypes.Value { return leaves(of, nil) },
}

// waits says that a filling must not be judged yet.
func waits(name string) bool { return strings.HasSuffix(name, "unknown") }

// empty is "", 0, false, and collections and objects of nothing else.
func empty(of tftypes.Type) tftypes.Value {
	switch of := of.(type) {
	case tftypes.Object:
		return object(of, empty)
	case tftypes.List:
		return tftypes.NewValue(of, []tftypes.Value{})
	case tftypes.Set:
		return tftypes.NewValue(of, []tftypes.Value{})
	case tftypes.Map:
		return tftypes.NewValue(of, map[string]tftypes.Value{})
	}
	switch {
	case of.Is(tftypes.Number):
		return tftypes.NewValue(of, 0)
	case of.Is(tftypes.Bool):
		return tftypes.NewValue(of, false)
	}
	return tftypes.NewValue(of, "")
}

// leaves are known objects and collections of one element each, with the same thing in every place.
func leaves(of tftypes.Type, leaf any) tftypes.Value {
	switch of := of.(type) {
	case tftypes.Object:
		return object(of, func(inner tftypes.Type) tftypes.Value { return leaves(inner, leaf) })
	case tftypes.List:
		return tftypes.NewValue(of, []tftypes.Value{leaves(of.ElementType, leaf)})
	case tftypes.Set:
		return tftypes.NewValue(of, []tftypes.Value{leaves(of.ElementType, leaf)})
	case tftypes.Map:
		return tftypes.NewValue(of, map[string]tftypes.Value{"key": leaves(of.ElementType, leaf)})
	}
	return tftypes.NewValue(of, leaf)
}

func object(of tftypes.Object, fill filling) tftypes.Value {
	attributes := map[string]tftypes.Value{}
	for name, inner := range of.AttributeTypes {
		attributes[name] = fill(inner)
	}
	return tftypes.NewValue(of, attributes)
}

// configuration is an object of the schema in which everything that a user may write is filled in; of the kinds of
// accounts only the one with this attribute, since they exclude each other.
func configuration(t *testing.T, schema *tfprotov6.Schema, fill filling, kind string) tftypes.Value {
	t.Helper()
	attributes := map[string]tftypes.Value{}
	for _, attribute := range schema.Block.Attributes {
		if !attribute.Required && !attribute.Optional || attribute.Name != kind && slices.Contains(kinds(), attribute.Name) {
			attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
			continue
		}
		attributes[attribute.Name] = fill(attribute.ValueType())
	}
	return tftypes.NewValue(schema.ValueType(), attributes)
}

// kinds are the attributes of all kinds of accounts.
func kinds() []string {
	var attributes []string
	for _, kind := range cloud.Kinds() {
		attributes = append(attributes, kind.Manifest.Attribute)
	}
	return attributes
}

// proposed is what a CLI proposes for a new object: the configuration, unknown where the provider may fill in, and null
// where a value is write-only.
func proposed(t *testing.T, schema *tfprotov6.Schema, config tftypes.Value) tftypes.Value {
	t.Helper()
	var attributes map[string]tftypes.Value
	if err := config.As(&attributes); err != nil {
		t.Fatal(err)
	}
	for _, attribute := range schema.Block.Attributes {
		switch {
		case attribute.WriteOnly:
			attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
		case attribute.Computed && attributes[attribute.Name].IsNull():
			attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), tftypes.UnknownValue)
		}
	}
	return tftypes.NewValue(schema.ValueType(), attributes)
}

func dynamic(t *testing.T, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

// judge fails the test for a panic, and for any error where nothing can be judged yet.
func judge(t *testing.T, request string, diagnostics []*tfprotov6.Diagnostic, waiting bool) {
	t.Helper()
	for _, diagnostic := range diagnostics {
		text := request + ": " + diagnostic.Summary + ": " + diagnostic.Detail
		if strings.Contains(diagnostic.Summary, "The provider failed to") {
			t.Errorf("panic: %s", text)
		}
		if waiting && diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			t.Errorf("error at %s about something unknown: %s", diagnostic.Attribute, text)
		}
	}
}

func hasError(diagnostics []*tfprotov6.Diagnostic) bool {
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// serve answers a server with its provider block filled in one way, and the schemas of everything it has.
func serve(t *testing.T, block filling) (tfprotov6.ProviderServer, *tfprotov6.GetProviderSchemaResponse) {
	t.Helper()
	server := provider.NewServer("test")()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || hasError(schemas.Diagnostics) {
		t.Fatalf("no schema: %v %v", err, schemas)
	}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: dynamic(t, configuration(t, schemas.Provider, block, "")),
	})
	if err != nil {
		t.Fatal(err)
	}
	judge(t, "configure", configured.Diagnostics, true)
	return server, schemas
}

// blocks are the two ways in which a provider is there at a plan.
var blocks = map[string]filling{"configured": fillings["all null"], "not configured yet": fillings["all unknown"]}

// eachFilling runs a test for every way of filling, both ways in which the provider is there and every kind of account.
func eachFilling(t *testing.T, run func(*testing.T, tfprotov6.ProviderServer, *tfprotov6.GetProviderSchemaResponse, func(*tfprotov6.Schema) tftypes.Value, bool)) {
	t.Helper()
	for state, block := range blocks {
		for name, fill := range fillings {
			for _, kind := range kinds() {
				t.Run(state+"/"+name+"/"+kind, func(t *testing.T) {
					server, schemas := serve(t, block)
					filled := func(schema *tfprotov6.Schema) tftypes.Value { return configuration(t, schema, fill, kind) }
					run(t, server, schemas, filled, waits(name))
				})
			}
		}
	}
}

func TestEveryResourceTakesEveryConfiguration(t *testing.T) {
	eachFilling(t, func(
		t *testing.T, server tfprotov6.ProviderServer, schemas *tfprotov6.GetProviderSchemaResponse,
		filled func(*tfprotov6.Schema) tftypes.Value, waiting bool,
	) {
		for name, schema := range schemas.ResourceSchemas {
			config := filled(schema)
			validated, err := server.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
				TypeName: name, Config: dynamic(t, config),
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			judge(t, "validate "+name, validated.Diagnostics, waiting)
			if !waiting && !hasError(validated.Diagnostics) {
				t.Errorf("%s: nothing of what is required is there, and validation found no fault", name)
			}
			planned, err := server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: name, Config: dynamic(t, config), ProposedNewState: dynamic(t, proposed(t, schema, config)),
				PriorState: dynamic(t, tftypes.NewValue(schema.ValueType(), nil)),
			})
			if err != nil {
				t.Fatal(err)
			}
			judge(t, "plan "+name, planned.Diagnostics, waiting)
		}
	})
}

func TestEveryDataSourceTakesEveryConfiguration(t *testing.T) {
	eachFilling(t, func(
		t *testing.T, server tfprotov6.ProviderServer, schemas *tfprotov6.GetProviderSchemaResponse,
		filled func(*tfprotov6.Schema) tftypes.Value, waiting bool,
	) {
		for name, schema := range schemas.DataSourceSchemas {
			config := dynamic(t, filled(schema))
			validated, err := server.ValidateDataResourceConfig(t.Context(),
				&tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
			if err != nil {
				t.Fatal(err)
			}
			judge(t, "validate "+name, validated.Diagnostics, waiting)
			if !waiting && !hasError(validated.Diagnostics) {
				t.Errorf("%s: nothing of what is required is there, and validation found no fault", name)
			}
			read, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: config})
			if err != nil {
				t.Fatal(err)
			}
			judge(t, "read "+name, read.Diagnostics, false)
			if !hasError(read.Diagnostics) && !waiting {
				t.Errorf("%s was read without anything that it requires", name)
			}
		}
	})
}

func TestEveryFunctionTakesEveryArgument(t *testing.T) {
	server, schemas := serve(t, fillings["all null"])
	for name, definition := range schemas.Functions {
		for filled, fill := range fillings {
			t.Run(name+"/"+filled, func(t *testing.T) {
				var arguments []*tfprotov6.DynamicValue
				for _, parameter := range definition.Parameters {
					arguments = append(arguments, dynamic(t, fill(parameter.Type)))
				}
				called, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: name, Arguments: arguments})
				if err != nil {
					t.Fatal(err)
				}
				if called.Error == nil {
					t.Fatal("the function answered although no argument has a value")
				}
				if strings.Contains(called.Error.Text, "The provider failed to") {
					t.Errorf("panic: %s", called.Error.Text)
				}
			})
		}
	}
}

func TestProviderBlockTakesEveryConfiguration(t *testing.T) {
	for name, fill := range fillings {
		t.Run(name, func(t *testing.T) {
			server, schemas := serve(t, fillings["all null"])
			config := dynamic(t, configuration(t, schemas.Provider, fill, ""))
			validated, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
			if err != nil {
				t.Fatal(err)
			}
			// An object that is there has required arguments of its own.
			sound := name != "all empty" && name != "leaves null"
			judge(t, "validate", validated.Diagnostics, sound)
			configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
			if err != nil {
				t.Fatal(err)
			}
			judge(t, "configure", configured.Diagnostics, sound)
		})
	}
}

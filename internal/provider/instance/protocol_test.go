// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const (
	typeName      = "bettercompute_instance"
	tokenVariable = "INSTANCE_TEST_TOKEN"
)

// world is an emulated vendor and the account on it.
type world struct {
	t        *testing.T
	vendor   providertest.Vendor
	emulator *emulator.Emulator
	account  map[string]any
}

func newWorld(t *testing.T, vendor providertest.Vendor) *world {
	t.Helper()
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, vendor.Of(e).Token)
	w := &world{t: t, vendor: vendor, emulator: e}
	w.account = w.accountOf("main")
	return w
}

// accountOf is the account object of a name, as the data source gives it.
func (w *world) accountOf(name string) map[string]any {
	w.t.Helper()
	kind, known := cloud.KindByName(w.vendor.Kind)
	config, err := kind.Manifest.Canonical(w.vendor.Values(w.emulator, "env://"+tokenVariable))
	if err != nil || !known {
		w.t.Fatalf("%s: known %t, %v", w.vendor.Kind, known, err)
	}
	return map[string]any{
		"id": compute.AccountID("root", w.vendor.Kind, name, ""), "tenant_id": "root", "kind": w.vendor.Kind, "config": config,
	}
}

func (w *world) servers() []emulator.Object { return w.vendor.Machines(w.emulator) }

func (w *world) labels() map[string]string {
	labels, _ := w.vendor.Labels(w.only())
	return labels
}

func (w *world) marks() map[string]string {
	_, marks := w.vendor.Labels(w.only())
	return marks
}

func (w *world) only() emulator.Object {
	w.t.Helper()
	servers := w.servers()
	if len(servers) != 1 {
		w.t.Fatalf("%d machines at the vendor, want 1: %+v", len(servers), servers)
	}
	return servers[0]
}

// writes are the requests since the journal was emptied that were to change something.
func (w *world) writes() []string {
	var writes []string
	for _, entry := range w.emulator.Journal() {
		if entry.Method != "GET" {
			writes = append(writes, entry.Method+" "+entry.Path)
		}
	}
	return writes
}

func (w *world) set(change func(*emulator.Settings)) {
	w.t.Helper()
	if err := w.emulator.ChangeSettings(change); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) plant(name string, labels, marks map[string]string) emulator.Object {
	w.t.Helper()
	planted, err := w.vendor.Plant(w.emulator, name, labels, marks)
	if err != nil {
		w.t.Fatal(err)
	}
	return planted
}

func (w *world) patch(machine string, fields emulator.Fields) {
	w.t.Helper()
	if _, err := w.emulator.Patch(w.vendor.Name, w.vendor.Collection, machine, fields); err != nil {
		w.t.Fatal(err)
	}
}

// relabel replaces all labels and marks of the only machine.
func (w *world) relabel(labels, marks map[string]string) {
	w.t.Helper()
	if err := w.vendor.Relabel(w.emulator, w.only().ID, labels, marks); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) vanish(machine string) {
	w.t.Helper()
	if err := w.emulator.Vanish(w.vendor.Name, w.vendor.Collection, machine); err != nil {
		w.t.Fatal(err)
	}
}

// stored is what a CLI keeps of one resource.
type stored struct {
	value   tftypes.Value
	private []byte
}

func (s stored) gone() bool { return s.value.IsNull() }

// text is an attribute for a message or a comparison: null is "null", unknown "unknown".
func (s stored) text(t *testing.T, name string) string {
	t.Helper()
	attributes := map[string]tftypes.Value{}
	if err := s.value.As(&attributes); err != nil {
		t.Fatal(err)
	}
	return show(attributes[name])
}

func show(value tftypes.Value) string {
	switch {
	case !value.IsKnown():
		return "unknown"
	case value.IsNull():
		return "null"
	case value.Type().Is(tftypes.String):
		var text string
		_ = value.As(&text) // its type was just asked for
		return text
	case value.Type().Is(tftypes.Bool):
		var flag bool
		_ = value.As(&flag) // its type was just asked for
		if flag {
			return "true"
		}
		return "false"
	}
	return value.String()
}

// command is one run of the provider's process, as a CLI starts one for a plan and another for an apply.
type command struct {
	t      *testing.T
	server tfprotov6.ProviderServer
	schema *tfprotov6.Schema
}

// begin starts a command; arguments are those of the provider block.
func begin(t *testing.T, arguments map[string]any) *command {
	t.Helper()
	server := provider.NewServer("test")()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	c := &command{t: t, server: server, schema: schemas.ResourceSchemas[typeName]}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: c.dynamic(fill(schemas.Provider.ValueType(), arguments)),
	})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatalf("configure: %v %v", err, summariesOf(configured.Diagnostics))
	}
	return c
}

// nothing is a resource that is not there.
func (c *command) nothing() stored {
	return stored{value: tftypes.NewValue(c.schema.ValueType(), nil)}
}

func (c *command) config(arguments map[string]any) tftypes.Value {
	return fill(c.schema.ValueType(), arguments)
}

// planned is a plan with what a CLI needs for the apply.
type planned struct {
	stored
	replaces    []string
	diagnostics []*tfprotov6.Diagnostic
}

// plan plans a change; null arguments plan a destroy.
func (c *command) plan(prior stored, arguments map[string]any) planned {
	c.t.Helper()
	config := tftypes.NewValue(c.schema.ValueType(), nil)
	if arguments != nil {
		config = c.config(arguments)
	}
	response, err := c.server.PlanResourceChange(c.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: typeName, Config: c.dynamic(config), PriorState: c.dynamic(prior.value), PriorPrivate: prior.private,
		ProposedNewState:   c.dynamic(c.propose(prior.value, config)),
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	out := planned{stored: stored{c.value(response.PlannedState), response.PlannedPrivate}, diagnostics: response.Diagnostics}
	for _, at := range response.RequiresReplace {
		out.replaces = append(out.replaces, strings.TrimSuffix(strings.TrimPrefix(at.String(), `AttributeName("`), `")`))
	}
	return out
}

// applied is what an apply leaves.
type applied struct {
	stored
	diagnostics []*tfprotov6.Diagnostic
}

func (c *command) apply(ctx context.Context, prior stored, plan planned, arguments map[string]any) applied {
	c.t.Helper()
	config := tftypes.NewValue(c.schema.ValueType(), nil)
	if arguments != nil {
		config = c.config(arguments)
	}
	response, err := c.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: typeName, Config: c.dynamic(config), PriorState: c.dynamic(prior.value),
		PlannedState: c.dynamic(plan.value), PlannedPrivate: plan.private,
	})
	if err != nil {
		c.t.Error(err)
		return applied{stored: prior}
	}
	return applied{stored{c.value(response.NewState), response.Private}, response.Diagnostics}
}

func (c *command) read(state stored) applied {
	c.t.Helper()
	response, err := c.server.ReadResource(c.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: c.dynamic(state.value), Private: state.private,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return applied{stored{c.value(response.NewState), response.Private}, response.Diagnostics}
}

// importMachine imports by the id that the function import_id makes of account and object, and reads what came of it.
func (c *command) importMachine(account map[string]any, object string) applied {
	c.t.Helper()
	id, err := json.Marshal(map[string]any{"provider_account": account, "id": object})
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := c.server.ImportResourceState(c.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: string(id)})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(response.ImportedResources) == 0 {
		return applied{c.nothing(), response.Diagnostics}
	}
	imported := response.ImportedResources[0]
	return c.read(stored{c.value(imported.State), imported.Private})
}

// propose is what a CLI hands to a plan: what is written, else for computed attributes what was there before.
func (c *command) propose(prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() {
		return config
	}
	before, written := map[string]tftypes.Value{}, map[string]tftypes.Value{}
	if !prior.IsNull() {
		if err := prior.As(&before); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := config.As(&written); err != nil {
		c.t.Fatal(err)
	}
	for _, attribute := range c.schema.Block.Attributes {
		kept, there := before[attribute.Name]
		switch {
		case attribute.WriteOnly:
			written[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
		case attribute.Computed && written[attribute.Name].IsNull() && there:
			written[attribute.Name] = kept
		}
	}
	return tftypes.NewValue(c.schema.ValueType(), written)
}

func (c *command) dynamic(value tftypes.Value) *tfprotov6.DynamicValue {
	c.t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		c.t.Fatal(err)
	}
	return &encoded
}

func (c *command) value(encoded *tfprotov6.DynamicValue) tftypes.Value {
	c.t.Helper()
	if encoded == nil {
		return tftypes.NewValue(c.schema.ValueType(), nil)
	}
	value, err := encoded.Unmarshal(c.schema.ValueType())
	if err != nil {
		c.t.Fatal(err)
	}
	return value
}

// fill makes a value of a type from plain Go values; what is not given is null.
func fill(of tftypes.Type, given any) tftypes.Value {
	switch of := of.(type) {
	case tftypes.Object:
		fields, ok := given.(map[string]any)
		if !ok {
			return tftypes.NewValue(of, given)
		}
		attributes := map[string]tftypes.Value{}
		for name, inner := range of.AttributeTypes {
			attributes[name] = fill(inner, fields[name])
		}
		return tftypes.NewValue(of, attributes)
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		fields, ok := given.(map[string]any)
		if !ok {
			return tftypes.NewValue(of, given)
		}
		for name, element := range fields {
			elements[name] = fill(of.ElementType, element)
		}
		return tftypes.NewValue(of, elements)
	}
	return tftypes.NewValue(of, given)
}

func summariesOf(diagnostics []*tfprotov6.Diagnostic) []string {
	var texts []string
	for _, diagnostic := range diagnostics {
		texts = append(texts, diagnostic.Severity.String()+": "+diagnostic.Summary)
	}
	return texts
}

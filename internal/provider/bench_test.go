// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	frameworkprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/instance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// idle is a resource that does nothing and has the schema of bettercompute_instance: what the plugin framework takes.
type idle struct{ resource.Resource }

func newIdle() resource.Resource { return idle{instance.NewResource()} }

func (idle) Create(context.Context, resource.CreateRequest, *resource.CreateResponse) {}
func (idle) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)       {}

// idleProvider has that resource only.
type idleProvider struct{ *provider.Provider }

func (idleProvider) Configure(context.Context, frameworkprovider.ConfigureRequest, *frameworkprovider.ConfigureResponse) {
}
func (idleProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
func (idleProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{newIdle}
}

// planned is one machine as a CLI plans it without a change.
type planned struct {
	server        tfprotov6.ProviderServer
	config, state *tfprotov6.DynamicValue
	private       []byte
}

// BenchmarkMachine is what the provider's part of a plan takes for one machine that stays as it is: ours, and beside it
// that of a resource with the same schema which does nothing.
func BenchmarkMachine(b *testing.B) {
	ours := newPlanned(b)
	theirs := *ours
	theirs.server = providerserver.NewProtocol6(idleProvider{provider.New("test")().(*provider.Provider)})()
	for name, subject := range map[string]*planned{"ours": ours, "idle": &theirs} {
		b.Run(name, func(b *testing.B) {
			for step, run := range map[string]func(*testing.B){
				"validate": subject.validate, "upgrade": subject.upgrade, "read": subject.read, "plan": subject.plan,
			} {
				b.Run(step, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						run(b)
					}
				})
			}
		})
	}
}

func newPlanned(b *testing.B) *planned {
	b.Helper()
	vendor := providertest.Vendors[0]
	e := emulator.Start(b, emulator.Options{ActionTime: -1})
	b.Setenv(providertest.SceneVariable, vendor.Of(e).Token)
	kind, _ := cloud.KindByName(vendor.Kind)
	account, err := kind.Manifest.Canonical(vendor.Values(e, "env://"+providertest.SceneVariable))
	if err != nil {
		b.Fatal(err)
	}
	p := &planned{server: provider.NewServer("test")()}
	schemas, err := p.server.GetProviderSchema(b.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		b.Fatal(err)
	}
	block := encoded(b, schemas.Provider.ValueType(), map[string]any{})
	if _, err := p.server.ConfigureProvider(b.Context(), &tfprotov6.ConfigureProviderRequest{Config: block}); err != nil {
		b.Fatal(err)
	}
	of := schemas.ResourceSchemas[instanceType].ValueType()
	written := map[string]any{
		"provider_account": map[string]any{"id": compute.AccountID("root", vendor.Kind, "main", ""), "tenant_id": "root", "kind": vendor.Kind, "config": account},
		"name":             "web", "offer_id": vendor.Offer, "image": vendor.Image, "labels": map[string]any{"bench": "none"},
	}
	p.config = encoded(b, of, written)
	p.create(b, of, schemas.ResourceSchemas[instanceType])
	return p
}

func encoded(b *testing.B, of tftypes.Type, value map[string]any) *tfprotov6.DynamicValue {
	b.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		b.Fatal(err)
	}
	read, err := (&tfprotov6.DynamicValue{JSON: text}).Unmarshal(of)
	if err != nil {
		b.Fatal(err)
	}
	return packed(b, read)
}

func packed(b *testing.B, value tftypes.Value) *tfprotov6.DynamicValue {
	b.Helper()
	message, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		b.Fatal(err)
	}
	return &message
}

func (p *planned) create(b *testing.B, of tftypes.Type, schema *tfprotov6.Schema) {
	b.Helper()
	written, err := p.config.Unmarshal(of)
	if err != nil {
		b.Fatal(err)
	}
	fields := map[string]tftypes.Value{}
	if err := written.As(&fields); err != nil {
		b.Fatal(err)
	}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Computed && fields[attribute.Name].IsNull() {
			fields[attribute.Name] = tftypes.NewValue(attribute.ValueType(), tftypes.UnknownValue)
		}
	}
	nothing := packed(b, tftypes.NewValue(of, nil))
	change, err := p.server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: instanceType, Config: p.config, PriorState: nothing, ProposedNewState: packed(b, tftypes.NewValue(of, fields)),
	})
	if err != nil || len(change.Diagnostics) > 0 {
		b.Fatal(err, change.Diagnostics)
	}
	made, err := p.server.ApplyResourceChange(b.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: instanceType, Config: p.config, PriorState: nothing, PlannedState: change.PlannedState, PlannedPrivate: change.PlannedPrivate,
	})
	if err != nil || len(made.Diagnostics) > 0 {
		b.Fatal(err, made.Diagnostics)
	}
	p.state, p.private = made.NewState, made.Private
}

func (p *planned) validate(b *testing.B) {
	b.Helper()
	answer, err := p.server.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: instanceType, Config: p.config})
	if err != nil || len(answer.Diagnostics) > 0 {
		b.Fatal(err, answer.Diagnostics)
	}
}

func (p *planned) upgrade(b *testing.B) {
	b.Helper()
	answer, err := p.server.UpgradeResourceState(b.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: instanceType, RawState: &tfprotov6.RawState{JSON: []byte(`{"name": "web"}`)},
	})
	if err != nil || len(answer.Diagnostics) > 0 {
		b.Fatal(err, answer.Diagnostics)
	}
}

func (p *planned) read(b *testing.B) {
	b.Helper()
	answer, err := p.server.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: instanceType, CurrentState: p.state, Private: p.private})
	if err != nil || len(answer.Diagnostics) > 0 {
		b.Fatal(err, answer.Diagnostics)
	}
}

func (p *planned) plan(b *testing.B) {
	b.Helper()
	answer, err := p.server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: instanceType, Config: p.config, PriorState: p.state, PriorPrivate: p.private, ProposedNewState: p.state,
	})
	if err != nil || len(answer.Diagnostics) > 0 {
		b.Fatal(err, answer.Diagnostics)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// State is what a CLI keeps of one resource: its values and the provider's private part.
type State struct {
	Value   tftypes.Value
	Private []byte
}

// There says whether the state holds the resource.
func (s State) There() bool { return !s.Value.IsNull() }

// Nothing is the state of a resource that is not there.
func (s *Server) Nothing(resource string) State {
	return State{Value: tftypes.NewValue(s.schemas.ResourceSchemas[resource].ValueType(), nil)}
}

// Change is a plan with everything that its apply takes.
type Change struct {
	Prior, Planned State
	Replaces       bool
	// ReplacedBy are the paths of the arguments that the replacement is for, in dots.
	ReplacedBy  []string
	Diagnostics Diagnostics
	config      tftypes.Value
}

// PlanChange plans a resource over its prior state, as Plan does, with the private state. Nil config plans its destruction.
func (s *Server) PlanChange(ctx context.Context, resource string, prior State, config Attributes) Change {
	s.t.Helper()
	schema := s.schemas.ResourceSchemas[resource]
	written := tftypes.NewValue(schema.ValueType(), nil)
	if config != nil {
		written = s.resource(resource, config)
	}
	response, err := s.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: resource, Config: encode(s.t, written), PriorState: encode(s.t, prior.Value), PriorPrivate: prior.Private,
		ProposedNewState: encode(s.t, propose(s.t, schema, prior.Value, written)),
	})
	must(s.t, err)
	change := Change{
		Prior: prior, Planned: State{decode(s.t, schema.ValueType(), response.PlannedState), response.PlannedPrivate},
		Replaces: len(response.RequiresReplace) > 0, Diagnostics: response.Diagnostics, config: written,
	}
	for _, path := range response.RequiresReplace {
		change.ReplacedBy = append(change.ReplacedBy, dotted(path))
	}
	return change
}

// Destruction is the plan that removes what a state holds.
func (s *Server) Destruction(resource string, prior State) Change {
	nothing := s.Nothing(resource)
	return Change{Prior: prior, Planned: State{nothing.Value, prior.Private}, config: nothing.Value}
}

// ApplyChange carries a plan out.
func (s *Server) ApplyChange(ctx context.Context, resource string, change Change) (State, Diagnostics) {
	s.t.Helper()
	response, err := s.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resource, Config: encode(s.t, change.config), PriorState: encode(s.t, change.Prior.Value),
		PlannedState: encode(s.t, change.Planned.Value), PlannedPrivate: change.Planned.Private,
	})
	must(s.t, err)
	return State{decode(s.t, change.Prior.Value.Type(), response.NewState), response.Private}, response.Diagnostics
}

// Refresh reads a resource's state with its private part.
func (s *Server) Refresh(ctx context.Context, resource string, state State) (State, Diagnostics) {
	s.t.Helper()
	response, err := s.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: resource, CurrentState: encode(s.t, state.Value), Private: state.Private,
	})
	must(s.t, err)
	return State{decode(s.t, state.Value.Type(), response.NewState), response.Private}, response.Diagnostics
}

// Upgrade brings the values of a resource, as a state file has them, from an earlier version of its schema to this one.
func (s *Server) Upgrade(ctx context.Context, resource string, version int64, values, private []byte) (State, Diagnostics) {
	s.t.Helper()
	response, err := s.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: resource, Version: version, RawState: &tfprotov6.RawState{JSON: values},
	})
	must(s.t, err)
	return State{decode(s.t, s.schemas.ResourceSchemas[resource].ValueType(), response.UpgradedState), private}, response.Diagnostics
}

// Versions are the versions of the schemas of all resources.
func (s *Server) Versions() map[string]int64 {
	versions := map[string]int64{}
	for name, schema := range s.schemas.ResourceSchemas {
		versions[name] = schema.Version
	}
	return versions
}

// ImportObject imports by the id that the function import_id makes of account and object, and reads what came of it, as a
// CLI does.
func (s *Server) ImportObject(ctx context.Context, resource string, account Attributes, object string) (State, Diagnostics) {
	s.t.Helper()
	id, err := json.Marshal(map[string]any{"provider_account": account, "id": object})
	must(s.t, err)
	response, err := s.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: resource, ID: string(id)})
	must(s.t, err)
	if len(response.ImportedResources) == 0 {
		return s.Nothing(resource), response.Diagnostics
	}
	imported := response.ImportedResources[0]
	state, faults := s.Refresh(ctx, resource, State{decode(s.t, s.schemas.ResourceSchemas[resource].ValueType(), imported.State), imported.Private})
	return state, append(response.Diagnostics, faults...)
}

// Changed answers the attributes that a change gives another value, with the value before and after as they are printed.
func (c Change) Changed(t *testing.T) map[string][2]string {
	t.Helper()
	changed := map[string][2]string{}
	if c.Prior.Value.IsNull() || c.Planned.Value.IsNull() {
		return changed
	}
	before, after := Fields(t, c.Prior.Value), Fields(t, c.Planned.Value)
	for name, value := range after {
		if !value.Equal(before[name]) {
			changed[name] = [2]string{before[name].String(), value.String()}
		}
	}
	return changed
}

// Stop is what a CLI sends on Ctrl-C.
func (s *Server) Stop() {
	s.t.Helper()
	_, err := s.server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{})
	must(s.t, err)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"maps"
	"net/http"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
)

// SceneVariable is where the accounts of a scene look for their token.
const SceneVariable = "BETTERCOMPUTE_SCENE_TOKEN"

// Scene is an emulated vendor with an account on it, for tests of resources of any type by the protocol.
type Scene struct {
	T        *testing.T
	Vendor   Vendor
	Emulator *emulator.Emulator
	// Account is the account's object, as its data source gives it.
	Account Attributes
	// Block are further arguments of the provider's block.
	Block Attributes
	// carriers take the place of sockets, by kind of account.
	carriers map[string]http.RoundTripper
}

// NewScene starts an emulator whose actions take no time.
func NewScene(t *testing.T, vendor Vendor) *Scene {
	t.Helper()
	return sceneOn(t, vendor, emulator.Start(t, emulator.Options{ActionTime: -1}))
}

// NewSceneInMemory is NewScene without sockets, for tests inside a testing/synctest bubble: no wait takes time there.
func NewSceneInMemory(t *testing.T, vendor Vendor) *Scene {
	t.Helper()
	s := sceneOn(t, vendor, emulator.InMemory(t, emulator.Options{ActionTime: -1}))
	s.carriers = map[string]http.RoundTripper{}
	for _, one := range Vendors {
		s.carriers[one.Kind] = one.Of(s.Emulator).Transport()
	}
	return s
}

func sceneOn(t *testing.T, vendor Vendor, e *emulator.Emulator) *Scene {
	t.Helper()
	t.Setenv(SceneVariable, vendor.Of(e).Token)
	s := &Scene{T: t, Vendor: vendor, Emulator: e}
	s.Account = s.AccountWith(nil)
	return s
}

// AccountWith is the account with further arguments in its config, or others in the place of what it has.
func (s *Scene) AccountWith(arguments map[string]any) Attributes {
	s.T.Helper()
	kind, known := cloud.KindByName(s.Vendor.Kind)
	values := s.Vendor.Values(s.Emulator, "env://"+SceneVariable)
	maps.Copy(values, arguments)
	config, err := kind.Manifest.Canonical(values)
	if err != nil || !known {
		s.T.Fatalf("%s: known %t, %v", s.Vendor.Kind, known, err)
	}
	return Attributes{"id": compute.AccountID("root", s.Vendor.Kind, "main", ""), "tenant_id": "root", "kind": s.Vendor.Kind, "config": config}
}

// Config is what the account's own argument says, for a bettercompute_provider_account.
func (s *Scene) Config() Attributes { return s.ConfigOf(s.Vendor) }

// ConfigOf is Config for an account at another vendor.
func (s *Scene) ConfigOf(vendor Vendor) Attributes {
	config := Attributes{}
	for name, value := range vendor.Values(s.Emulator, "env://"+SceneVariable) {
		if list, ok := value.([]string); ok {
			elements := make([]any, len(list))
			for i, element := range list {
				elements[i] = element
			}
			value = elements
		}
		config[name] = value
	}
	return config
}

// Begin starts a command: a process of its own, as a CLI starts one for a plan and another for an apply.
func (s *Scene) Begin() *Server {
	s.T.Helper()
	block := Attributes{"max_retries": 0}
	maps.Copy(block, s.Block)
	if s.carriers == nil {
		return Serve(s.T, block)
	}
	return Speak(s.T, provider.NewServerWith("test", func(options *cloud.Options) { options.Transports = s.carriers }), block)
}

// Machine is the configuration of a machine named web, with changes.
func (s *Scene) Machine(changes Attributes) Attributes {
	written := Attributes{"provider_account": s.Account, "name": "web", "offer_id": s.Vendor.Offer, "image": s.Vendor.Image}
	maps.Copy(written, changes)
	return written
}

// Apply refreshes, plans and applies a configuration over a state, the plan and the apply each in a process of its own.
// What is wrong fails the test.
func (s *Scene) Apply(resource string, prior State, config Attributes) State {
	s.T.Helper()
	change := s.Plan(resource, prior, config)
	if errors := change.Diagnostics.Errors(); len(errors) > 0 {
		s.T.Fatalf("plan: %s", errors)
	}
	state, faults := s.Begin().ApplyChange(s.T.Context(), resource, change)
	if errors := faults.Errors(); len(errors) > 0 {
		s.T.Fatalf("apply: %s", errors)
	}
	return state
}

// Plan refreshes a state and plans a configuration over it. What is wrong with the refresh fails the test.
func (s *Scene) Plan(resource string, prior State, config Attributes) Change {
	s.T.Helper()
	command := s.Begin()
	if prior.There() {
		read, faults := command.Refresh(s.T.Context(), resource, prior)
		if errors := faults.Errors(); len(errors) > 0 {
			s.T.Fatalf("refresh: %s", errors)
		}
		prior = read
	}
	return command.PlanChange(s.T.Context(), resource, prior, config)
}

// MustBeQuiet fails the test unless a plan over the state changes nothing.
func (s *Scene) MustBeQuiet(resource string, state State, config Attributes) {
	s.T.Helper()
	change := s.Plan(resource, state, config)
	if len(change.Diagnostics) > 0 || change.Replaces {
		s.T.Errorf("the plan is not quiet: replaces %t, %s", change.Replaces, change.Diagnostics)
	}
	for name, value := range change.Changed(s.T) {
		s.T.Errorf("the plan changes %s from %s to %s", name, value[0], value[1])
	}
}

// Writes are the requests since the journal was emptied that were to change something.
func (s *Scene) Writes() []string {
	var writes []string
	for _, entry := range s.Emulator.Journal() {
		if entry.Method != "GET" {
			writes = append(writes, entry.Method+" "+entry.Path)
		}
	}
	return writes
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

type attributes = providertest.Attributes

// shown are the computed attributes of an account as text; "?" is unknown.
func shown(t *testing.T, state tftypes.Value) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range []string{"id", "tenant_id", "kind", "config"} {
		if !providertest.Fields(t, state)[name].IsKnown() {
			texts[name] = "?"
			continue
		}
		texts[name] = providertest.Text(t, state, name)
	}
	return texts
}

func version(t *testing.T, state tftypes.Value) string {
	t.Helper()
	field := providertest.Fields(t, state)["version"]
	if !field.IsKnown() {
		return "?"
	}
	return field.String()
}

func TestFirstPlanKnowsTheAccount(t *testing.T) {
	e := start(t)
	config := `{"config":{"endpoint":"` + e.Hetzner.Endpoint + `","token":"env://` + variable + `"},"format":1}`
	tests := map[string]struct {
		block, written attributes
		want           map[string]string
	}{
		"tenant of the provider": {
			block:   attributes{"tenant_id": "shop"},
			written: attributes{"name": "main", "hetzner_cloud": hetzner(e)},
			want: map[string]string{
				"id": compute.AccountID("shop", "hetzner-cloud", "main", ""), "tenant_id": "shop", "kind": "hetzner-cloud", "config": config,
			},
		},
		"tenant of its own": {
			written: attributes{"name": "main", "tenant_id": "team", "hetzner_cloud": hetzner(e)},
			want: map[string]string{
				"id": compute.AccountID("team", "hetzner-cloud", "main", ""), "tenant_id": "team", "kind": "hetzner-cloud", "config": config,
			},
		},
		"unknown name": {
			written: attributes{"name": providertest.Unknown, "hetzner_cloud": hetzner(e)},
			want:    map[string]string{"id": "?", "tenant_id": "root", "kind": "hetzner-cloud", "config": config},
		},
		"unknown name under an idempotency key": {
			written: attributes{"name": providertest.Unknown, "idempotency_key": "k", "hetzner_cloud": hetzner(e)},
			want: map[string]string{
				"id": compute.AccountID("root", "hetzner-cloud", "", "k"), "tenant_id": "root", "kind": "hetzner-cloud", "config": config,
			},
		},
		"unknown part of the config": {
			written: attributes{"name": "main", "hetzner_cloud": attributes{"token": "env://" + variable, "location": providertest.Unknown}},
			want: map[string]string{
				"id": compute.AccountID("root", "hetzner-cloud", "main", ""), "tenant_id": "root", "kind": "hetzner-cloud", "config": "?",
			},
		},
		"unknown config": {
			written: attributes{"name": "main", "hetzner_cloud": providertest.Unknown},
			want:    map[string]string{"id": "?", "tenant_id": "root", "kind": "?", "config": "?"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := providertest.Serve(t, test.block)
			planned := server.Plan(typeName, tftypes.Value{}, test.written)
			if len(planned.Diagnostics) > 0 {
				t.Fatal(planned.Diagnostics)
			}
			for attribute, want := range test.want {
				if got := shown(t, planned.State)[attribute]; got != want {
					t.Errorf("%s is %s, want %s", attribute, got, want)
				}
			}
		})
	}
}

// create applies an account and answers its state.
func create(t *testing.T, server *providertest.Server, written attributes) tftypes.Value {
	t.Helper()
	planned := server.Plan(typeName, tftypes.Value{}, written)
	state, diagnostics := server.Apply(typeName, tftypes.Value{}, planned)
	if len(planned.Diagnostics)+len(diagnostics) > 0 {
		t.Fatalf("%s\n%s", planned.Diagnostics, diagnostics)
	}
	return state
}

func TestChangesInPlaceAndReplacements(t *testing.T) {
	e := start(t)
	other := hetzner(e)
	other["location"] = "nbg1"
	tests := map[string]struct {
		written  attributes
		replaces []string
		version  string
		sameID   bool
		warns    string
	}{
		"nothing": {written: attributes{"name": "main", "hetzner_cloud": hetzner(e)}, version: version1, sameID: true},
		"name":    {written: attributes{"name": "renamed", "hetzner_cloud": hetzner(e)}, version: version1, sameID: true},
		"verify":  {written: attributes{"name": "main", "verify": false, "hetzner_cloud": hetzner(e)}, version: version1, sameID: true},
		"config":  {written: attributes{"name": "main", "hetzner_cloud": other}, version: version2, sameID: true},
		"no key":  {written: attributes{"name": "main", "idempotency_key": "", "hetzner_cloud": hetzner(e)}, version: version1, sameID: true},
		"same tenant, written out": {
			written: attributes{"name": "main", "tenant_id": "root", "hetzner_cloud": hetzner(e)}, version: version1, sameID: true,
		},
		"tenant": {
			written: attributes{"name": "main", "tenant_id": "team", "hetzner_cloud": hetzner(e)}, replaces: []string{"tenant_id"}, version: version1,
		},
		"key": {
			written:  attributes{"name": "main", "idempotency_key": "k", "hetzner_cloud": hetzner(e)},
			replaces: []string{"idempotency_key"}, version: version1,
		},
		"unknown tenant": {
			written: attributes{"name": "main", "tenant_id": providertest.Unknown, "hetzner_cloud": hetzner(e)},
			version: version1, sameID: true, warns: "tenant_id",
		},
		"unknown key": {
			written: attributes{"name": "main", "idempotency_key": providertest.Unknown, "hetzner_cloud": hetzner(e)},
			version: version1, sameID: true, warns: "idempotency_key",
		},
		"unknown kind": {
			written: attributes{"name": "main", "hetzner_cloud": providertest.Unknown}, version: "?", sameID: true, warns: "kind",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := providertest.Serve(t, nil)
			before := create(t, server, attributes{"name": "main", "hetzner_cloud": hetzner(e)})
			// The next command is a process of its own.
			server = providertest.Serve(t, attributes{"tenant_id": "another-default"})
			planned := server.Plan(typeName, before, test.written)
			if errors := planned.Diagnostics.Errors(); len(errors) > 0 {
				t.Fatal(errors)
			}
			if !slices.Equal(planned.Replaces, test.replaces) {
				t.Errorf("replaces for %v, want %v", planned.Replaces, test.replaces)
			}
			if got := version(t, planned.State); got != test.version {
				t.Errorf("version is %s, want %s", got, test.version)
			}
			if same := shown(t, planned.State)["id"] == shown(t, before)["id"]; same != test.sameID {
				t.Errorf("same id: %t, want %t", same, test.sameID)
			}
			if warned := len(planned.Diagnostics.Warnings().At(test.warns)) > 0; warned != (test.warns != "") {
				t.Errorf("warnings:\n%s\nwant one at %q", planned.Diagnostics.Warnings(), test.warns)
			}
		})
	}
}

var (
	version1 = tftypes.NewValue(tftypes.Number, 1).String()
	version2 = tftypes.NewValue(tftypes.Number, 2).String()
)

func TestFaultsAreReportedTogetherAtTheirPaths(t *testing.T) {
	tests := map[string]struct {
		written attributes
		at      []string
		says    string
	}{
		"a plain token where a reference belongs": {
			written: attributes{"name": "main", "hetzner_cloud": attributes{"token": planted}}, at: []string{"hetzner_cloud.token"}, says: "env://",
		},
		"everything at once": {
			written: attributes{"name": "My Account", "tenant_id": "a b", "idempotency_key": "/", "hetzner_cloud": attributes{"token": planted, "endpoint": "http://example.com"}},
			at:      []string{"name", "tenant_id", "idempotency_key", "hetzner_cloud.token", "hetzner_cloud.endpoint"},
			says:    "lower-case",
		},
		"no kind": {written: attributes{"name": "main"}, at: []string{""}, says: "hetzner_cloud"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := providertest.Serve(t, nil)
			resource := server.Validate(typeName, test.written)
			_, dataSource := server.DataSource(typeName, test.written)
			for flavour, faults := range map[string]providertest.Diagnostics{"resource": resource, "data source": dataSource} {
				if len(faults) != len(test.at) || !strings.Contains(faults.String(), test.says) {
					t.Errorf("%s: want faults at %q that say %q, got:\n%s", flavour, test.at, test.says, faults)
				}
				for _, path := range test.at {
					if len(faults.At(path).Errors()) != 1 {
						t.Errorf("%s: no fault at %q:\n%s", flavour, path, faults)
					}
				}
				if strings.Contains(faults.String(), planted) {
					t.Errorf("%s: the message repeats the secret:\n%s", flavour, faults)
				}
			}
		})
	}
}

func TestAccountWaitsForTheProvider(t *testing.T) {
	e := start(t)
	server := providertest.Serve(t, attributes{"tenant_id": providertest.Unknown})
	written := attributes{"name": "main", "hetzner_cloud": hetzner(e)}
	planned := server.Plan(typeName, tftypes.Value{}, written)
	if len(planned.Diagnostics) > 0 || shown(t, planned.State)["tenant_id"] != "?" || shown(t, planned.State)["id"] != "?" {
		t.Errorf("want an unknown tenant and id, got %v:\n%s", shown(t, planned.State), planned.Diagnostics)
	}
	if _, faults := server.DataSource(typeName, written); len(faults.Errors()) != 1 || !strings.Contains(faults.String(), "-target") {
		t.Errorf("the data source does not say what it waits for:\n%s", faults)
	}
	if len(e.Journal()) > 0 {
		t.Errorf("%d requests were sent", len(e.Journal()))
	}
}

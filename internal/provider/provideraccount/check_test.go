// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"cmp"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestTokenIsTriedInThePlan(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		tests := map[string]struct {
			value    string
			unset    bool
			says     []string
			requests int
		}{
			"wrong token":          {value: planted, says: []string{"(ACCESS_DENIED)", "401"}, requests: 1},
			"token with a newline": {value: planted[:20] + "\n" + planted[20:], says: []string{"(INVALID_INPUT)", "position 21", "env://" + variable}},
			"token with an umlaut": {value: planted[:20] + "ü" + planted[20:], says: []string{"(INVALID_INPUT)", "position 21"}},
			"variable is empty":    {value: " ", says: []string{"(INVALID_INPUT)", variable}},
			"variable is not set":  {unset: true, says: []string{"(INVALID_INPUT)", variable, "not set"}},
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				e := start(t)
				t.Setenv(variable, test.value)
				if test.unset {
					unset(t, variable)
				}
				written := attributes{"name": "main", vendor.Attribute: argument(vendor, e)}
				server := providertest.Serve(t, quick)
				resource := server.Plan(typeName, tftypes.Value{}, written).Diagnostics
				if sent := len(e.Journal()); sent != test.requests {
					t.Errorf("%d requests were sent, want %d", sent, test.requests)
				}
				_, dataSource := server.DataSource(typeName, written)
				for flavour, faults := range map[string]providertest.Diagnostics{"resource": resource, "data source": dataSource} {
					t.Log(faults)
					if len(faults.At(vendor.Attribute+".token").Errors()) != 1 {
						t.Errorf("%s: want one error at the token, got:\n%s", flavour, faults)
					}
					for _, want := range test.says {
						if !strings.Contains(faults.String(), want) {
							t.Errorf("%s: the error lacks %q:\n%s", flavour, want, faults)
						}
					}
					if strings.Contains(faults.String(), planted[:20]) {
						t.Errorf("%s: the message holds the secret:\n%s", flavour, faults)
					}
				}
			})
		}
	})
}

// argument is an account's argument for its vendor.
func argument(vendor providertest.Vendor, e *emulator.Emulator) attributes {
	written := attributes{"token": "env://" + variable, cmp.Or(vendor.Address, "endpoint"): vendor.Of(e).Endpoint, vendor.Place: vendor.Region}
	if fingerprint := vendor.Of(e).TLSFingerprint; fingerprint != "" {
		written["tls_fingerprint"] = fingerprint
	}
	return written
}

// unset takes a variable away until the test ends: t.Setenv has noted what to put back.
func unset(t *testing.T, name string) {
	t.Helper()
	if err := os.Unsetenv(name); err != nil { //nolint:forbidigo // t.Setenv before it puts the variable back
		t.Fatal(err)
	}
}

func TestNothingIsTriedWhereItIsNotAskedFor(t *testing.T) {
	e := start(t)
	t.Setenv(variable, planted)
	account := attributes{"name": "main", "hetzner_cloud": hetzner(e)}
	tests := map[string]attributes{
		"verify is false":      {"name": "main", "verify": false, "hetzner_cloud": hetzner(e)},
		"verify is unknown":    {"name": "main", "verify": providertest.Unknown, "hetzner_cloud": hetzner(e)},
		"name is unknown":      {"name": providertest.Unknown, "hetzner_cloud": hetzner(e)},
		"config is unknown":    {"name": "main", "hetzner_cloud": attributes{"token": "env://" + variable, "endpoint": providertest.Unknown}},
		"account is destroyed": nil,
	}
	for name, written := range tests {
		t.Run(name, func(t *testing.T) {
			server := providertest.Serve(t, quick)
			prior := tftypes.Value{}
			if written == nil {
				account["verify"] = false
				prior = create(t, server, account)
			}
			planned := server.Plan(typeName, prior, written)
			if len(planned.Diagnostics) > 0 || len(e.Journal()) > 0 {
				t.Errorf("%d requests; %s", len(e.Journal()), planned.Diagnostics)
			}
		})
	}
}

// nowhere is an endpoint on which nobody listens.
func nowhere(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return "http://" + listener.Addr().String() + "/v1"
}

func TestVendorOutOfReach(t *testing.T) {
	t.Setenv(variable, planted)
	written := attributes{"name": "main", "hetzner_cloud": attributes{"token": "env://" + variable, "endpoint": nowhere(t)}}
	server := providertest.Serve(t, quick)
	planned := server.Plan(typeName, tftypes.Value{}, written)
	if len(planned.Diagnostics.Errors()) > 0 || len(planned.Diagnostics.Warnings()) != 1 {
		t.Errorf("plan: want one warning, got:\n%s", planned.Diagnostics)
	}
	state, faults := server.Apply(typeName, tftypes.Value{}, planned)
	if len(faults.At("hetzner_cloud.token").Errors()) != 1 || !state.IsNull() {
		t.Errorf("apply: want an error at the token and no state, got %s:\n%s", state, faults)
	}
	account, faults := server.DataSource(typeName, written)
	if len(faults.Errors()) > 0 || len(faults.Warnings()) != 1 || account.IsNull() {
		t.Errorf("data source: want the account and one warning, got %s:\n%s", account, faults)
	}
	if all := planned.Diagnostics.String() + faults.String(); strings.Contains(all, planted) {
		t.Errorf("a message holds the secret:\n%s", all)
	}
}

func TestOneIDWithTwoConfigsIsAConflict(t *testing.T) {
	e := start(t)
	one := attributes{"name": "main", "verify": false, "hetzner_cloud": hetzner(e)}
	other := attributes{"name": "main", "verify": false, "hetzner_cloud": attributes{"token": "env://" + variable, "location": "nbg1"}}
	tests := map[string]struct {
		second   attributes
		conflict bool
	}{
		"two configs":  {second: other, conflict: true},
		"one config":   {second: one},
		"another name": {second: attributes{"name": "second", "verify": false, "hetzner_cloud": other["hetzner_cloud"]}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for flavour, plan := range map[string]func(*providertest.Server, attributes) providertest.Diagnostics{
				"resource": func(server *providertest.Server, written attributes) providertest.Diagnostics {
					return server.Plan(typeName, tftypes.Value{}, written).Diagnostics
				},
				"data source": func(server *providertest.Server, written attributes) providertest.Diagnostics {
					_, faults := server.DataSource(typeName, written)
					return faults
				},
			} {
				server := providertest.Serve(t, quick)
				if first := plan(server, one); len(first) > 0 {
					t.Fatal(first)
				}
				faults := plan(server, test.second)
				found := len(faults.At("name").Errors()) == 1 && strings.Contains(faults.String(), "(CONFLICT)")
				if found != test.conflict || len(faults) > 0 && !test.conflict {
					t.Errorf("%s: conflict %t, want %t:\n%s", flavour, found, test.conflict, faults)
				}
			}
		})
	}
}

func TestDeleteNamesWhatIsLeft(t *testing.T) {
	tests := map[string]struct {
		plant  bool
		token  string
		says   []string
		silent bool
	}{
		"nothing is left":         {silent: true},
		"a machine is left":       {plant: true, says: []string{"left-behind", "go on running"}},
		"it cannot be looked up":  {plant: true, token: planted, says: []string{"could not be looked up", "ACCESS_DENIED"}},
		"the variable is not set": {plant: true, token: " ", says: []string{"could not be looked up", variable}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e := start(t)
			server := providertest.Serve(t, quick)
			state := create(t, server, attributes{"name": "main", "hetzner_cloud": hetzner(e)})
			if test.plant {
				plant(t, e, providertest.Text(t, state, "id"))
			}
			if test.token != "" {
				t.Setenv(variable, test.token)
			}
			e.ClearJournal()
			left, faults := server.Apply(typeName, state, server.Plan(typeName, state, nil))
			if len(faults.Errors()) > 0 || !left.IsNull() {
				t.Fatalf("the account was not removed: %s", faults)
			}
			t.Log(faults)
			if silent := len(faults) == 0; silent != test.silent {
				t.Errorf("warnings:\n%s", faults)
			}
			for _, want := range test.says {
				if !strings.Contains(faults.String(), want) {
					t.Errorf("the warning lacks %q:\n%s", want, faults)
				}
			}
			for _, request := range e.Journal() {
				if request.Method != "GET" {
					t.Errorf("the vendor was sent %s %s", request.Method, request.Path)
				}
			}
		})
	}
}

// plant puts a machine with the account's mark at the vendor, and one of another account.
func plant(t *testing.T, e *emulator.Emulator, account string) {
	t.Helper()
	for name, owner := range map[string]string{"left-behind": account, "not-ours": "pacct_other"} {
		_, err := e.Plant("hetzner", "servers", emulator.Fields{"name": name, "labels": map[string]string{
			"better-compute.io/managed": "true", "better-compute.io/account": owner, "better-compute.io/idempotency-key": "inst_" + name,
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestImportSaysWhyThereIsNothingToImport(t *testing.T) {
	faults := providertest.Serve(t, quick).Import(typeName, "main")
	if len(faults.Errors()) != 1 || !strings.Contains(faults.String(), "(UNSUPPORTED)") {
		t.Errorf("got:\n%s", faults)
	}
}

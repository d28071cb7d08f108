// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	clouds "github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// keep is the version whose states are to be written anew.
var keep = flag.String("keep-states", "", "write the states that this version makes, under this name")

// keptEndpoint stands in a kept state for what the emulator listened on.
const keptEndpoint = "https://emulator.example"

// identityVariable is where the configurations look for the identity of the sealed file.
const identityVariable = "BETTERCOMPUTE_KEPT_IDENTITY"

// keptStates are the folders of what earlier versions have made: testdata/states/VERSION/VENDOR with main.tf, the state that an
// apply of it left behind, and the objects that were at the vendor then, as its API answered.
func keptStates(t *testing.T, vendor providertest.Vendor) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join("testdata", "states", "*", vendor.Name))
	if err != nil || len(folders) == 0 {
		t.Fatalf("there are no states of %s: %v", vendor.Name, err)
	}
	return folders
}

// keptFile is a state file, as far as the tests look at it.
type keptFile struct {
	Resources []struct {
		Mode, Type, Name string
		Instances        []struct {
			SchemaVersion int64           `json:"schema_version"`
			Attributes    json.RawMessage `json:"attributes"`
			Private       []byte          `json:"private"`
		}
	}
}

// keptState reads a state with another server in the account's endpoint.
func keptState(t *testing.T, folder, server string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.ReplaceAll(string(text), keptEndpoint, server))
}

// server is the account's endpoint without a path.
func (c *Cloud) server() string {
	return strings.TrimSuffix(c.Account().Endpoint, map[string]string{"hetzner": "/v1", "digitalocean": "/"}[c.Name])
}

// sealAgain makes the file that the secret of the configurations is in, with an identity of its own, and answers the identity.
func sealAgain(t *testing.T, path string) string {
	t.Helper()
	identity, _, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(identityVariable, identity)
	file := secret.SealedFile{Path: path, Identity: func(context.Context) (string, error) { return identity, nil }}
	if err := file.Put(t.Context(), secret.Entry{Tenant: "shop", Name: "token"}, "one"); err != nil {
		t.Fatal(err)
	}
	return identity
}

// TestStatesOfEarlierVersionsAreRead: what a state holds is brought to this version's schema, and a refresh finds the same
// objects and changes nothing of it.
func TestStatesOfEarlierVersionsAreRead(t *testing.T) {
	for _, vendor := range providertest.Vendors {
		for _, folder := range keptStates(t, vendor) {
			t.Run(filepath.Base(filepath.Dir(folder))+"/"+vendor.Name, func(t *testing.T) {
				cloud := &Cloud{emulator.InMemory(t, emulator.Options{ActionTime: -1}), vendor}
				plantKept(t, cloud, folder)
				sealed := filepath.Join(t.TempDir(), "secrets.sealed")
				sealAgain(t, sealed)
				t.Setenv(vendor.TokenVariable, cloud.Account().Token)
				readKept(t, cloud, keptState(t, folder, keptEndpoint), sealed)
			})
		}
	}
}

func readKept(t *testing.T, cloud *Cloud, text []byte, sealed string) {
	t.Helper()
	var kept keptFile
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	server := providertest.Speak(t, provider.NewServerWith("test", func(options *clouds.Options) {
		options.Transports = map[string]http.RoundTripper{cloud.Kind: cloud.Account().Transport()}
	}), providertest.Attributes{
		"tenant_id":    "shop",
		"secret_store": providertest.Attributes{"path": sealed, "identity": "env://" + identityVariable},
	})
	for _, resource := range kept.Resources {
		if resource.Mode != "managed" {
			continue
		}
		one := resource.Instances[0]
		state, faults := server.Upgrade(t.Context(), resource.Type, one.SchemaVersion, one.Attributes, one.Private)
		if len(faults) > 0 {
			t.Errorf("%s.%s is not brought to this version: %s", resource.Type, resource.Name, faults)
			continue
		}
		read, faults := server.Refresh(t.Context(), resource.Type, state)
		var known map[string]json.RawMessage
		if err := json.Unmarshal(one.Attributes, &known); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shown(t, state.Value, known), shown(t, read.Value, known)); diff != "" || len(faults) > 0 {
			t.Errorf("%s.%s is read as another one: %s\n%s", resource.Type, resource.Name, faults, diff)
		}
	}
}

// shown are the attributes of a state as text, those that the earlier version knew.
func shown(t *testing.T, state tftypes.Value, known map[string]json.RawMessage) map[string]string {
	t.Helper()
	texts := map[string]string{}
	if state.IsNull() {
		return texts
	}
	for name, value := range providertest.Fields(t, state) {
		if _, had := known[name]; had {
			texts[name] = value.String()
		}
	}
	return texts
}

// TestStatesOfEarlierVersionsPlanNothing: a CLI with this version of the provider over the state of an earlier one.
func TestStatesOfEarlierVersionsPlanNothing(t *testing.T) {
	for name, cli := range CLIs(t) {
		for _, vendor := range providertest.Vendors {
			for _, folder := range keptStates(t, vendor) {
				t.Run(name+"/"+vendor.Name+"/"+filepath.Base(filepath.Dir(folder)), func(t *testing.T) {
					planKept(t, &Cloud{emulator.Start(t, emulator.Options{ActionTime: -1}), vendor}, cli, folder)
				})
			}
		}
	}
}

func planKept(t *testing.T, cloud *Cloud, cli, folder string) {
	t.Helper()
	workspace := NewWorkspace(t, cloud, cli)
	plantKept(t, cloud, folder)
	workspace.Environment[identityVariable] = sealAgain(t, filepath.Join(workspace.Folder, "secrets.sealed"))
	workspace.Environment["TF_VAR_key"] = "not looked at"
	configuration, err := os.ReadFile(filepath.Join(folder, "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	workspace.Write(string(configuration))
	if err := os.WriteFile(filepath.Join(workspace.Folder, "terraform.tfstate"), keptState(t, folder, cloud.server()), 0o600); err != nil {
		t.Fatal(err)
	}
	workspace.Init()
	cloud.ClearJournal()
	workspace.MustBeEmpty()
	if sent := writes(cloud, 0); len(sent) > 0 {
		t.Errorf("the plan has sent %+v", sent)
	}
}

// TestEveryVersionOfASchemaHasItsState: a new version of a schema needs a way over from the ones before, and states that show
// that the way is one. See "States of earlier versions" in CONTRIBUTING.md.
func TestEveryVersionOfASchemaHasItsState(t *testing.T) {
	kept := map[string]map[int64]bool{}
	for _, vendor := range providertest.Vendors {
		for _, folder := range keptStates(t, vendor) {
			text, err := os.ReadFile(filepath.Join(folder, "terraform.tfstate"))
			if err != nil {
				t.Fatal(err)
			}
			var file keptFile
			if err := json.Unmarshal(text, &file); err != nil {
				t.Fatal(err)
			}
			for _, resource := range file.Resources {
				if kept[resource.Type] == nil {
					kept[resource.Type] = map[int64]bool{}
				}
				kept[resource.Type][resource.Instances[0].SchemaVersion] = true
			}
		}
	}
	for resource, newest := range providertest.Serve(t, nil).Versions() {
		for version := range newest + 1 {
			if !kept[resource][version] {
				t.Errorf("there is no state of %s with version %d of its schema", resource, version)
			}
		}
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package sealedsecret_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// apply plans and applies in commands of their own, as a CLI does, and wants neither errors nor warnings.
func apply(t *testing.T, file secret.SealedFile, prior tftypes.Value, written attributes) tftypes.Value {
	t.Helper()
	server := providertest.Serve(t, block(file))
	planned := server.Plan(typeName, prior, written)
	if len(planned.Diagnostics) > 0 {
		t.Fatal(planned.Diagnostics)
	}
	state, faults := server.Apply(typeName, prior, planned)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return state
}

func TestAValueIsPutChangedAndRemoved(t *testing.T) {
	file := newFile(t)
	written := attributes{"name": "token", "value_wo": planted}
	planned := providertest.Serve(t, block(file)).Plan(typeName, tftypes.Value{}, written)
	if providertest.Fields(t, planned.State)["ref"].IsKnown() {
		t.Error("the reference is known before the secret is there")
	}
	state := apply(t, file, tftypes.Value{}, written)
	if ref := providertest.Text(t, state, "ref"); ref != "secret://root/token" || !providertest.Fields(t, state)["value_wo"].IsNull() {
		t.Errorf("the reference is %q in %s", ref, state)
	}
	wantValue(t, file, planted)

	before, err := os.ReadFile(file.Path)
	if err != nil {
		t.Fatal(err)
	}
	same := providertest.Serve(t, block(file)).Plan(typeName, state, attributes{"name": "token", "value_wo": "another"})
	if !same.State.Equal(state) || len(same.Diagnostics) > 0 {
		t.Errorf("another value with the same version plans %s, %s", same.State, same.Diagnostics)
	}
	if after, err := os.ReadFile(file.Path); err != nil || string(after) != string(before) {
		t.Errorf("the file is changed: %v", err)
	}
	written["value_wo"], written["value_wo_version"] = planted+"-2", "2"
	changed := providertest.Serve(t, block(file)).Plan(typeName, state, written)
	if len(changed.Replaces) > 0 || providertest.Text(t, changed.State, "ref") != "secret://root/token" {
		t.Errorf("a new version replaces %v and plans %s", changed.Replaces, changed.State)
	}
	state = apply(t, file, state, written)
	wantValue(t, file, planted+"-2")

	apply(t, file, state, nil)
	wantGone(t, file, "token")
	apply(t, file, state, nil)
}

func TestWhatReplacesASecret(t *testing.T) {
	file := newFile(t)
	state := apply(t, file, tftypes.Value{}, attributes{"name": "token", "tenant_id": "team", "value_wo": planted})
	for name, test := range map[string]struct {
		written  attributes
		replaces []string
		warns    string
	}{
		"another name":   {written: attributes{"name": "other", "tenant_id": "team"}, replaces: []string{"name"}},
		"another tenant": {written: attributes{"name": "token", "tenant_id": "root"}, replaces: []string{"tenant_id"}},
		"no tenant":      {written: attributes{"name": "token"}},
		"unknown name":   {written: attributes{"name": providertest.Unknown, "tenant_id": "team"}, warns: "name"},
		"unknown tenant": {written: attributes{"name": "token", "tenant_id": providertest.Unknown}, warns: "tenant_id"},
	} {
		t.Run(name, func(t *testing.T) {
			test.written["value_wo"] = planted
			planned := providertest.Serve(t, block(file)).Plan(typeName, state, test.written)
			if !slices.Equal(planned.Replaces, test.replaces) || len(planned.Diagnostics.Errors()) > 0 {
				t.Errorf("replaces %v, want %v: %s", planned.Replaces, test.replaces, planned.Diagnostics)
			}
			if ref := providertest.Fields(t, planned.State)["ref"]; ref.IsKnown() == (len(test.replaces) > 0) {
				t.Errorf("the reference is planned as %s", ref)
			}
			if len(planned.Diagnostics.At(test.warns).Warnings()) != len(planned.Diagnostics) || (test.warns != "") != (len(planned.Diagnostics) > 0) {
				t.Errorf("want a warning at %q, got:\n%s", test.warns, planned.Diagnostics)
			}
		})
	}
}

func TestReadLooksWhetherTheEntryIsThere(t *testing.T) {
	file := newFile(t)
	state := apply(t, file, tftypes.Value{}, attributes{"name": "token", "value_wo": planted})
	// Another value is nothing that a refresh could see.
	if err := file.Put(t.Context(), secret.Entry{Tenant: "root", Name: "token"}, "another"); err != nil {
		t.Fatal(err)
	}
	server := providertest.Serve(t, block(file))
	if read, faults := server.Read(typeName, state); !read.Equal(state) || len(faults) > 0 {
		t.Errorf("%s: %s", read, faults)
	}
	if _, err := file.Remove(t.Context(), secret.Entry{Tenant: "root", Name: "token"}); err != nil {
		t.Fatal(err)
	}
	wantRemoved(t, server, state)
	if err := os.Remove(file.Path); err != nil {
		t.Fatal(err)
	}
	wantRemoved(t, server, state)
	damage(t, file)
	read, faults := server.Read(typeName, state)
	if !read.Equal(state) || len(faults.At("name").Errors()) != 1 || !strings.Contains(faults.String(), "line 1") {
		t.Errorf("a damaged file: %s: %s", read, faults)
	}
}

func wantRemoved(t *testing.T, server *providertest.Server, state tftypes.Value) {
	t.Helper()
	read, faults := server.Read(typeName, state)
	if !read.IsNull() || len(faults.Warnings()) != 1 || len(faults) != 1 {
		t.Errorf("want it dropped with a warning, got %s: %s", read, faults)
	}
}

func damage(t *testing.T, file secret.SealedFile) {
	t.Helper()
	if err := os.WriteFile(file.Path, []byte("<<<<<<< ours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestThePlanKnowsWhatWouldFail(t *testing.T) {
	other, _, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		identity string
		damaged  bool
		block    attributes
		written  attributes
		at, says string
	}{
		"no sealed file":     {block: attributes{}, says: "(INVALID_CONFIG)"},
		"no identity":        {identity: " ", at: "name", says: "(INVALID_CONFIG)"},
		"a broken identity":  {identity: other[:20], at: "name", says: "age identity cannot be read"},
		"a damaged file":     {damaged: true, at: "name", says: "line 1"},
		"an empty value":     {written: attributes{"name": "token", "value_wo": ""}, at: "value_wo", says: "must not be empty"},
		"a value with a NUL": {written: attributes{"name": "token", "value_wo": "planted\x00"}, at: "value_wo", says: "position 8"},
		"a broken name":      {written: attributes{"name": "a/b", "value_wo": "x"}, at: "name", says: "1 to 128 letters"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			file := newFile(t)
			if test.identity != "" {
				t.Setenv(variable, test.identity)
			}
			if test.damaged {
				damage(t, file)
			}
			if test.block == nil {
				test.block = block(file)
			}
			if test.written == nil {
				test.written = attributes{"name": "token", "value_wo": planted}
			}
			server := providertest.Serve(t, test.block)
			faults := server.Validate(typeName, test.written)
			if len(faults) == 0 {
				faults = server.Plan(typeName, tftypes.Value{}, test.written).Diagnostics
			}
			if len(faults) != 1 || len(faults.At(test.at).Errors()) != 1 || !strings.Contains(faults.String(), test.says) {
				t.Errorf("want one error at %q that says %q, got:\n%s", test.at, test.says, faults)
			}
			if strings.Contains(faults.String(), "planted") {
				t.Errorf("the message holds the value:\n%s", faults)
			}
		})
	}
}

func TestAnEntryThatIsThereAlready(t *testing.T) {
	file := newFile(t)
	if err := file.Put(t.Context(), secret.Entry{Tenant: "root", Name: "token"}, "of somebody"); err != nil {
		t.Fatal(err)
	}
	server := providertest.Serve(t, block(file))
	planned := server.Plan(typeName, tftypes.Value{}, attributes{"name": "token", "value_wo": planted})
	if warnings := planned.Diagnostics.At("name").Warnings(); len(warnings) != 1 || !strings.Contains(warnings[0].Detail, "replaces its value in "+file.Path) {
		t.Errorf("want a warning at the name, got:\n%s", planned.Diagnostics)
	}
	if _, faults := server.Apply(typeName, tftypes.Value{}, planned); len(faults) > 0 {
		t.Error(faults)
	}
	wantValue(t, file, planted)
}

func TestOneNameTwice(t *testing.T) {
	server := providertest.Serve(t, block(newFile(t)))
	written := attributes{"name": "token", "value_wo": planted}
	if first := server.Plan(typeName, tftypes.Value{}, written); len(first.Diagnostics) > 0 {
		t.Fatal(first.Diagnostics)
	}
	second := server.Plan(typeName, tftypes.Value{}, written)
	if len(second.Diagnostics.At("name").Errors()) != 1 || !strings.Contains(second.Diagnostics.String(), "(CONFLICT)") {
		t.Errorf("want one CONFLICT at the name, got:\n%s", second.Diagnostics)
	}
}

func TestImport(t *testing.T) {
	file := newFile(t)
	if err := file.Put(t.Context(), secret.Entry{Tenant: "team", Name: "token"}, planted); err != nil {
		t.Fatal(err)
	}
	server := providertest.Serve(t, block(file))
	for id, says := range map[string]string{
		"secret://team/token": "", "secret://team/other": "(NOT_FOUND)", "token": "(INVALID_INPUT)", "env://X": "(INVALID_INPUT)",
	} {
		faults := server.Import(typeName, id)
		if says == "" && len(faults) > 0 || says != "" && (len(faults) != 1 || !strings.Contains(faults[0].Summary, says)) {
			t.Errorf("%s: want %q, got:\n%s", id, says, faults)
		}
	}
}

// With create_before_destroy and -replace the new object is the old one's entry: it outlives the old object.
func TestAReplacementOfItselfKeepsTheEntry(t *testing.T) {
	file := newFile(t)
	written := attributes{"name": "token", "value_wo": planted}
	state := apply(t, file, tftypes.Value{}, written)
	server := providertest.Serve(t, block(file))
	replacement, removal := server.Plan(typeName, tftypes.Value{}, written), server.Plan(typeName, state, nil)
	for _, step := range []struct {
		prior   tftypes.Value
		planned providertest.Planned
	}{{tftypes.Value{}, replacement}, {state, removal}} {
		if _, faults := server.Apply(typeName, step.prior, step.planned); len(faults) > 0 {
			t.Fatal(faults)
		}
	}
	wantValue(t, file, planted)
}

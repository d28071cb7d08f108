// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// entries is a private state in memory with the framework's rules: values are JSON, and an empty one removes the key.
type entries map[string][]byte

func (e entries) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return e[key], nil }

func (e entries) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	if len(value) == 0 {
		delete(e, key)
		return nil
	}
	if !json.Valid(value) {
		return diag.Diagnostics{diag.NewErrorDiagnostic("no JSON", string(value))}
	}
	e[key] = value
	return nil
}

func TestPrivateStateIsReadAsItWasWritten(t *testing.T) {
	var diags diag.Diagnostics
	stored := entries{}
	full := private{Claim: "0-aaaaaaaaaaaaaaaa", Proof: `{"action":1}`, UUID: "1b4e28ba-2fa1-41d2-883f-0016d3cca427", Unfinished: true, Unmarked: "0-bbbbbbbbbbbbbbbb", Imported: true, Machine: "42"}
	full.write(t.Context(), stored, &diags)
	if diff := cmp.Diff(full, readPrivate(t.Context(), stored, &diags)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	private{}.write(t.Context(), stored, &diags)
	if len(stored) > 0 {
		t.Errorf("what is empty is still stored: %v", stored)
	}
	if diags.HasError() {
		t.Error(diags)
	}
	if readPrivate(t.Context(), entries{privateClaim: []byte("{")}, &diags); !diags.HasError() {
		t.Error("a damaged entry is no error")
	}
}

func TestAnUnmarkedMachineIsHeldByTheClaimToBeWritten(t *testing.T) {
	held := private{Unmarked: "0-bbbbbbbbbbbbbbbb"}.held(made())
	if !held.Unmarked || held.Claim != "0-bbbbbbbbbbbbbbbb" || held.MachineID != "42" || held.Key != "inst_x" {
		t.Errorf("held as %+v", held)
	}
}

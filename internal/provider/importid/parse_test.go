// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package importid_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
)

func TestImportIDs(t *testing.T) {
	const account = `"provider_account":{"id":"pacct_a","tenant_id":"root","kind":"hetzner-cloud","config":"{}"}`
	named := compute.Reference{ID: "pacct_a", TenantID: "root", Kind: "hetzner-cloud", Config: "{}"}
	for name, test := range map[string]struct {
		id    string
		fails string
	}{
		"as the function writes it": {id: `{` + account + `,"id":"web"}`},
		"a bare id of the vendor's": {id: "42", fails: "not the JSON"},
		"no JSON":                   {id: "web", fails: "not the JSON"},
		"a field that is not known": {id: `{` + account + `,"id":"web","x":1}`, fails: "not the JSON"},
		"something after it":        {id: `{` + account + `,"id":"web"} {}`, fails: "after the JSON"},
		"no object":                 {id: `{` + account + `}`, fails: "lacks the object"},
		"no account":                {id: `{"id":"web"}`, fails: "lacks the object, or a part of the account"},
	} {
		t.Run(name, func(t *testing.T) {
			got, object, err := importid.Parse(test.id)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("error is %v, want one with %q", err, test.fails)
				}
				return
			}
			if err != nil || object != "web" {
				t.Errorf("object %q, error %v", object, err)
			}
			if diff := cmp.Diff(named, got); diff != "" {
				t.Errorf("account (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheImportBlockIsConfigurationThatCanBePasted(t *testing.T) {
	account := compute.Reference{ID: "pacct_a", TenantID: "root", Kind: "hetzner-cloud", Config: `{"token":"env://A${B}%{C}<"}`}
	want := strings.Join([]string{
		`  import {`,
		`    to = bettercompute_instance.NAME`,
		`    id = provider::bettercompute::import_id({`,
		`      id        = "pacct_a"`,
		`      tenant_id = "root"`,
		`      kind      = "hetzner-cloud"`,
		`      config    = "{\"token\":\"env://A$${B}%%{C}<\"}"`,
		`    }, "inst_x")`,
		`  }`,
	}, "\n")
	if diff := cmp.Diff(want, importid.Block("bettercompute_instance", account, "inst_x")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package importid_test

import (
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func account(config any) providertest.Attributes {
	return providertest.Attributes{"id": "pacct_1", "tenant_id": "root", "kind": "hetzner-cloud", "config": config}
}

func TestImportID(t *testing.T) {
	server := providertest.Serve(t, nil)
	got, fault := server.Call("import_id", account(`{"config":{"token":"env://T"},"format":1}`), "web \"1\"")
	if fault != nil {
		t.Fatal(fault.Text)
	}
	want := `{"provider_account":{"id":"pacct_1","tenant_id":"root","kind":"hetzner-cloud",` +
		`"config":"{\"config\":{\"token\":\"env://T\"},\"format\":1}"},"id":"web \"1\""}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestImportIDRefusesWhatNamesNothing(t *testing.T) {
	tests := map[string]struct {
		account  any
		object   any
		argument int64
		says     string
	}{
		"empty object":    {account: account("{}"), object: "", argument: 1, says: "INVALID_INPUT"},
		"null in account": {account: account(nil), object: "web", argument: 0, says: "whole bettercompute_provider_account"},
		"null account":    {account: nil, object: "web", argument: 0},
		"null object":     {account: account("{}"), object: nil, argument: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, fault := providertest.Serve(t, nil).Call("import_id", test.account, test.object)
			if fault == nil || !strings.Contains(fault.Text, test.says) || fault.FunctionArgument == nil || *fault.FunctionArgument != test.argument {
				t.Errorf("got %+v, want an error at argument %d that says %q", fault, test.argument, test.says)
			}
		})
	}
}

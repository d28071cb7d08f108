// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret/vaulttest"
)

const (
	identityVariable = "BETTERCOMPUTE_TEST_IDENTITY"
	vaultVariable    = "BETTERCOMPUTE_TEST_VAULT_TOKEN"
)

// stores are a sealed file and a Vault, both with the emulator's token.
type stores struct {
	file  secret.SealedFile
	vault *vaulttest.Server
	block attributes
}

func newStores(t *testing.T, token string) stores {
	t.Helper()
	identity, recipient, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	s := stores{vault: vaulttest.Start(t), file: secret.SealedFile{Path: filepath.Join(t.TempDir(), "secrets.sealed"), Recipients: []string{recipient}}}
	if err := s.file.Put(t.Context(), secret.Entry{Tenant: "root", Name: "token"}, token); err != nil {
		t.Fatal(err)
	}
	s.vault.Put("secret/cloud", map[string]any{"token": token})
	t.Setenv(identityVariable, identity)
	t.Setenv(vaultVariable, vaulttest.Token)
	s.block = attributes{
		"max_retries":  0,
		"secret_store": attributes{"path": s.file.Path, "identity": "env://" + identityVariable},
		"vault":        attributes{"address": s.vault.Address, "token": "env://" + vaultVariable},
	}
	return s
}

// What the tokens of the stores are behind.
const (
	sealed = "secret://root/token"
	vault  = "vault://secret/cloud#token"
)

// storeCase is a token, what happens to its store, and what the error then says; no words: there is none.
type storeCase struct {
	token   string
	prepare func(*testing.T, stores)
	says    []string
}

var storeCases = map[string]storeCase{
	"of the sealed file": {token: sealed},
	"of Vault":           {token: vault},
	"no sealed file":     {token: sealed, prepare: func(_ *testing.T, s stores) { delete(s.block, "secret_store") }, says: []string{"(INVALID_CONFIG)", "secret_store"}},
	"no Vault":           {token: vault, prepare: func(_ *testing.T, s stores) { delete(s.block, "vault") }, says: []string{"(INVALID_CONFIG)", "VAULT_ADDR"}},
	"no identity": {
		token: sealed, prepare: func(t *testing.T, _ stores) { unset(t, identityVariable) }, says: []string{"(INVALID_CONFIG)", identityVariable, "not set"},
	},
	"another identity": {
		token: sealed, prepare: func(t *testing.T, _ stores) {
			other, _, err := secret.NewIdentity()
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv(identityVariable, other)
		}, says: []string{"(INVALID_CONFIG)", "is not sealed for the age identity"},
	},
	"a broken identity": {
		token: sealed, prepare: func(t *testing.T, _ stores) { t.Setenv(identityVariable, "planted") }, says: []string{"(INVALID_CONFIG)", "age identity cannot be read"},
	},
	"a file changed by hand": {
		token: sealed, prepare: func(t *testing.T, s stores) { appendTo(t, s.file.Path, "planted by hand\n") }, says: []string{"(INVALID_CONFIG)", "line 4"},
	},
	"the file is gone":        {token: sealed, prepare: func(t *testing.T, s stores) { remove(t, s.file.Path) }, says: []string{"(INVALID_CONFIG)", "is not there"}},
	"not in the file":         {token: sealed + "2", says: []string{"(INVALID_INPUT)", "secret://root/token2 is not in the sealed file"}},
	"Vault is sealed":         {token: vault, prepare: func(_ *testing.T, s stores) { s.vault.Seal(true) }, says: []string{"(INVALID_CONFIG)", "503", "Vault is sealed"}},
	"Vault forbids":           {token: vault, prepare: func(_ *testing.T, s stores) { s.vault.Forbid("secret/cloud") }, says: []string{"(ACCESS_DENIED)", "403", "permission denied"}},
	"Vault's token is wrong":  {token: vault, prepare: func(t *testing.T, _ stores) { t.Setenv(vaultVariable, "planted") }, says: []string{"(ACCESS_DENIED)", "403"}},
	"Vault's token is absent": {token: vault, prepare: func(t *testing.T, _ stores) { unset(t, vaultVariable) }, says: []string{"(INVALID_CONFIG)", vaultVariable}},
	"not in Vault":            {token: "vault://secret/nothing#token", says: []string{"(INVALID_INPUT)", "no such secret"}},
	"not a field in Vault":    {token: vault + "s", says: []string{"(INVALID_INPUT)", "no field tokens"}},
}

// Whatever is wrong with a store is one error at the token, with nothing sent to the vendor and no secret in the message.
func TestTokensOfTheStores(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for name, test := range storeCases {
			t.Run(name, func(t *testing.T) {
				e := emulator.Start(t, emulator.Options{})
				s := newStores(t, vendor.Of(e).Token)
				if test.prepare != nil {
					test.prepare(t, s)
				}
				written := argument(vendor, e)
				written["token"] = test.token
				faults := providertest.Serve(t, s.block).Plan(typeName, tftypes.Value{}, attributes{"name": "main", vendor.Attribute: written}).Diagnostics
				t.Log(faults)
				if len(test.says) == 0 {
					if len(faults) > 0 || len(e.Journal()) != 1 {
						t.Errorf("%d requests; %s", len(e.Journal()), faults)
					}
					return
				}
				if len(faults) != 1 || len(faults.At(vendor.Attribute+".token").Errors()) != 1 || len(e.Journal()) > 0 {
					t.Errorf("want one error at the token, got %d requests and:\n%s", len(e.Journal()), faults)
				}
				for _, text := range test.says {
					if !strings.Contains(faults.String(), text) {
						t.Errorf("the error lacks %q:\n%s", text, faults)
					}
				}
				if strings.Contains(faults.String(), "planted") || strings.Contains(faults.String(), vendor.Of(e).Token) {
					t.Errorf("the message holds a secret:\n%s", faults)
				}
			})
		}
	})
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret/vaulttest"
)

// stores are a sealed file and a Vault, both with a certificate's key.
type stores struct {
	file     secret.SealedFile
	vault    *vaulttest.Server
	identity string
}

const (
	identityVariable = "CERTIFICATE_TEST_IDENTITY"
	vaultVariable    = "CERTIFICATE_TEST_VAULT_TOKEN"
)

func newStores(t *testing.T, key string) stores {
	t.Helper()
	identity, recipient, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	s := stores{vault: vaulttest.Start(t), identity: identity}
	s.file = secret.SealedFile{Path: filepath.Join(t.TempDir(), "secrets.sealed"), Recipients: []string{recipient}}
	if err := s.file.Put(t.Context(), secret.Entry{Tenant: ownTenant, Name: "key"}, key); err != nil {
		t.Fatal(err)
	}
	s.vault.Put("secret/www", map[string]any{"key": key})
	t.Setenv(vaultVariable, vaulttest.Token)
	return s
}

// A store that does not give the key is told of at the argument that names it, with the store's own code, in the plan.
func TestAStoreThatGivesNoKeyIsToldAtTheArgument(t *testing.T) {
	e, pem := start(t), newTexts(t)
	t.Setenv("CERTIFICATE_TEST_LEAF", pem.leaf)
	s := newStores(t, pem.key)
	block := attributes{
		"secret_store": attributes{"path": s.file.Path, "identity": "env://" + identityVariable},
		"vault":        attributes{"address": s.vault.Address, "token": "env://" + vaultVariable},
	}
	stranger, _, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	const sealed, vault = "secret://" + ownTenant + "/key", "vault://secret/www#key"
	for _, test := range []struct {
		name, key, identity string
		happens             func()
		says                []string
	}{
		{"sealed file", sealed, s.identity, nil, nil},
		{"Vault", vault, s.identity, nil, nil},
		{"no identity", sealed, "", nil, []string{"(INVALID_CONFIG)", identityVariable}},
		{"another identity", sealed, stranger, nil, []string{"(INVALID_CONFIG)", "is not sealed for the age identity"}},
		{"no such secret", sealed + "2", s.identity, nil, []string{"(INVALID_INPUT)", "is not in the sealed file"}},
		{"no such field", vault + "2", s.identity, nil, []string{"(INVALID_INPUT)", "no field key2"}},
		{"Vault forbids", vault, s.identity, func() { s.vault.Forbid("secret/www") }, []string{"(ACCESS_DENIED)", "permission denied"}},
		{"Vault is sealed", vault, s.identity, func() { s.vault.Seal(true) }, []string{"(INVALID_CONFIG)", "Vault is sealed"}},
		{"a file changed by hand", sealed, s.identity, func() { spoil(t, s.file.Path) }, []string{"(INVALID_CONFIG)", "line 4"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(identityVariable, test.identity)
			if test.happens != nil {
				test.happens()
			}
			faults := providertest.Serve(t, block).Plan(typeName, tftypes.Value{}, attributes{
				"provider_account": account(t, "hetzner-cloud", hetznerConfig(e)), "name": "www", "kind": "custom",
				"certificate": "env://CERTIFICATE_TEST_LEAF", "private_key": test.key,
			}).Diagnostics
			if refused := len(faults) == 1 && len(faults.At("private_key").Errors()) == 1; len(faults) > 0 && len(test.says) == 0 || len(test.says) > 0 && !refused {
				t.Fatalf("want %q at private_key:\n%s", test.says, faults)
			}
			for _, text := range test.says {
				if !strings.Contains(faults.String(), text) {
					t.Errorf("the error lacks %q:\n%s", text, faults)
				}
			}
			if strings.Contains(faults.String(), pem.key[40:60]) {
				t.Error("the error holds a part of the key")
			}
		})
	}
}

func spoil(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(content, "by hand\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
}

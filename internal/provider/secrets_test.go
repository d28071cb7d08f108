// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const plantedText = "planted-secret-93ab"

// nested is an object of texts for the provider block; those that are not named are null.
func nested(names []string, texts map[string]any) map[string]tftypes.Value {
	object := map[string]tftypes.Value{}
	for _, name := range names {
		object[name] = tftypes.NewValue(tftypes.String, texts[name])
	}
	return object
}

func store(texts map[string]any) map[string]any {
	return map[string]any{"secret_store": nested([]string{"path", "identity"}, texts)}
}

func vault(texts map[string]any) map[string]any {
	return map[string]any{"vault": nested([]string{"address", "namespace", "token", "ca_certificate"}, texts)}
}

func TestFaultsOfTheStoresOfSecrets(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(broken, []byte(plantedText), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		arguments   map[string]any
		environment map[string]string
		at, says    string
	}{
		"a sealed file":                    {arguments: store(map[string]any{"path": "secrets.sealed", "identity": "env://IDENTITY"})},
		"no path":                          {arguments: store(map[string]any{"path": "", "identity": "env://IDENTITY"}), at: "secret_store.path", says: "the path of a file"},
		"the identity itself":              {arguments: store(map[string]any{"path": "x", "identity": plantedText}), at: "secret_store.identity", says: "not the secret itself"},
		"the identity in the sealed file":  {arguments: store(map[string]any{"path": "x", "identity": "secret://root/x"}), at: "secret_store.identity", says: "starts with env://"},
		"a server":                         {arguments: vault(map[string]any{"address": "https://vault.example.com", "token": "secret://root/vault"})},
		"a server of the environment":      {arguments: vault(nil), environment: map[string]string{"VAULT_ADDR": "https://vault.example.com"}},
		"no server":                        {arguments: vault(nil), at: "vault.address", says: "VAULT_ADDR"},
		"plain http":                       {arguments: vault(map[string]any{"address": "http://vault.example.com"}), at: "vault.address", says: "https://"},
		"plain http of the environment":    {arguments: vault(nil), environment: map[string]string{"VAULT_ADDR": "http://vault.example.com"}, at: "vault.address", says: "VAULT_ADDR must begin with https://"},
		"the token itself":                 {arguments: vault(map[string]any{"address": "https://vault.example.com", "token": plantedText}), at: "vault.token", says: "not the secret itself"},
		"the token in the same server":     {arguments: vault(map[string]any{"address": "https://vault.example.com", "token": "vault://a/b#c"}), at: "vault.token", says: "env:// or secret://"},
		"no PEM":                           {arguments: vault(map[string]any{"address": "https://vault.example.com", "ca_certificate": plantedText}), at: "vault.ca_certificate", says: "PEM"},
		"no PEM in the environment's file": {arguments: vault(map[string]any{"address": "https://vault.example.com"}), environment: map[string]string{"VAULT_CACERT": broken}, at: "vault.ca_certificate", says: "PEM"},
		"the environment's file is gone":   {arguments: vault(map[string]any{"address": "https://vault.example.com"}), environment: map[string]string{"VAULT_CACERT": broken + "x"}, at: "vault.ca_certificate", says: "VAULT_CACERT"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, variable := range []string{"VAULT_ADDR", "VAULT_NAMESPACE", "VAULT_TOKEN", "VAULT_CACERT"} {
				t.Setenv(variable, test.environment[variable])
			}
			faults := providerFaults(t, test.arguments)
			if strings.Contains(faults.String(), plantedText) {
				t.Errorf("the message holds the secret:\n%s", faults)
			}
			if test.at == "" {
				if len(faults) > 0 {
					t.Errorf("got:\n%s", faults)
				}
				return
			}
			if len(faults) != 1 || len(faults.At(test.at)) != 1 || !strings.HasSuffix(faults[0].Summary, "(INVALID_INPUT)") || !strings.Contains(faults[0].Detail, test.says) {
				t.Errorf("want one INVALID_INPUT at %s that says %q, got:\n%s", test.at, test.says, faults)
			}
		})
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret/vaulttest"
)

const planted = "planted-value-81c3"

func token(text string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return text, nil }
}

func vaultResolver(t *testing.T, options secret.VaultOptions) secret.Resolver {
	t.Helper()
	vault, err := secret.NewVault(options)
	if err != nil {
		t.Fatal(err)
	}
	return secret.Resolver{Vault: vault}
}

// vaultCase is a server with a secret, what happens to it, and what a reference then resolves to.
type vaultCase struct {
	prepare   func(*vaulttest.Server)
	reference string
	token     string
	namespace string
	want      string
	// What the error says and is, where there is to be one.
	says             []string
	unusable, denied bool
}

var vaultCases = map[string]vaultCase{
	"the field": {want: planted},
	"the newest version": {
		prepare: func(s *vaulttest.Server) { s.Put("secret/team/hetzner", map[string]any{"token": "second"}) }, want: "second",
	},
	"another mount": {prepare: func(s *vaulttest.Server) { s.Mount("kv", "2"); s.Put("kv/x", map[string]any{"a.b": "y"}) }, reference: "vault://kv/x#a.b", want: "y"},
	"a mount of two parts": {
		prepare: func(s *vaulttest.Server) { s.Mount("kv/team", "2"); s.Put("kv/team/x/y", map[string]any{"z": "w"}) }, reference: "vault://kv/team/x/y#z", want: "w",
	},
	"mounts are not shown": {prepare: func(s *vaulttest.Server) { s.HideMounts() }, want: planted},
	"a namespace":          {prepare: func(s *vaulttest.Server) { s.InNamespace("admin/team") }, namespace: "admin/team", want: planted},
	"no such secret":       {reference: "vault://secret/nothing#token", says: []string{"vault://secret/nothing#token", "no such secret in Vault"}},
	"no such field":        {reference: "vault://secret/team/hetzner#tokem", says: []string{"has no field tokem"}},
	"a field that is no string": {
		prepare: func(s *vaulttest.Server) { s.Put("secret/team/hetzner", map[string]any{"token": 5}) }, says: []string{"is no string"},
	},
	"an empty field": {
		prepare: func(s *vaulttest.Server) { s.Put("secret/team/hetzner", map[string]any{"token": " \n"}) }, says: []string{"is empty"},
	},
	"deleted": {
		prepare: func(s *vaulttest.Server) { s.Delete("secret/team/hetzner") }, says: []string{"newest version in Vault (1) was deleted at 20"},
	},
	"destroyed":              {prepare: func(s *vaulttest.Server) { s.Destroy("secret/team/hetzner") }, says: []string{"is destroyed"}},
	"a KV version 1 engine":  {prepare: func(s *vaulttest.Server) { s.Mount("old", "1") }, reference: "vault://old/x#y", says: []string{"mount old of Vault is no KV version 2 engine"}},
	"no such mount":          {reference: "vault://nowhere/x#y", says: []string{"no such secret in Vault"}},
	"sealed":                 {prepare: func(s *vaulttest.Server) { s.Seal(true) }, says: []string{"503", "Vault is sealed", "unsealed by its operators"}, unusable: true},
	"forbidden":              {prepare: func(s *vaulttest.Server) { s.Forbid("secret/team/hetzner") }, says: []string{"403", "permission denied", "policy with read on secret/data/team/hetzner"}, denied: true},
	"wrong token":            {token: "hvs.wrong", says: []string{"403", "permission denied"}, denied: true},
	"wrong namespace":        {namespace: "other", says: []string{"403"}, denied: true},
	"a token of two lines":   {token: "a\nb", says: []string{"vault://secret/team/hetzner#token cannot be resolved"}, unusable: true},
	"a value of two lines":   {prepare: func(s *vaulttest.Server) { s.Put("secret/team/hetzner", map[string]any{"token": "plant\ned"}) }, says: []string{"position 6"}},
	"the path has odd signs": {prepare: func(s *vaulttest.Server) { s.Put("secret/a?version=1", map[string]any{"t": "v"}) }, reference: "vault://secret/a?version=1#t", want: "v"},
}

func TestVault(t *testing.T) {
	for name, test := range vaultCases {
		t.Run(name, func(t *testing.T) {
			server := vaulttest.Start(t)
			server.Put("secret/team/hetzner", map[string]any{"token": " " + planted + "\n", "other": "x"})
			if test.prepare != nil {
				test.prepare(server)
			}
			resolver := vaultResolver(t, secret.VaultOptions{
				Address: server.Address, Namespace: test.namespace, Token: token(orElse(test.token, vaulttest.Token)),
			})
			got, err := resolver.Resolve(t.Context(), orElse(test.reference, "vault://secret/team/hetzner#token"))
			if test.want != "" {
				if err != nil || got != test.want {
					t.Errorf("got %q, %v", got, err)
				}
				return
			}
			wantError(t, err, test.unusable, test.denied, test.says...)
		})
	}
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// wantError checks the kind and the words of an error, and that it holds no secret.
func wantError(t *testing.T, err error, unusable, denied bool, says ...string) {
	t.Helper()
	failure, ok := errors.AsType[*secret.Error](err)
	if !ok || failure.NotConfigured != unusable || failure.Denied != denied {
		t.Fatalf("error %#v, want NotConfigured %t, Denied %t", err, unusable, denied)
	}
	for _, text := range says {
		if !strings.Contains(failure.Message, text) {
			t.Errorf("%q lacks %q", failure.Message, text)
		}
	}
	if strings.Contains(failure.Message, "plant") || strings.Contains(failure.Message, "AGE-SECRET-KEY-1Q") {
		t.Errorf("the message holds a secret: %s", failure.Message)
	}
}

// What the environment says for Vault's own command is not ours where the provider block says otherwise.
func TestVaultTakesNothingElseFromTheEnvironment(t *testing.T) {
	server := vaulttest.StartTLS(t)
	server.Put("secret/x", map[string]any{"y": planted})
	for name, value := range map[string]string{
		"VAULT_ADDR": "https://127.0.0.1:1", "VAULT_TOKEN": "hvs.other", "VAULT_NAMESPACE": "other", "VAULT_SKIP_VERIFY": "true", "VAULT_AGENT_ADDR": "https://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	options := secret.VaultOptions{Address: server.Address, Token: token(vaulttest.Token), CACertificate: server.CACertificate}
	if got, err := vaultResolver(t, options).Resolve(t.Context(), "vault://secret/x#y"); err != nil || got != planted {
		t.Errorf("got %q, %v", got, err)
	}
	options.CACertificate = ""
	_, err := vaultResolver(t, options).Resolve(t.Context(), "vault://secret/x#y")
	wantError(t, err, true, false, "certificate")
}

// A value of several lines, as a private key is.
func TestVaultGivesTextOfSeveralLines(t *testing.T) {
	server := vaulttest.Start(t)
	server.Put("secret/x", map[string]any{"key": "\n-----BEGIN X-----\nYQ==\n-----END X-----\n"})
	resolver := vaultResolver(t, secret.VaultOptions{Address: server.Address, Token: token(vaulttest.Token)})
	got, err := resolver.ResolveText(t.Context(), "vault://secret/x#key")
	if err != nil || got != "-----BEGIN X-----\nYQ==\n-----END X-----" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestVaultIsAskedForEachValue(t *testing.T) {
	server := vaulttest.Start(t)
	resolver := vaultResolver(t, secret.VaultOptions{Address: server.Address, Token: token(vaulttest.Token)})
	for _, want := range []string{"first", "second"} {
		server.Put("secret/x", map[string]any{"y": want})
		if got, err := resolver.Resolve(t.Context(), "vault://secret/x#y"); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if asked := server.Requests(); !slices.Equal(asked, []string{"/v1/sys/internal/ui/mounts/secret/x", "/v1/secret/data/x", "/v1/secret/data/x"}) {
		t.Errorf("asked for %v", asked)
	}
}

func TestManyMayAskVaultAtTheSameTime(t *testing.T) {
	server := vaulttest.Start(t)
	server.Put("secret/x", map[string]any{"y": planted})
	resolver := vaultResolver(t, secret.VaultOptions{Address: server.Address, Token: token(vaulttest.Token)})
	results := make(chan error, 20)
	for range cap(results) {
		go func() {
			got, err := resolver.Resolve(t.Context(), "vault://secret/x#y")
			if err == nil && got != planted {
				err = errors.New("got " + got)
			}
			results <- err
		}()
	}
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func TestVaultIsNotThere(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		writer.WriteHeader(http.StatusBadRequest)
		_, _ = writer.Write([]byte("<html>planted page</html>"))
	}))
	defer page.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, address := range map[string]string{"a page of something else": page.URL, "nobody listens": gone.URL} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			resolver := vaultResolver(t, secret.VaultOptions{Address: address, Token: token(vaulttest.Token)})
			_, err := resolver.Resolve(ctx, "vault://secret/x#y")
			wantError(t, err, true, false, "Vault at "+address+" did not answer as Vault does")
		})
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	resolver := vaultResolver(t, secret.VaultOptions{Address: gone.URL, Token: token(vaulttest.Token)})
	if _, err := resolver.Resolve(cancelled, "vault://secret/x#y"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

func TestTheTokenForVaultIsNotThere(t *testing.T) {
	server := vaulttest.Start(t)
	environment := secret.Resolver{LookupEnv: func(string) (string, bool) { return "", false }}
	resolver := vaultResolver(t, secret.VaultOptions{Address: server.Address, Token: func(ctx context.Context) (string, error) {
		return environment.Resolve(ctx, "env://VAULT_TOKEN")
	}})
	_, err := resolver.Resolve(t.Context(), "vault://secret/x#y")
	wantError(t, err, true, false, "the token for Vault is not there", "variable VAULT_TOKEN is not set")
	if asked := server.Requests(); len(asked) > 0 {
		t.Errorf("asked for %v", asked)
	}
}

func TestVaultOptions(t *testing.T) {
	for name, test := range map[string]struct{ address, certificate, says string }{
		"no address":          {says: "must be the URL"},
		"a name alone":        {address: "vault.example.com", says: "must be the URL"},
		"plain http":          {address: "http://vault.example.com:8200", says: "https://"},
		"a password":          {address: "https://user:planted@vault.example.com", says: "must not hold a user"},
		"another scheme":      {address: "unix://localhost/x", says: "https://"},
		"a broken CA":         {address: "https://vault.example.com", certificate: "planted", says: "must hold a certificate in PEM"},
		"https":               {address: "https://vault.example.com:8200"},
		"http on this system": {address: "http://[::1]:8200"},
	} {
		_, err := secret.NewVault(secret.VaultOptions{Address: test.address, CACertificate: test.certificate, Token: token("x")})
		if test.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

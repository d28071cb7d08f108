// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package sealedsecret_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

func TestMain(m *testing.M) { providertest.VerifyNoLeaks(m) }

const (
	typeName = "bettercompute_secret"
	variable = "BETTERCOMPUTE_TEST_IDENTITY"
	planted  = "planted-value-77aa"
)

type attributes = providertest.Attributes

// newFile puts a new identity into the environment and answers the sealed file that it opens, which is not there yet.
func newFile(t *testing.T) secret.SealedFile {
	t.Helper()
	identity, _, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(variable, identity)
	return secret.SealedFile{
		Path:     filepath.Join(t.TempDir(), "secrets.sealed"),
		Identity: func(context.Context) (string, error) { return os.Getenv(variable), nil },
	}
}

// block is the provider block for a file.
func block(file secret.SealedFile) attributes {
	return attributes{"secret_store": attributes{"path": file.Path, "identity": "env://" + variable}}
}

// wantValue opens secret://root/token.
func wantValue(t *testing.T, file secret.SealedFile, want string) {
	t.Helper()
	got, err := secret.Resolver{Sealed: &file}.ResolveText(t.Context(), "secret://root/token")
	if err != nil || got != want {
		t.Errorf("the value is %q, %v, want %q", got, err, want)
	}
}

func wantGone(t *testing.T, file secret.SealedFile, name string) {
	t.Helper()
	if there, err := file.Has(secret.Entry{Tenant: "root", Name: name}); err != nil || there {
		t.Errorf("%s is there: %t, %v", name, there, err)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package sealedsecret_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

func wantValue(t *testing.T, file secret.SealedFile, reference, want string) {
	t.Helper()
	got, err := secret.Resolver{Sealed: &file}.ResolveText(t.Context(), reference)
	if err != nil || got != want {
		t.Errorf("%s: %q, %v, want %q", reference, got, err, want)
	}
}

func wantGone(t *testing.T, file secret.SealedFile, tenant, name string) {
	t.Helper()
	if there, err := file.Has(secret.Entry{Tenant: tenant, Name: name}); err != nil || there {
		t.Errorf("%s of %s is there: %t, %v", name, tenant, there, err)
	}
}

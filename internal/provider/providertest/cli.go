// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package providertest drives the provider in tests: through a real CLI, or by its protocol alone where a test needs what
// no CLI shows, such as the path of a diagnostic.
package providertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
)

// Factories serve the provider in the test's own process.
func Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	server := provider.NewServer("test")
	return map[string]func() (tfprotov6.ProviderServer, error){
		"bettercompute": func() (tfprotov6.ProviderServer, error) { return server(), nil },
	}
}

// NeedCLI prepares the environment for tests that drive a CLI: the one that TF_ACC_TERRAFORM_PATH names, else terraform
// from PATH. Without any the test is skipped, or fails where CI_REQUIRE is 1. Settings of the person who runs the test
// stay out of it.
func NeedCLI(t *testing.T) {
	t.Helper()
	cli := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if cli == "" {
		cli, _ = exec.LookPath("terraform")
	}
	if cli == "" {
		if os.Getenv("CI_REQUIRE") == "1" {
			t.Fatal("this test needs terraform on PATH, or TF_ACC_TERRAFORM_PATH")
		}
		t.Skip("this test needs terraform on PATH, or TF_ACC_TERRAFORM_PATH")
	}
	if strings.HasPrefix(filepath.Base(cli), "tofu") {
		t.Setenv("TF_ACC_PROVIDER_HOST", "registry.opentofu.org")
	}
	settings := filepath.Join(t.TempDir(), "cli-config.tfrc")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TF_CLI_CONFIG_FILE", settings)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestModules runs the tests that come with each module as its user would: on a provider that is made up, and under
// `emulator -- ` on the emulated vendors, with the objects of tests/inventory.json where there is such a file. Afterwards nothing is left there.
func TestModules(t *testing.T) {
	clis, binary := testCLIs(t), buildProvider(t)
	modules, err := filepath.Glob("modules/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) == 0 {
		t.Fatal("there are no modules")
	}
	for _, path := range clis {
		for _, module := range modules {
			t.Run(filepath.Base(path)+"/"+module, func(t *testing.T) {
				cloud := startEmulator(t, binary, planted(module)...)
				c := mirrored(t, newCLI(t, path, binary, cloud), binary)
				if err := os.CopyFS(c.folder, os.DirFS(module)); err != nil {
					t.Fatal(err)
				}
				c.run(t, "init")
				if out := c.run(t, "test"); !strings.Contains(out, ", 0 failed") {
					t.Errorf("%s", out)
				}
				if left := cloud.held(t); len(left) > 0 {
					t.Errorf("%v are left", left)
				}
			})
		}
	}
}

// planted are the flags that put on the emulators what the module's tests expect to be there.
func planted(module string) []string {
	file := filepath.Join(module, "tests", "inventory.json")
	if _, err := os.Stat(file); err != nil {
		return nil
	}
	return []string{"-plant", file}
}

// mirrored makes the CLI install the provider from a filesystem mirror: an init, which modules need, does not go together
// with an override of a provider that no registry has.
func mirrored(t *testing.T, c cli, binary string) cli {
	t.Helper()
	mirror := t.TempDir()
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(mirror, registry, "better-compute", "bettercompute", "0.0.1", runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(binary, filepath.Join(folder, "terraform-provider-bettercompute_v0.0.1")); err != nil {
			t.Fatal(err)
		}
	}
	settings := filepath.Join(t.TempDir(), "cli-config.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.environment = append(c.environment, "TF_CLI_CONFIG_FILE="+settings)
	return c
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVersionsThatAreNamedAreThoseThatAreUsed: the versions of both CLIs in the documentation are the ones that the workflow
// and the scripts take.
func TestVersionsThatAreNamedAreThoseThatAreUsed(t *testing.T) {
	used := map[string]string{}
	for name, where := range map[string]struct{ file, pattern string }{
		"Terraform in CI":   {".github/workflows/test.yml", `terraform_version: (\S+)`},
		"OpenTofu in CI":    {"tools/opentofu/go.mod", `github\.com/opentofu/opentofu v(\S+)`},
		"oldest Terraform":  {"tools/oldest.sh", `terraform=\$\{1:-([\d.]+)\}`},
		"oldest OpenTofu":   {"tools/oldest.sh", `opentofu=\$\{2:-([\d.]+)\}`},
		"Terraform at last": {".github/workflows/release.yml", `terraform_version: (\S+)`},
	} {
		found := regexp.MustCompile(where.pattern).FindStringSubmatch(read(t, where.file))
		if found == nil {
			t.Fatalf("%s names no version of %s", where.file, name)
		}
		used[name] = found[1]
	}
	for _, page := range []string{"README.md", "templates/guides/opentofu.md"} {
		for name, version := range used {
			if !strings.Contains(read(t, page), version) {
				t.Errorf("%s does not name %s, the %s", page, version, name)
			}
		}
	}
}

// read answers a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

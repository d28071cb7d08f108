// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverythingHasAnExample goes by the pages of the documentation, which are made from the schema.
func TestEverythingHasAnExample(t *testing.T) {
	for folder, first := range map[string]string{
		"resources": "resource.tf", "data-sources": "data-source.tf", "functions": "function.tf",
	} {
		pages, err := filepath.Glob(filepath.Join("..", "docs", folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		if len(pages) == 0 {
			t.Errorf("no page in docs/%s", folder)
		}
		for _, page := range pages {
			name := strings.TrimSuffix(filepath.Base(page), ".md")
			if folder != "functions" {
				name = "bettercompute_" + name
			}
			if _, err := os.Stat(filepath.Join(folder, name, first)); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package examples_test applies every example as it stands, with a real CLI, the built provider and its emulator, whose
// address the files *_override.tf bring.
package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples expects of each folder: an apply, a second plan with no changes, a destroy that leaves nothing.
func TestExamples(t *testing.T) {
	clis, binary := testCLIs(t), buildProvider(t)
	for _, path := range clis {
		for _, folder := range folders(t) {
			t.Run(filepath.Base(path)+"/"+folder, func(t *testing.T) {
				cloud := startEmulator(t, binary)
				c := newCLI(t, path, binary, cloud)
				c.copy(t, folder, isExample)

				c.run(t, "apply", "-auto-approve")
				c.run(t, "plan", "-detailed-exitcode")
				c.run(t, "destroy", "-auto-approve")
				if left := cloud.held(t); len(left) > 0 {
					t.Errorf("%v are left", left)
				}
			})
		}
	}
}

// TestImportExamples loses the state of each folder that has an import block, and expects the block to find the object
// again, with nothing written to it and no changes in the plan after that.
func TestImportExamples(t *testing.T) {
	clis, binary := testCLIs(t), buildProvider(t)
	for _, path := range clis {
		for _, folder := range folders(t) {
			blocks, err := filepath.Glob(filepath.Join(folder, "import-*.tf"))
			if err != nil {
				t.Fatal(err)
			}
			if len(blocks) == 0 {
				continue
			}
			t.Run(filepath.Base(path)+"/"+folder, func(t *testing.T) {
				cloud := startEmulator(t, binary)
				maker := newCLI(t, path, binary, cloud)
				maker.copy(t, folder, isFirstExample)
				maker.run(t, "apply", "-auto-approve")
				before := cloud.requests(t, isWrite)

				importer := newCLI(t, path, binary, cloud)
				importer.copy(t, folder, func(name string) bool { return isFirstExample(name) || isImport(name) })
				out := importer.run(t, "apply", "-auto-approve")
				if !strings.Contains(out, "1 imported, 0 added") || !strings.Contains(out, " 0 destroyed") {
					t.Errorf("the apply did not import one object and leave it at that:\n%s", out)
				}
				if after := cloud.requests(t, isWrite); after != before {
					t.Errorf("the import wrote to the vendor: %d requests, before it %d", after, before)
				}
				importer.run(t, "plan", "-detailed-exitcode")
			})
		}
	}
}

func isImport(name string) bool { return strings.HasPrefix(name, "import-") }

func isExample(name string) bool { return !isImport(name) }

// isFirstExample leaves out the further ones, whose objects no import block is for.
func isFirstExample(name string) bool {
	return name == "setup.tf" || name == "setup_override.tf" || name == "resource.tf"
}

// folders are those that tfplugindocs reads.
func folders(t *testing.T) []string {
	t.Helper()
	found := []string{"provider"}
	for _, pattern := range []string{"resources/*", "data-sources/*", "functions/*"} {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(matches) == 0 {
			t.Fatalf("no example in %s", pattern)
		}
		found = append(found, matches...)
	}
	return found
}

// testCLIs are the CLIs that make found, or that the person who runs the test named.
func testCLIs(t testing.TB) []string {
	t.Helper()
	list := filepath.SplitList(os.Getenv("BETTERCOMPUTE_TEST_CLIS"))
	if len(list) > 0 {
		return list
	}
	const missing = "BETTERCOMPUTE_TEST_CLIS names no terraform or tofu binary"
	if os.Getenv("CI_REQUIRE") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return nil
}

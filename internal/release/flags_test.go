// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestReleaseAndMakeBuildAlike: what users get from a registry is built with the flags of make build, which the tests and
// the size limit are about.
func TestReleaseAndMakeBuildAlike(t *testing.T) {
	printed := makePrints(t)
	text, err := os.ReadFile("../../.goreleaser.yml")
	if err != nil {
		t.Fatal(err)
	}
	var configuration struct {
		Builds []struct {
			Env     []string `yaml:"env"`
			Flags   []string `yaml:"flags"`
			Ldflags []string `yaml:"ldflags"`
		} `yaml:"builds"`
	}
	if err := yaml.Unmarshal(text, &configuration); err != nil {
		t.Fatal(err)
	}
	if len(configuration.Builds) != 1 {
		t.Fatalf("%d builds in .goreleaser.yml, wanted is one", len(configuration.Builds))
	}
	build := configuration.Builds[0]
	linked := strings.ReplaceAll(strings.Join(build.Ldflags, " "), "{{ .Version }}", "1.2.3")
	released := slices.Concat(build.Env, []string{"go build"}, build.Flags, []string{"-ldflags '" + linked + "'"})
	slices.Sort(released)
	if made := words(printed); !slices.Equal(made, released) {
		t.Errorf("make build: %q\n.goreleaser.yml: %q", made, released)
	}
}

// makePrints answers the command of make build, without the output and the package.
func makePrints(t *testing.T) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", "-n", "-C", "../..", "--no-print-directory", "build", "VERSION=1.2.3")
	// Not the flags of a make that runs this test.
	command.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "MAKE") || strings.HasPrefix(entry, "MFLAGS")
	})
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("make -n build: %v\n%s", err, out)
	}
	flags, _, found := strings.Cut(strings.TrimSpace(string(out)), " -o ")
	if !found {
		t.Fatalf("make -n build prints %s", out)
	}
	return flags
}

// words are the parts of the command in the order of the alphabet.
func words(command string) []string {
	before, linked, _ := strings.Cut(command, "-ldflags '")
	parts := strings.Fields(strings.Replace(before, "go build", "", 1))
	parts = append(parts, "go build", "-ldflags '"+strings.TrimSuffix(linked, "'")+"'")
	slices.Sort(parts)
	return parts
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced = regexp.MustCompile("(?s)```terraform\n(.*?)```")
	// named is the first line of a block that stands for a whole file.
	named = regexp.MustCompile(`^# ([\w./-]+\.(?:tf|hcl))\n`)
	// typed are the lines of a page that begin with the CLI or with the binary below the working directory.
	typed = regexp.MustCompile(`(?m)^    ((?:terraform |\$\(find ).*)$`)
)

func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// configurations are the blocks of a page.
func configurations(text string) []string {
	var blocks []string
	for _, found := range fenced.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

// TestTheGuideToTestingModules makes the module that the guide shows, and types what the guide types, in a folder of its own.
func TestTheGuideToTestingModules(t *testing.T) {
	clis, binary := testCLIs(t), buildProvider(t)
	text, _, _ := strings.Cut(page(t, "templates/guides/testing.md"), "\n## In CI\n")
	for _, path := range clis {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c := mirrored(t, newCLI(t, path, binary, startEmulator(t, binary)), binary)
			for _, block := range configurations(text) {
				c.write(t, named.FindStringSubmatch(block)[1], block)
			}
			lines := typed.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1)
			if len(lines) != 3 {
				t.Fatalf("the guide types %d lines: %q", len(lines), lines)
			}
			for _, line := range lines {
				out := c.shell(t, line[1])
				if strings.Contains(line[1], "terraform test") && !strings.Contains(out, ", 0 failed") {
					t.Errorf("%s\n%s", line[1], out)
				}
			}
		})
	}
}

// TestTheGuideToTheEmulators walks through its steps: a plan that fails well, an apply, a state that is lost, a destroy.
func TestTheGuideToTheEmulators(t *testing.T) {
	clis, binary := testCLIs(t), buildProvider(t)
	blocks := configurations(page(t, "templates/guides/emulators.md"))
	if len(blocks) != 1 {
		t.Fatalf("the guide shows %d configurations", len(blocks))
	}
	for _, path := range clis {
		t.Run(filepath.Base(path), func(t *testing.T) {
			cloud := startEmulator(t, binary)
			c := mirrored(t, newCLI(t, path, binary, cloud), binary)
			c.write(t, "main.tf", strings.Replace(blocks[0], `"cx23"`, `"cx24"`, 1))
			c.run(t, "init")
			if out := c.fail(t, "plan"); !strings.Contains(out, "(INVALID_INPUT)") || !strings.Contains(out, "cx23 (2 vCPU") {
				t.Errorf("the plan does not name the nearest offers:\n%s", out)
			}
			c.write(t, "main.tf", blocks[0])
			c.run(t, "apply", "-auto-approve")
			if err := os.Remove(filepath.Join(c.folder, "terraform.tfstate")); err != nil {
				t.Fatal(err)
			}
			if out := c.run(t, "apply", "-auto-approve"); !strings.Contains(out, "was taken back") {
				t.Errorf("the apply does not say that it has taken the machine back:\n%s", out)
			}
			held := cloud.held(t)
			if machines := slices.DeleteFunc(held, func(one string) bool { return !strings.HasPrefix(one, "hetzner servers ") }); len(machines) != 1 {
				t.Errorf("there are %v, wanted is the one machine", machines)
			}
			c.run(t, "destroy", "-auto-approve")
			if held := cloud.held(t); len(held) > 0 {
				t.Errorf("%v are left", held)
			}
		})
	}
}

// TestConfigurationsOnPagesAreFormatted: what people copy from the README and the guides is as the CLIs format it.
func TestConfigurationsOnPagesAreFormatted(t *testing.T) {
	cli := testCLIs(t)[0]
	pages := []string{"README.md"}
	for _, pattern := range []string{"templates/guides/*.md", "templates/*.tmpl", "templates/*/*.tmpl", "examples/modules/*/README.md"} {
		found, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(found), err)
		}
		for _, one := range found {
			pages = append(pages, strings.TrimPrefix(filepath.ToSlash(one), "../"))
		}
	}
	folder := t.TempDir()
	for _, one := range pages {
		for i, block := range configurations(page(t, one)) {
			name := fmt.Sprintf("%s-%d.tf", strings.NewReplacer("/", "-", ".", "-").Replace(one), i+1)
			if err := os.WriteFile(filepath.Join(folder, name), []byte(block), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.CommandContext(t.Context(), cli, "fmt", "-check", "-diff", "-no-color", folder).CombinedOutput()
	if err != nil {
		t.Errorf("the pages' configurations are not formatted: %v\n%s", err, out)
	}
}

// write puts a file into the CLI's folder.
func (c cli) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(c.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shell runs a line as a reader would type it; terraform in it is this CLI, whatever its name is.
func (c cli) shell(t *testing.T, line string) string {
	t.Helper()
	names := t.TempDir()
	if err := os.Symlink(c.path, filepath.Join(names, "terraform")); err != nil {
		t.Fatal(err)
	}
	process := exec.CommandContext(t.Context(), "sh", "-c", line)
	process.Dir = c.folder
	process.Env = append(slices.Clone(c.environment), "PATH="+names+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := process.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// fail answers what a command printed that has to end with 1.
func (c cli) fail(t *testing.T, command string) string {
	t.Helper()
	process := exec.CommandContext(t.Context(), c.path, command, "-no-color", "-input=false")
	process.Dir, process.Env = c.folder, c.environment
	out, err := process.CombinedOutput()
	if process.ProcessState == nil || process.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s: %v, wanted is exit code 1\n%s", command, err, out)
	}
	return string(out)
}

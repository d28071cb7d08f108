// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// cli is a Terraform or OpenTofu in one working directory.
type cli struct {
	path     string
	dir      string
	settings string // path of its configuration file
}

// show prints the command and runs it with its output going to ours.
func (c cli) show(ctx context.Context, arguments ...string) error {
	fmt.Printf("\n$ %s %s\n", filepath.Base(c.path), strings.Join(arguments, " "))
	command := exec.CommandContext(ctx, c.path, arguments...)
	command.Dir = c.dir
	command.Env = append(withoutSettings(os.Environ()),
		"TF_CLI_CONFIG_FILE="+c.settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	if !terminal(os.Stdout) {
		command.Env = append(command.Env, "TF_CLI_ARGS=-no-color")
	}
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	// An interrupt reaches the CLI by itself; it gets the time to store what it knows.
	command.Cancel = func() error { return nil }
	command.WaitDelay = time.Minute
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w", arguments[0], err)
	}
	return nil
}

// withoutSettings drops what the caller has set for a CLI (a workspace, arguments, a data directory), but not the values
// of variables.
func withoutSettings(environment []string) []string {
	return slices.DeleteFunc(environment, func(entry string) bool {
		return strings.HasPrefix(entry, "TF_") && !strings.HasPrefix(entry, "TF_VAR_")
	})
}

// terminal says whether a person is watching: the CLIs colour what they print into a file, too.
func terminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// installProvider puts the provider where a CLI finds it without a registry, under the name that Terraform and the one
// that OpenTofu completes the source address to, and returns the path of the settings that say so.
func installProvider(dir, provider string) (string, error) {
	const version = "0.0.1" // any but 0.0.0, which means none
	mirror := filepath.Join(dir, "plugins")
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		plugin := filepath.Join(mirror, registry, "better-compute", "bettercompute", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(plugin, 0o755); err != nil {
			return "", err
		}
		if err := os.Symlink(provider, filepath.Join(plugin, "terraform-provider-bettercompute_v"+version)); err != nil {
			return "", err
		}
	}
	return useMirror(dir, mirror)
}

// useMirror writes settings by which a CLI installs providers from a filesystem mirror and from nowhere else, and returns
// their path.
func useMirror(dir, mirror string) (string, error) {
	settings := filepath.Join(dir, "cli-config.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	return settings, os.WriteFile(settings, []byte(text), 0o600)
}

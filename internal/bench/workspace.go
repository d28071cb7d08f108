// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/bench/usage"
)

// workspace is a CLI in a folder of its own with one configuration.
type workspace struct {
	cli, folder, usage string
	environment        []string
}

// subject is a provider to measure.
type subject struct {
	// Name is how the report calls it.
	Name          string
	binary        string
	configuration string
}

// isSource matches the source address in a configuration.
var isSource = regexp.MustCompile(`source\s*=\s*"([a-z0-9-]+)/([a-z0-9-]+)"`)

// newWorkspace makes a folder in which the CLI finds the subject, behind measured, as if it had downloaded it.
func newWorkspace(folder string, o options, s subject) (workspace, error) {
	made := workspace{cli: o.cli, folder: filepath.Join(folder, "configuration"), usage: filepath.Join(folder, "usage")}
	for _, needed := range []string{made.folder, made.usage} {
		if err := os.MkdirAll(needed, 0o700); err != nil {
			return made, err
		}
	}
	source := isSource.FindStringSubmatch(s.configuration)
	if source == nil {
		return made, fmt.Errorf("the configuration of %s has no source = \"NAMESPACE/NAME\"", s.Name)
	}
	settings, err := install(folder, source[1], source[2], filepath.Join(o.programs, "measured"))
	if err != nil {
		return made, err
	}
	made.environment = append(slices.DeleteFunc(os.Environ(), ofTheCaller),
		"TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_CLI_ARGS=-no-color",
		"BENCH_PROVIDER="+s.binary, "BENCH_USAGE="+made.usage)
	return made, os.WriteFile(filepath.Join(made.folder, "main.tf"), []byte(s.configuration), 0o600)
}

// ofTheCaller says whether a variable would change what the CLI does.
func ofTheCaller(entry string) bool {
	return strings.HasPrefix(entry, "TF_") && !strings.HasPrefix(entry, "TF_VAR_")
}

// install puts a program where both CLIs find a provider without a registry, and answers the path of the settings for that.
func install(folder, namespace, name, program string) (string, error) {
	const version = "0.0.1"
	mirror := filepath.Join(folder, "plugins")
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		plugin := filepath.Join(mirror, registry, namespace, name, version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(plugin, 0o700); err != nil {
			return "", err
		}
		if err := os.Symlink(program, filepath.Join(plugin, "terraform-provider-"+name+"_v"+version)); err != nil {
			return "", err
		}
	}
	settings := filepath.Join(folder, "cli-config.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	return settings, os.WriteFile(settings, []byte(text), 0o600)
}

// run runs a command that has to end with 0, and answers how long it took and what its providers have used: the most
// memory of any, the processors' time of all.
func (w workspace) run(ctx context.Context, machines int, label string, arguments ...string) (time.Duration, usage.Usage, error) {
	command := exec.CommandContext(ctx, w.cli, arguments...)
	command.Dir = w.folder
	command.Env = append(slices.Clone(w.environment), fmt.Sprintf("TF_VAR_machines=%d", machines), "TF_VAR_label="+label)
	// The CLI gets the interrupt of the terminal too, and the time to store what it knows.
	command.Cancel = func() error { return nil }
	command.WaitDelay = time.Minute
	began := time.Now()
	out, err := command.CombinedOutput()
	took := time.Since(began)
	if err != nil {
		return took, usage.Usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(arguments, " "), err, lastLines(string(out), 40))
	}
	used, err := w.used()
	return took, used, err
}

// used reads and removes what measured has left.
func (w workspace) used() (usage.Usage, error) {
	var all usage.Usage
	paths, err := filepath.Glob(filepath.Join(w.usage, "*.json"))
	if err != nil {
		return all, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return all, err
		}
		var one usage.Usage
		if err := json.Unmarshal(text, &one); err != nil {
			return all, err
		}
		all.PeakBytes, all.CPU = max(all.PeakBytes, one.PeakBytes), all.CPU+one.CPU
		if err := os.Remove(path); err != nil {
			return all, err
		}
	}
	return all, nil
}

func lastLines(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

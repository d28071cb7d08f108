// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// CLIs answers the CLIs to test with, by the names of their files.
func CLIs(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range filepath.SplitList(os.Getenv("BETTERCOMPUTE_TEST_CLIS")) {
		found[filepath.Base(path)] = path
	}
	if len(found) > 0 {
		return found
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			found[name] = path
		}
	}
	if len(found) == 0 && os.Getenv("CI_REQUIRE") == "1" {
		t.Fatal("neither terraform nor tofu is there")
	}
	if len(found) == 0 {
		t.Skip("needs terraform or tofu on PATH, or BETTERCOMPUTE_TEST_CLIS")
	}
	return found
}

// Cloud is an emulated vendor.
type Cloud struct {
	*emulator.Emulator
	providertest.Vendor
}

// Account is the vendor's part of an emulator: its endpoint and tokens.
func (c *Cloud) Account() *emulator.Vendor { return c.Of(c.Emulator) }

// OnEach runs a test on each CLI and each vendor, with an emulator of its own.
func OnEach(t *testing.T, options emulator.Options, run func(t *testing.T, cloud *Cloud, cli string)) {
	t.Helper()
	for name, path := range CLIs(t) {
		for _, vendor := range providertest.Vendors {
			t.Run(name+"/"+vendor.Name, func(t *testing.T) {
				run(t, &Cloud{emulator.Start(t, options), vendor}, path)
			})
		}
	}
}

const version = "0.0.1"

// Patience is how long something in another process may take before a test gives it up. It is no measure of anything: what
// a signal or a wait has to be is shown where the clock is the test's own, and a computer that tests may be slow and busy.
const Patience = 5 * time.Minute

// mirror is the folder of built providers, once there is one.
var mirror string

// Main runs a package's tests, removes what was built for them, and fails on goroutines that are left over.
func Main(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if mirror != "" {
			_ = os.RemoveAll(mirror)
		}
		os.Exit(code)
	}))
}

// build answers a folder in which the CLIs find the built provider as if they had downloaded it.
var build = sync.OnceValues(func() (string, error) {
	var err error
	if mirror, err = os.MkdirTemp("", "bettercompute-mirror-"); err != nil {
		return "", err
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	first := ""
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(mirror, registry, "better-compute", "bettercompute", version, runtime.GOOS+"_"+runtime.GOARCH)
		binary := filepath.Join(folder, "terraform-provider-bettercompute_v"+version)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", err
		}
		if first != "" {
			if err := os.Link(first, binary); err != nil {
				return "", err
			}
			continue
		}
		first = binary
		command := exec.CommandContext(context.Background(), "go", "build", "-tags", "grpcnotrace", "-trimpath", "-ldflags", "-s -w -X main.version="+version, "-o", binary, ".")
		command.Env = append(command.Environ(), "CGO_ENABLED=0")
		command.Dir = root
		if out, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	return mirror, nil
})

// moduleRoot answers the folder of go.mod, above the package under test.
func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	for ; err == nil; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		if folder == filepath.Dir(folder) {
			return "", errors.New("there is no go.mod above the test's folder")
		}
	}
	return "", err
}

// Workspace is a folder with a configuration, and a CLI to use it with.
type Workspace struct {
	*testing.T
	Folder string
	// Environment is what the CLI gets, besides what it needs to find the provider.
	Environment map[string]string
	cloud       *Cloud
	cli         string
}

// NewWorkspace makes an empty folder for a CLI, with the emulator's endpoint and token in its environment.
func NewWorkspace(t *testing.T, cloud *Cloud, cli string) *Workspace {
	t.Helper()
	mirror, err := build()
	if err != nil {
		t.Fatal(err)
	}
	made := &Workspace{T: t, Folder: t.TempDir(), cloud: cloud, cli: cli, Environment: map[string]string{
		"TF_CLI_CONFIG_FILE": settings(t, mirror), "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1",
		cloud.TokenVariable: cloud.Account().Token, "TF_VAR_endpoint": cloud.Account().Endpoint,
	}}
	if authority := cloud.Account().CACertificate; authority != "" {
		// The provider's process takes the emulator's authority for one of the system's.
		made.Environment["SSL_CERT_FILE"] = filepath.Join(t.TempDir(), "authority.pem")
		if err := os.WriteFile(made.Environment["SSL_CERT_FILE"], []byte(authority), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// settings answers the file with a CLI's settings under which it takes providers from folders and from nowhere else.
func settings(t *testing.T, mirrors ...string) string {
	t.Helper()
	text := "provider_installation {\n"
	for _, path := range mirrors {
		text += fmt.Sprintf("  filesystem_mirror {\n    path = %q\n  }\n", path)
	}
	file := filepath.Join(t.TempDir(), "cli.tfrc")
	if err := os.WriteFile(file, []byte(text+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Write puts the configuration there, in place of an earlier one. It says OFFER, IMAGE and the like in the place of the
// vendor's own words, ACCOUNT in the place of the argument for its account, and TOKEN in the place of the token's variable.
func (w *Workspace) Write(configuration string) {
	w.Helper()
	text := strings.ReplaceAll(configuration, "ACCOUNT", w.cloud.Block("env://TOKEN", "var.endpoint", ""))
	text = strings.ReplaceAll(w.cloud.Fill(text), "env://TOKEN", "env://"+w.cloud.TokenVariable)
	if err := os.WriteFile(filepath.Join(w.Folder, "main.tf"), []byte(text), 0o600); err != nil { //nolint:gosec // the folder is the test's own
		w.Fatal(err)
	}
}

// Init prepares the folder.
func (w *Workspace) Init() {
	w.Helper()
	w.Must("init")
}

// Must runs a command that has to end with 0, and answers what it printed.
func (w *Workspace) Must(arguments ...string) string {
	w.Helper()
	out, err := w.Run(arguments...)
	if err != nil {
		w.Fatalf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return out
}

// MustFail runs a command that has to end with another code than 0 and to say all texts, lines being joined.
func (w *Workspace) MustFail(says []string, arguments ...string) string {
	w.Helper()
	out, err := w.Run(arguments...)
	if err == nil {
		w.Fatalf("%s ends with 0\n%s", strings.Join(arguments, " "), out)
	}
	for _, text := range says {
		if !strings.Contains(Joined(out), text) {
			w.Errorf("%s does not say %q:\n%s", strings.Join(arguments, " "), text, out)
		}
	}
	return out
}

// Joined answers a CLI's output as one line, without the bars that it draws at its left.
func Joined(out string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(out)), " ")
}

// MustBeEmpty plans, and fails the test when anything would change.
func (w *Workspace) MustBeEmpty() {
	w.Helper()
	if out, err := w.Run("plan", "-detailed-exitcode"); err != nil {
		w.Fatalf("the plan is not empty: %v\n%s", err, out)
	}
}

// Run runs a command and answers what it printed.
func (w *Workspace) Run(arguments ...string) (string, error) {
	w.Helper()
	out, _, err := w.Start(arguments...).Wait()
	return out, err
}

// Process is a CLI under way.
type Process struct {
	*Workspace
	command *exec.Cmd
	out     *output
	// ended is closed when the process has ended, with err.
	ended chan struct{}
	err   error
}

// output collects what a process prints while others read it.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// Start begins a command in a process group of its own, so that signals reach the provider too, as from a terminal.
func (w *Workspace) Start(arguments ...string) *Process {
	w.Helper()
	all := slices.Clone(arguments)
	if all[0] != "state" && all[0] != "show" && all[0] != "version" && all[0] != "untaint" && all[0] != "taint" {
		all = append([]string{all[0], "-input=false", "-no-color"}, all[1:]...)
	}
	if all[0] == "apply" || all[0] == "destroy" {
		all = append([]string{all[0], "-auto-approve"}, all[1:]...)
	}
	command := exec.CommandContext(w.Context(), w.cli, all...)
	process := &Process{Workspace: w, command: command, out: &output{}, ended: make(chan struct{})}
	process.command.Dir, process.command.Env = w.Folder, w.environment()
	process.command.Stdout, process.command.Stderr = process.out, process.out
	process.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process.command.WaitDelay = 10 * time.Second
	if err := process.command.Start(); err != nil {
		w.Fatal(err)
	}
	go func() {
		process.err = command.Wait()
		close(process.ended)
	}()
	return process
}

// environment is the caller's without anything that would reach the CLI or the provider by accident.
func (w *Workspace) environment() []string {
	all := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "TF_") || strings.HasPrefix(name, "HCLOUD_") || strings.HasPrefix(name, "DIGITALOCEAN_") || strings.HasPrefix(name, "BETTERCOMPUTE_")
	})
	for name, value := range w.Environment {
		all = append(all, name+"="+value)
	}
	return all
}

// Kill ends the CLI and the provider at once, as kill -9 or a lost container does.
func (p *Process) Kill() {
	p.Helper()
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// Interrupt is Ctrl-C.
func (p *Process) Interrupt() { p.signal(syscall.SIGINT) }

// Terminate is SIGTERM, as from a service manager.
func (p *Process) Terminate() { p.signal(syscall.SIGTERM) }

func (p *Process) signal(signal syscall.Signal) {
	p.Helper()
	if err := syscall.Kill(-p.command.Process.Pid, signal); err != nil {
		p.Fatalf("%s: %v\n%s", signal, err, p.out)
	}
}

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Output is what the process has printed so far.
func (p *Process) Output() string { return p.out.String() }

// Wait answers what the process printed, and how long it took to end.
func (p *Process) Wait() (out string, took time.Duration, err error) {
	began := time.Now()
	<-p.ended
	return p.out.String(), time.Since(began), p.err
}

// Resource is a managed resource in a state.
type Resource struct {
	Address string         `json:"address"`
	Tainted bool           `json:"tainted"`
	Values  map[string]any `json:"values"`
}

// Resources answers what the state holds, by address.
func (w *Workspace) Resources() map[string]Resource {
	w.Helper()
	out, err := w.Run("show", "-json")
	if err != nil {
		w.Fatalf("show: %v\n%s", err, out)
	}
	var state struct {
		Values struct {
			RootModule struct {
				Resources []Resource `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	if err := json.Unmarshal([]byte(out), &state); err != nil {
		w.Fatalf("show: %v\n%s", err, out)
	}
	found := map[string]Resource{}
	for _, resource := range state.Values.RootModule.Resources {
		if !strings.HasPrefix(resource.Address, "data.") {
			found[resource.Address] = resource
		}
	}
	return found
}

// ExitCode answers the code that a command ended with.
func ExitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
)

// buildProvider returns the path of the provider's binary, which is alone in its folder.
func buildProvider(t testing.TB) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "terraform-provider-bettercompute")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// emulated is a running emulator: what its start line says.
type emulated struct {
	Hetzner      vendor `json:"hetzner"`
	DigitalOcean vendor `json:"digitalocean"`
	Proxmox      struct {
		URL           string `json:"url"`
		Token         string `json:"token"`
		CACertificate string `json:"ca_certificate"`
	} `json:"proxmox"`
	Control string `json:"control"`
	// furnished is what the vendors hold before anything is made.
	furnished []string
}

// vendor is one emulated vendor.
type vendor struct {
	Endpoint string `json:"endpoint"`
	Token    string `json:"token"`
}

// startEmulator runs the emulator until the test ends. Further flags win over the short action time.
func startEmulator(t testing.TB, binary string, flags ...string) emulated {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, append([]string{"emulator", "-action-time", "1ms"}, flags...)...)
	command.Stderr = t.Output()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The context of the test is over by now and has ended the process.
		if err := command.Wait(); err == nil {
			t.Error("the emulator ended by itself")
		}
	})

	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("no start line of the emulator: %v", err)
	}
	var cloud emulated
	if err := json.Unmarshal(line, &cloud); err != nil {
		t.Fatalf("start line of the emulator: %v", err)
	}
	cloud.furnished = cloud.inventory(t)
	return cloud
}

// held are the objects, each as "vendor kind id", that the emulated vendors have come to hold since they were started.
func (e emulated) held(t testing.TB) []string {
	t.Helper()
	return slices.DeleteFunc(e.inventory(t), func(object string) bool { return slices.Contains(e.furnished, object) })
}

// inventory leaves out DigitalOcean's tags that are labels: they stay, since a firewall may be on them.
func (e emulated) inventory(t testing.TB) []string {
	t.Helper()
	var inventory map[string]map[string][]struct {
		ID string `json:"id"`
	}
	e.ask(t, "/inventory", &inventory)
	var objects []string
	for vendor, kinds := range inventory {
		for kind, all := range kinds {
			for _, one := range all {
				if kind != "tags" || strings.HasPrefix(one.ID, "better-compute") {
					objects = append(objects, vendor+" "+kind+" "+one.ID)
				}
			}
		}
	}
	slices.Sort(objects)
	return objects
}

// request is what the journal tells of one.
type request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
}

// requests are those that the emulated vendors got and that are wanted.
func (e emulated) requests(t testing.TB, wanted func(request) bool) int {
	t.Helper()
	var journal []request
	e.ask(t, "/journal", &journal)
	count := 0
	for _, entry := range journal {
		if wanted(entry) {
			count++
		}
	}
	return count
}

func isWrite(r request) bool { return r.Method != http.MethodGet }

// ask decodes what the control answers.
func (e emulated) ask(t testing.TB, path string, answer any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.Control+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s", path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		t.Fatal(err)
	}
}

// cli is a CLI in an empty folder of its own, with the built provider in the place of a published one.
type cli struct {
	path, folder string
	environment  []string
}

func newCLI(t testing.TB, path, binary string, cloud emulated) cli {
	t.Helper()
	settings := filepath.Join(t.TempDir(), "cli-config.tfrc")
	text := fmt.Sprintf(`provider_installation {
  dev_overrides {
    "registry.terraform.io/better-compute/bettercompute" = %[1]q
    "registry.opentofu.org/better-compute/bettercompute" = %[1]q
  }
  direct {}
}
`, filepath.Dir(binary))
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	authority := certpemtest.NewAuthority(t, time.Now())
	shop := authority.Leaf(t, time.Now().Add(24*time.Hour), "shop.example.com")
	return cli{path: path, folder: t.TempDir(), environment: append(os.Environ(),
		"TF_CLI_CONFIG_FILE="+settings,
		"CHECKPOINT_DISABLE=1",
		"BETTERCOMPUTE_IDENTITY="+newIdentity(t, binary),
		"SHOP_CERTIFICATE="+certpemtest.PEM(shop)+authority.Chain(),
		"SHOP_PRIVATE_KEY="+certpemtest.KeyPEM(t, shop),
		"HCLOUD_TOKEN="+cloud.Hetzner.Token,
		"DIGITALOCEAN_TOKEN="+cloud.DigitalOcean.Token,
		"TF_VAR_hetzner_endpoint="+cloud.Hetzner.Endpoint,
		"TF_VAR_digitalocean_endpoint="+cloud.DigitalOcean.Endpoint,
		"PROXMOX_VE_API_TOKEN="+cloud.Proxmox.Token,
		"TF_VAR_proxmox_url="+cloud.Proxmox.URL,
		"TF_VAR_proxmox_ca_certificate="+cloud.Proxmox.CACertificate,
	)}
}

// newIdentity makes the age identity that opens a sealed file.
func newIdentity(t testing.TB, binary string) string {
	t.Helper()
	identity, err := exec.CommandContext(t.Context(), binary, "secret", "keygen").Output()
	if err != nil {
		t.Fatalf("secret keygen: %v", err)
	}
	return string(identity)
}

// copy takes the files of a folder over whose names are wanted.
func (c cli) copy(t *testing.T, folder string, wanted func(name string) bool) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !wanted(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.folder, entry.Name()), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// run fails the test unless the command ends with 0, and returns what it printed. A plan with -detailed-exitcode that
// has changes in it ends with 2.
func (c cli) run(t testing.TB, command string, arguments ...string) string {
	t.Helper()
	all := append([]string{command, "-no-color"}, arguments...)
	if command != "test" { // which never asks and knows no such flag
		all = append(all, "-input=false")
	}
	process := exec.CommandContext(t.Context(), c.path, all...)
	process.Dir, process.Env = c.folder, c.environment
	out, err := process.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

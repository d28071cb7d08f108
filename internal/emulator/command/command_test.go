// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/command"
)

// variables are what commands and shells get, in this order.
var variables = []string{
	"HCLOUD_TOKEN", "HCLOUD_ENDPOINT", "TF_VAR_hetzner_endpoint", "DIGITALOCEAN_TOKEN", "DIGITALOCEAN_ACCESS_TOKEN",
	"DIGITALOCEAN_API_URL", "TF_VAR_digitalocean_endpoint", "PROXMOX_VE_ENDPOINT", "PROXMOX_VE_API_TOKEN", "PROXMOX_TOKEN",
	"TF_VAR_proxmox_url", "TF_VAR_proxmox_ca_certificate", "TF_VAR_proxmox_tls_fingerprint", "BETTERCOMPUTE_EMULATOR_CONTROL",
}

// childMode tells the test's own binary to be the COMMAND of a test.
const childMode = "EMULATOR_TEST_COMMAND"

func TestMain(m *testing.M) {
	switch os.Getenv(childMode) {
	case "environment":
		for _, name := range variables {
			fmt.Printf("%s=%s\n", name, strings.ReplaceAll(os.Getenv(name), "\n", "|"))
		}
		fmt.Println(strings.Join(os.Args[1:], " "))
		os.Exit(7)
	case "signal":
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM)
		fmt.Println("ready")
		<-signals
		os.Exit(9)
	case "killed":
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// serve runs the subcommand until the test ends and gives the first lines that it prints.
func serve(t *testing.T, lines int, arguments ...string) []string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- command.Run(ctx, arguments, writer, t.Output()) }()
	t.Cleanup(func() {
		cancel()
		_ = reader.Close() // a line that nobody reads must not keep the command from ending
		if got := <-code; got != 0 {
			t.Errorf("exit code %d after the end of the context, want 0", got)
		}
	})
	printed := bufio.NewScanner(reader)
	var got []string
	for len(got) < lines && printed.Scan() {
		got = append(got, printed.Text())
	}
	return got
}

// TestStartLine: one line of JSON with what a client needs, and it works.
func TestStartLine(t *testing.T) {
	line := serve(t, 1, "-action-time", "1ms", "-delay", "1ms")[0]
	var start struct {
		Hetzner, DigitalOcean struct {
			Endpoint, Token string
			Tokens          map[string]string
		}
		Proxmox struct {
			URL, Token     string
			Tokens         map[string]string
			CACertificate  string `json:"ca_certificate"`
			TLSFingerprint string `json:"tls_fingerprint"`
		}
		Control string
	}
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&start); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	if len(start.Hetzner.Token) != 64 || len(start.Hetzner.Tokens["foreign"]) != 64 || len(start.Hetzner.Tokens["read_only"]) != 64 {
		t.Errorf("tokens in %s", line)
	}
	if !strings.HasPrefix(start.Proxmox.URL, "https://127.0.0.1:") || !strings.HasPrefix(start.Proxmox.Token, "root@pam!emulator=") || len(start.Proxmox.Tokens["no_audit"]) < 36 {
		t.Errorf("Proxmox in %s", line)
	}
	if !strings.HasPrefix(start.Proxmox.CACertificate, "-----BEGIN CERTIFICATE-----") || strings.Count(start.Proxmox.TLSFingerprint, ":") != 31 {
		t.Errorf("certificate in %s", line)
	}
	status, _ := get(t, start.Hetzner.Endpoint+"/servers", start.Hetzner.Token)
	if status != 200 || !strings.HasSuffix(start.Hetzner.Endpoint, "/v1") {
		t.Errorf("%s/servers answers %d", start.Hetzner.Endpoint, status)
	}
	ocean := start.DigitalOcean
	for name, token := range map[string]string{"main": ocean.Token, "foreign": ocean.Tokens["foreign"], "read_only": ocean.Tokens["read_only"]} {
		if status, _ := get(t, ocean.Endpoint+"v2/droplets", token); status != 200 || !regexp.MustCompile(`^dop_v1_[0-9a-f]{64}$`).MatchString(token) {
			t.Errorf("%sv2/droplets answers %d to the token %s", ocean.Endpoint, status, name)
		}
	}
	if _, body := get(t, start.Control+"/settings", ""); !strings.Contains(body, `"action_time":{"value":"1ms"`) || !strings.Contains(body, `"delay":{"value":"1ms"`) {
		t.Errorf("settings: %s", body)
	}
}

func get(t *testing.T, url, token string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestShellExports(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout bytes.Buffer
	if code := command.Run(ctx, []string{"-env"}, &stdout, t.Output()); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	exports := strings.SplitAfter(strings.TrimSpace(stdout.String()), "'\n")
	if len(exports) != len(variables) {
		t.Fatalf("%d exports in %s", len(exports), stdout.String())
	}
	for i, name := range variables {
		if got := strings.TrimSpace(exports[i]); !strings.HasPrefix(got, "export "+name+"='") || !strings.HasSuffix(got, "'") {
			t.Errorf("export %d: %s", i, got)
		}
	}
}

func TestRefusedArguments(t *testing.T) {
	for name, test := range map[string]struct {
		arguments []string
		code      int
		message   string
	}{
		"every interface":      {[]string{"-hetzner", "0.0.0.0:0"}, 1, "not loopback"},
		"control for everyone": {[]string{"-control", ":0"}, 1, "not loopback"},
		"no port":              {[]string{"-hetzner", "127.0.0.1"}, 1, "missing port"},
		"unknown flag":         {[]string{"-colour", "red"}, 2, "not defined"},
		"Proxmox for everyone": {[]string{"-proxmox", "0.0.0.0:0"}, 1, "not loopback"},
		"command without --":   {[]string{"terraform", "apply"}, 2, "stands after --"},
		"-- without command":   {[]string{"--"}, 2, "no COMMAND"},
		"negative time":        {[]string{"-action-time", "-1s"}, 2, "negative"},
		"time without a unit":  {[]string{"-delay", "5"}, 2, "invalid value"},
		"missing program":      {[]string{"--", "no-such-program-anywhere"}, 127, "no-such-program-anywhere"},
		"help":                 {[]string{"-h"}, 0, "Usage: emulator"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := command.Run(t.Context(), test.arguments, &stdout, &stderr)
			if code != test.code || !strings.Contains(stderr.String(), test.message) {
				t.Errorf("exit code %d, standard error %q", code, stderr.String())
			}
			if stdout.Len() > 0 {
				t.Errorf("printed %q", stdout.String())
			}
		})
	}
}

// TestCommandGetsTheEnvironment and its own arguments, and its exit code is passed on.
func TestCommandGetsTheEnvironment(t *testing.T) {
	t.Setenv(childMode, "environment")
	var stdout, stderr bytes.Buffer
	code := command.Run(t.Context(), []string{"-action-time", "0s", "--", os.Args[0], "-env", "--", "x"}, &stdout, &stderr)
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if code != 7 || len(lines) != len(variables)+1 {
		t.Fatalf("exit code %d, printed %q, standard error %q", code, lines, stderr.String())
	}
	if !strings.HasPrefix(lines[1], "HCLOUD_ENDPOINT=http://127.0.0.1:") || lines[2] != strings.Replace(lines[1], "HCLOUD_ENDPOINT", "TF_VAR_hetzner_endpoint", 1) {
		t.Errorf("endpoints: %q", lines[1:3])
	}
	if len(lines[0]) != len("HCLOUD_TOKEN=")+64 || lines[len(variables)] != "-env -- x" {
		t.Errorf("token %q, arguments %q", lines[0], lines[len(variables)])
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/command"
)

func fileWith(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "inventory.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPlantedObjectsAreThereFromTheStart, also those that need one of another kind.
func TestPlantedObjectsAreThereFromTheStart(t *testing.T) {
	file := fileWith(t, `{"hetzner":{"networks":[{"name":"backend"}]},"proxmox":{"vnets":[{"vnet":"back","zone":"lab"}],"zones":[{"zone":"lab"}]}}`)
	var start struct{ Control string }
	if err := json.Unmarshal([]byte(serve(t, 1, "-plant", file)[0]), &start); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, start.Control+"/inventory", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer response.Body.Close()
	var inventory map[string]map[string][]struct{ Name string }
	if err := json.NewDecoder(response.Body).Decode(&inventory); err != nil {
		t.Fatal(err)
	}
	if networks := inventory["hetzner"]["networks"]; len(networks) != 1 || networks[0].Name != "backend" {
		t.Errorf("networks: %v", networks)
	}
	if vnets := inventory["proxmox"]["vnets"]; len(vnets) != 1 {
		t.Errorf("VNets: %v", vnets)
	}
}

func TestWhatCannotBePlantedIsSaid(t *testing.T) {
	for title, test := range map[string]struct{ file, says string }{
		"no such file":     {filepath.Join(t.TempDir(), "none.json"), "none.json"},
		"no JSON":          {fileWith(t, "networks: []"), "invalid character"},
		"no such vendor":   {fileWith(t, `{"hetzner-cloud":{"networks":[{}]}}`), `the vendor "hetzner-cloud" is not served`},
		"no such kind":     {fileWith(t, `{"hetzner":{"vpcs":[{}]}}`), `hetzner has no "vpcs"`},
		"no such field":    {fileWith(t, `{"hetzner":{"networks":[{"label":"backend"}]}}`), "hetzner networks: "},
		"a broken network": {fileWith(t, `{"hetzner":{"networks":[{"ip_range":"10/8"}]}}`), "ip_range"},
	} {
		t.Run(title, func(t *testing.T) {
			var stderr bytes.Buffer
			if code := command.Run(t.Context(), []string{"-plant", test.file}, io.Discard, &stderr); code != 1 || !strings.Contains(stderr.String(), test.says) {
				t.Errorf("exit code %d, %s", code, stderr.String())
			}
		})
	}
}

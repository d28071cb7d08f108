// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/drift"
)

func page(t *testing.T, name string) string {
	t.Helper()
	var text strings.Builder
	if err := write(&text, []string{name}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestEveryVendorIsInTheTable with all its capabilities: one that is new shows up without being listed anywhere.
func TestEveryVendorIsInTheTable(t *testing.T) {
	text := page(t, "vendors")
	for _, kind := range cloud.Kinds() {
		if !strings.Contains(text, "`"+kind.Manifest.Kind+"`") || !strings.Contains(text, kind.Manifest.Title) {
			t.Errorf("%s is not in the table", kind.Manifest.Kind)
		}
	}
	side, _, _ := strings.Cut(text, "\n## ")
	for line := range strings.Lines(side) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != len(cloud.Kinds())+2 {
			t.Errorf("not a cell for each vendor: %s", line)
		}
	}
	if !strings.Contains(text, "| reserved addresses | yes | yes | – |") {
		t.Errorf("what Proxmox VE does not have:\n%s", text)
	}
}

func TestEveryOptionIsExplained(t *testing.T) {
	text := page(t, "vendors")
	for _, kind := range cloud.Kinds() {
		_, own, _ := strings.Cut(text, "\n### "+kind.Manifest.Title+"\n")
		own, _, _ = strings.Cut(own, "\n### ")
		for _, option := range kind.Options {
			if !strings.Contains(own, "| `"+argument(kind.Manifest, option)+"` |") {
				t.Errorf("%s: %s is not in the table", kind.Manifest.Kind, option.Name)
			}
		}
	}
	for _, row := range []string{
		"| `hetzner_cloud.ssh_key_ids` | replaces | no |", "| `public_ipv6` | in place, to `false` replaces | yes |",
		"| `proxmox.cpu_type` | stops and starts | yes |", "| `delete_protection` | in place | kept in the state alone |",
	} {
		if !strings.Contains(text, row) {
			t.Errorf("no row %s", row)
		}
	}
}

func TestEveryCodeIsExplained(t *testing.T) {
	text := page(t, "errors")
	for _, row := range compute.Codes {
		if !strings.Contains(text, "| `"+string(row.Code)+"` |") {
			t.Errorf("%s is not in the table", row.Code)
		}
	}
}

func TestUnknownPage(t *testing.T) {
	var text strings.Builder
	if err := write(&text, []string{"nothing"}); err == nil || !strings.Contains(err.Error(), "drift, errors, vendors") || text.Len() > 0 {
		t.Errorf("error %v, written %q", err, text.String())
	}
}

// TestEveryResourceHasATableOfDrift with a cell for each vendor in each row.
func TestEveryResourceHasATableOfDrift(t *testing.T) {
	text := page(t, "drift")
	for _, table := range drift.Tables {
		if !strings.Contains(text, "## "+table.Resource+"\n") {
			t.Errorf("%s is not there", table.Resource)
		}
		for _, row := range table.Rows {
			if !strings.Contains(text, "| `"+row.Attribute+"` | "+row.Change+" |") {
				t.Errorf("%s: %s: %s is not there", table.Resource, row.Attribute, row.Change)
			}
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != len(cloud.Kinds())+3 {
			t.Errorf("not a cell for each vendor: %s", line)
		}
	}
}

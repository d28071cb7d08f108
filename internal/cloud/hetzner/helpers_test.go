// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func itoa(number int) string { return strconv.Itoa(number) }

func jsonAnswer(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
	}
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// firstOf answers a body whose list of this name has its first element only.
func firstOf(t *testing.T, body []byte, list string) []byte {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	value[list] = value[list].([]any)[:1]
	shorter, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return shorter
}

// furnish plants what the options of the contract name.
func (p *project) furnish() {
	p.Helper()
	for _, one := range []struct {
		kind   string
		fields emulator.Fields
	}{
		{"networks", emulator.Fields{"name": "blue"}},
		{"networks", emulator.Fields{"name": "green", "ip_range": "10.0.0.0/16"}},
		{"firewalls", emulator.Fields{"name": "web"}},
		{"firewalls", emulator.Fields{"name": "db"}},
		{"placement_groups", emulator.Fields{"name": "spread"}},
	} {
		if _, err := p.Plant("hetzner", one.kind, one.fields); err != nil {
			p.Fatal(err)
		}
	}
	client := p.open("env://HCLOUD_TOKEN").client
	for name, letter := range map[string]string{"laptop": "L", "desk": "D"} {
		key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + strings.Repeat(letter, 40) + "AAA me"
		if _, _, err := client.SSHKey.Create(p.Context(), hcloud.SSHKeyCreateOpts{Name: name, PublicKey: key}); err != nil {
			p.Fatal(err)
		}
	}
}

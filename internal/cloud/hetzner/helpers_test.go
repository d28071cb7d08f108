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
	for kind, all := range map[string][]string{
		"networks":         {`{"name":"blue"}`, `{"name":"green","ip_range":"10.1.0.0/16","subnets":[{"type":"cloud","ip_range":"10.1.1.0/24","network_zone":"eu-central"}]}`},
		"firewalls":        {`{"name":"web"}`, `{"name":"db"}`},
		"placement_groups": {`{"name":"spread"}`},
	} {
		for _, text := range all {
			fields := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(text), &fields); err != nil {
				p.Fatal(err)
			}
			if _, err := p.Plant("hetzner", kind, fields); err != nil {
				p.Fatal(err)
			}
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

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// plantedObject is something that others have made at a vendor, for options to name.
type plantedObject struct {
	kind   string
	fields emulator.Fields
}

// furniture is what each vendor has in a furnished emulator.
var furniture = map[string][]plantedObject{
	"hetzner": {
		{"networks", emulator.Fields{"name": "blue", "ip_range": "10.0.0.0/16"}}, {"networks", emulator.Fields{"name": "green", "ip_range": "10.0.0.0/16"}},
		{"firewalls", emulator.Fields{"name": "web"}}, {"firewalls", emulator.Fields{"name": "db"}}, {"placement_groups", emulator.Fields{"name": "spread"}},
	},
	"digitalocean": {
		{"vpcs", emulator.Fields{"name": "blue", "region": "fra1", "ip_range": "192.168.7.0/24"}},
		{"vpcs", emulator.Fields{"name": "green", "region": "fra1", "ip_range": "192.168.8.0/24"}},
	},
	"proxmox": {
		{"bridges", emulator.Fields{"node": "pve1", "iface": "vmbr9", "bridge_vlan_aware": true}},
	},
}

// keyPaths take an SSH key.
var keyPaths = map[string]string{"hetzner": "/ssh_keys", "digitalocean": "v2/account/keys"}

// projects are in a furnished emulator of DigitalOcean.
var projects = []string{"shop", "blog"}

// Furnish makes what options of machines can name, as others do: the networks blue and green, the firewalls web and db, the
// placement group spread, the SSH keys laptop and desk and the projects shop and blog, as far as the vendor has such, or the
// bridge vmbr9. It answers the ids by name, but for those of keys.
func Furnish(t *testing.T, e *emulator.Emulator, vendor Vendor) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, one := range furniture[vendor.Name] {
		made, err := e.Plant(vendor.Name, one.kind, one.fields)
		must(t, err)
		ids[made.Name] = made.ID
	}
	if vendor.Name == "digitalocean" {
		for _, name := range projects {
			ids[name] = addProject(t, e, name)
		}
	}
	at, keeps := keyPaths[vendor.Name]
	if !keeps {
		return ids
	}
	for name, letter := range map[string]string{"laptop": "L", "desk": "D"} {
		key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + strings.Repeat(letter, 40) + "AAA me"
		AsOthers(t, vendor.Of(e), http.MethodPost, at, map[string]any{"name": name, "public_key": key}, nil)
	}
	return ids
}

// addProject makes a project at DigitalOcean and answers its id.
func addProject(t *testing.T, e *emulator.Emulator, name string) string {
	t.Helper()
	var made struct{ Project struct{ ID string } }
	AsOthers(t, e.DigitalOcean, http.MethodPost, "v2/projects", map[string]any{"name": name, "purpose": "Service or API"}, &made)
	return made.Project.ID
}

// AsOthers sends a request that others make with a token of the same place, to a path below the endpoint. The answer has to
// be one of success and is decoded unless answer is nil.
func AsOthers(t *testing.T, vendor *emulator.Vendor, method, at string, fields map[string]any, answer any) {
	t.Helper()
	var body io.Reader
	if fields != nil {
		text, err := json.Marshal(fields)
		must(t, err)
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, vendor.Endpoint+at, body)
	must(t, err)
	request.Header.Set("Authorization", authorization(vendor.Token))
	request.Header.Set("Content-Type", "application/json")
	response, err := vendor.Transport().RoundTrip(request)
	must(t, err)
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %s", method, at, response.Status)
	}
	if answer != nil {
		must(t, json.NewDecoder(response.Body).Decode(answer))
	}
}

// authorization is the header for a token: those of Proxmox VE name their user.
func authorization(token string) string {
	if strings.Contains(token, "!") {
		return "PVEAPIToken=" + token
	}
	return "Bearer " + token
}

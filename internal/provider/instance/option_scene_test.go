// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// plantedObject is something that others have made at a vendor, for options to name.
type plantedObject struct {
	kind   string
	fields emulator.Fields
}

// furniture is what each vendor has in a furnished scene.
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

// onEachVendorInMemory runs a scenario on every vendor, in a bubble whose time is not waited for.
func onEachVendorInMemory(t *testing.T, run func(t *testing.T, vendor providertest.Vendor)) {
	t.Helper()
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		synctest.Test(t, func(t *testing.T) { run(t, vendor) })
	})
}

// furnished is a scene in memory with networks, firewalls, a placement group, SSH keys and projects, as far as the vendor has such. It answers
// their ids by name.
func furnished(t *testing.T, vendor providertest.Vendor) (*providertest.Scene, map[string]string) {
	t.Helper()
	s := providertest.NewSceneInMemory(t, vendor)
	ids := furnish(t, s.Emulator, vendor)
	s.Emulator.ClearJournal()
	return s, ids
}

func furnish(t *testing.T, e *emulator.Emulator, vendor providertest.Vendor) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, one := range furniture[vendor.Name] {
		made, err := e.Plant(vendor.Name, one.kind, one.fields)
		if err != nil {
			t.Fatal(err)
		}
		ids[made.Name] = made.ID
	}
	for name, letter := range map[string]string{"laptop": "L", "desk": "D"} {
		if at := keyPaths[vendor.Name]; at != "" {
			addKey(t, vendor.Of(e), at, name, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"+strings.Repeat(letter, 40)+"AAA me")
		}
	}
	if vendor.Name == "digitalocean" {
		for _, name := range []string{"shop", "blog"} {
			ids[name] = addProject(t, e, name)
		}
	}
	return ids
}

// addProject makes a project at DigitalOcean and answers its id.
func addProject(t *testing.T, e *emulator.Emulator, name string) string {
	t.Helper()
	var made struct{ Project struct{ ID string } }
	asOthers(t, e.DigitalOcean, http.MethodPost, "v2/projects", map[string]any{"name": name, "purpose": "Service or API"}, &made)
	return made.Project.ID
}

func addKey(t *testing.T, vendor *emulator.Vendor, at, name, key string) {
	t.Helper()
	asOthers(t, vendor, http.MethodPost, at, map[string]any{"name": name, "public_key": key}, nil)
}

// asOthers sends a request that others make with a token of the same place.
func asOthers(t *testing.T, vendor *emulator.Vendor, method, at string, fields map[string]any, answer any) {
	t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, vendor.Endpoint+at, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+vendor.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := vendor.Transport().RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %s", method, at, response.Status)
	}
	if answer == nil {
		return
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		t.Fatal(err)
	}
}

// withOption answers a configuration with an option, given as "public_ipv4" or "hetzner_cloud.firewall_ids".
func withOption(config providertest.Attributes, at string, value any) providertest.Attributes {
	outer, name, nested := strings.Cut(at, ".")
	if !nested {
		return with(config, at, value)
	}
	object, ok := config[outer].(providertest.Attributes)
	if !ok {
		object = providertest.Attributes{}
	}
	return with(config, outer, with(object, name, value))
}

func with(object providertest.Attributes, name string, value any) providertest.Attributes {
	changed := maps.Clone(object)
	changed[name] = value
	return changed
}

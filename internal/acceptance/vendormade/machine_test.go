// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// machine is what a vendor's own provider makes with every option, and what its import changes.
type machine struct {
	// make makes it through the vendor's API.
	make func(t *testing.T, cloud *acceptance.Cloud)
	// unread are the arguments that no answer of the vendor tells, by attribute: the plan takes what is written.
	unread map[string]any
	// named are the arguments that name objects of the vendor, in which the state has ids at first.
	named map[string]any
	// follows are the attributes that a name leaves open until the apply: a plan takes nobody's word for what it stands for.
	follows []string
	// missing is what a generated configuration leaves null though it is required.
	missing map[string]string
	// marks are the requests of the apply that are no reads, as writes answers them.
	marks []string
}

var machines = map[string]machine{"hetzner": hetznerMachine, "digitalocean": digitaloceanMachine, "proxmox": proxmoxMachine}

// always changes with the first plan after an import: the marks are missing, and what the machine costs no machine tells. The
// prices make that plan a change even where nothing else is, and its apply ends the import.
var always = changes{"managed": {false, true}, "price_per_hour": {nil, open}, "currency": {nil, open}}

// written answers the changes of a configuration whose names are spelled in some way; kept are those of the state.
func (m machine) written(spelled, kept spelling) changes {
	all := maps.Clone(always)
	for name, value := range m.unread {
		all[name] = change{nil, spelled.value(value)}
	}
	for name, value := range m.named {
		if before, after := kept.value(value), spelled.value(value); !reflect.DeepEqual(before, after) {
			all[name] = change{before, after}
		}
	}
	return all
}

// spelling is how the vendor's objects are written, by name; empty: by their names.
type spelling map[string]string

// value answers a text, or a list of texts, in the spelling.
func (s spelling) value(value any) any {
	switch value := value.(type) {
	case string:
		if id, there := s[value]; there {
			return id
		}
	case []any:
		spelled := make([]any, len(value))
		for i, one := range value {
			spelled[i] = s.value(one)
		}
		return spelled
	}
	return value
}

// text answers a configuration in the spelling.
func (s spelling) text(configuration string) string {
	for name, id := range s {
		configuration = strings.ReplaceAll(configuration, "\""+name+"\"", "\""+id+"\"")
	}
	return configuration
}

// furniture are the names of what machines are ordered with.
var furniture = []string{"backend", "edge", "apart"}

// idsOf answers the ids of the furniture.
func idsOf(cloud *acceptance.Cloud) spelling {
	ids := spelling{}
	for _, objects := range cloud.Inventory()[cloud.Name] {
		for _, object := range objects {
			if slices.Contains(furniture, object.Name) {
				ids[object.Name] = object.ID
			}
		}
	}
	return ids
}

// send sends a request to the vendor and answers the body of the answer.
func send(t *testing.T, cloud *acceptance.Cloud, method, path string, form url.Values) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "https://vendor.example"+path, strings.NewReader(form.Encode()))
	noError(t, err)
	request.Header.Set("Authorization", "Bearer "+cloud.Account().Token)
	if cloud.Name == "proxmox" {
		request.Header.Set("Authorization", "PVEAPIToken="+cloud.Account().Token)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := cloud.Account().Transport().RoundTrip(request)
	noError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	noError(t, err)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s %s", method, path, response.Status, text)
	}
	return string(text)
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryOptionIsWritten and is read back, unless its vendor does not tell it or has no such thing: one that is new fails here
// until the machines have it.
func TestEveryOptionIsWritten(t *testing.T) {
	instead := map[string]string{"vpc_uuid": "network", "bridge": "network", "vlan": "network"}
	for _, vendor := range providertest.Vendors {
		kind, _ := cloud.KindByName(vendor.Kind)
		text := testdata(t, vendor.Name)
		for _, option := range kind.Options {
			name := option.Name
			if !option.Common {
				name = kind.Manifest.Attribute + "." + name
			}
			if !regexp.MustCompile(`(?m)^ +` + cmp.Or(instead[option.Name], option.Name) + ` +=`).MatchString(text) {
				t.Errorf("%s: %s is not written", vendor.Name, name)
			}
			if _, unread := machines[vendor.Name].unread[name]; unread != (option.Hidden || option.Local) {
				t.Errorf("%s: %s is left out when the machine is read: %t", vendor.Name, name, unread)
			}
		}
	}
}

const beginning = acceptance.Header + acceptance.AccountMain + `
import {
  to = bettercompute_instance.web
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "web")
}

`

// testdata reads a file of this package's.
func testdata(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".tf"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

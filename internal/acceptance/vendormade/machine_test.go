// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
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

// furniture are the names of what the machines of both clouds are given besides.
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

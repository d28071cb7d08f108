// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"net/http"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// vendor is what the benches know of one vendor: what all scenarios know of it.
type vendor struct{ providertest.Vendor }

// vendors are all of them.
func vendors() []vendor {
	var all []vendor
	for _, one := range providertest.Vendors {
		all = append(all, vendor{one})
	}
	return all
}

// ordersMachine tells the requests that make a machine.
func (v vendor) ordersMachine(entry emulator.Entry) bool {
	cloned := v.clones() && strings.HasSuffix(entry.Path, "/clone") // of either template
	return entry.Vendor == v.Name && entry.Method == http.MethodPost && (entry.Path == v.CreatePath || cloned)
}

// clones says that a machine is made by cloning a template, and reinstalled likewise.
func (v vendor) clones() bool { return strings.HasSuffix(v.CreatePath, "/clone") }

// unfinished says whether an object bears the mark of a create that has not come to its end.
func (v vendor) unfinished(machine emulator.Object) bool {
	_, marks := v.Labels(machine)
	return marks["creating"] != ""
}

// unmark takes all marks off a machine, as another tool would.
func (v vendor) unmark(world *emulator.Emulator, machine emulator.Object) error {
	labels, _ := v.Labels(machine)
	return v.Relabel(world, machine.ID, labels, nil)
}

// reference is the account object of the vendor, as the data source gives it.
func (v vendor) reference(t *testing.T, world *emulator.Emulator) arguments {
	t.Helper()
	kind, known := cloud.KindByName(v.Kind)
	if !known {
		t.Fatalf("there is no kind %s", v.Kind)
	}
	config, err := kind.Manifest.Canonical(v.Values(world, "env://"+v.TokenVariable))
	if err != nil {
		t.Fatal(err)
	}
	return arguments{"id": compute.AccountID("root", v.Kind, "main", ""), "tenant_id": "root", "kind": v.Kind, "config": config}
}

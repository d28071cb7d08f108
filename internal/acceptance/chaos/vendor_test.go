// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"net/http"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/hetzner"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// vendor is what the benches have to know of one vendor.
type vendor struct {
	// name is the emulator's, machines its kind of objects that are machines.
	name, machines string
	kind           driver.Kind
	served         func(*emulator.Emulator) *emulator.Vendor
	// account is a config for the emulated vendor, with its token in the environment variable tokenVariable.
	account func(*emulator.Vendor) manifest.Values
	// offer and the images are two that every create takes.
	offer, image, otherImage string
	// creates tells the requests that make a machine.
	creates func(emulator.Entry) bool
	// marked says whether an object bears a mark of ours; creating, whether it bears that of an unfinished create.
	marked, creating func(emulator.Object) bool
	// stranger is a machine of somebody else; wiped are fields that take all marks off one of ours.
	stranger, wiped emulator.Fields
}

const tokenVariable = "CHAOS_TOKEN"

var vendors = []vendor{
	{
		name: "hetzner", machines: "servers", kind: hetzner.Kind(),
		served: func(cloud *emulator.Emulator) *emulator.Vendor { return cloud.Hetzner },
		account: func(served *emulator.Vendor) manifest.Values {
			return manifest.Values{"token": "env://" + tokenVariable, "endpoint": served.Endpoint}
		},
		offer: "cx23", image: "debian-13", otherImage: "ubuntu-24.04",
		creates: func(entry emulator.Entry) bool {
			return entry.Method == http.MethodPost && entry.Path == "/v1/servers"
		},
		marked:   func(object emulator.Object) bool { return object.Labels["better-compute.io/idempotency-key"] != "" },
		creating: func(object emulator.Object) bool { return object.Labels["better-compute.io/creating"] != "" },
		stranger: emulator.Fields{"name": "stranger", "labels": map[string]string{"team": "others"}},
		wiped:    emulator.Fields{"labels": map[string]string{}},
	},
}

// reference is the account object of the vendor, as the data source gives it.
func (v vendor) reference(t *testing.T, cloud *emulator.Emulator) arguments {
	t.Helper()
	config, err := v.kind.Manifest.Canonical(v.account(v.served(cloud)))
	if err != nil {
		t.Fatal(err)
	}
	kind := v.kind.Manifest.Kind
	return arguments{"id": compute.AccountID("root", kind, "main", ""), "tenant_id": "root", "kind": kind, "config": config}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// leftOut are options that another one stands for in the operations, since both set the same thing.
var leftOut = []string{"digitalocean.vpc_uuid", "proxmox.bridge", "proxmox.vlan", "proxmox.protection"}

// Every option that a vendor has is written in an operation: one that is new fails here until it takes part.
func TestEveryOptionIsInterrupted(t *testing.T) {
	for _, on := range machines() {
		written := map[string]string{}
		for _, operation := range on.possible() {
			if operation.after != nil {
				maps.Copy(written, texts("", operation.after(on.vendor)))
			}
		}
		kind, _ := cloud.KindByName(on.Kind)
		for _, option := range kind.Options {
			name := option.Name
			if !option.Common {
				name = kind.Manifest.Attribute + "." + name
			}
			if _, takesPart := written[name]; !takesPart && !slices.Contains(leftOut, name) {
				t.Errorf("no operation at %s asks for %s", on.Name, name)
			}
		}
	}
}

// Host names of addresses are asked for where the vendor has such, and nowhere else.
func TestHostNamesAreInterruptedWhereTheyAre(t *testing.T) {
	for _, on := range subjects() {
		if on.resource != &addresses {
			continue
		}
		asked := slices.ContainsFunc(on.possible(), func(one operation) bool {
			return one.after != nil && one.after(on.vendor)["reverse_dns"] != nil
		})
		world := emulator.InMemory(t, emulator.Options{})
		account, err := cloud.NewAccounts(cloud.Options{TenantID: "root"}).Open(t.Context(), referenceOf(on.reference(t, world)))
		if err != nil {
			t.Fatal(err)
		}
		if has := account.Has(compute.CapabilityReverseDNS); asked != has {
			t.Errorf("%s: asked for %t, the vendor has them: %t", on.Name, asked, has)
		}
	}
}

func referenceOf(account arguments) compute.Reference {
	text := func(name string) string { return fmt.Sprint(account[name]) }
	return compute.Reference{ID: text("id"), TenantID: text("tenant_id"), Kind: text("kind"), Config: text("config")}
}

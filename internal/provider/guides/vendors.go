// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

const vendorsBeginning = `---
page_title: "What each vendor can do"
description: |-
  The vendors side by side: what their accounts are called, what can be done with their machines, addresses and certificates, and where they differ.
---

# What each vendor can do

One configuration runs at every vendor, by its account. What a vendor does not have is refused in the plan (UNSUPPORTED),
before anything is made. This table is made from the drivers themselves.

`

const vendorsEnd = `
How to get a token with the rights that are needed, and a first machine: [Hetzner Cloud](hetzner),
[DigitalOcean](digitalocean), [Proxmox VE](proxmox).
`

const (
	yes = "yes"
	no  = "–"
)

// vendor is a kind of account with a driver that is open and makes no requests.
type vendor struct {
	kind   driver.Kind
	driver driver.Driver
	has    map[compute.Capability]bool
}

// inner are capabilities that decide how whose a thing is can be told, not what can be done with it, and those that no
// argument reaches.
var inner = []compute.Capability{
	compute.CapabilityRows, compute.CapabilityIntent, compute.CapabilityClaims, compute.CapabilityProve, compute.CapabilityProof,
	compute.CapabilityVerify, compute.CapabilityList, compute.CapabilityOptions,
}

// titled is a capability with what it is good for.
type titled struct {
	capability compute.Capability
	title      string
}

// titles say what a capability is good for, to somebody who reads the documentation, in the order of the table.
var titles = []titled{
	{compute.CapabilityProjects, "a project of the vendor's, chosen by the account or the machine (`project_id`)"},
	{compute.CapabilityPower, "power on and off, with or without asking the guest"},
	{compute.CapabilityResize, "another size in place"},
	{compute.CapabilityReinstall, "reinstall in place"},
	{compute.CapabilityRename, "rename in place"},
	{compute.CapabilityMark, "change labels in place"},
	{compute.CapabilityNetworks, "private networks looked up (`bettercompute_networks`)"},
	{compute.CapabilityFirewalls, "firewalls looked up (`bettercompute_firewalls`)"},
	{compute.CapabilityAddresses, "reserved addresses"},
	{compute.CapabilityReverseDNS, "host names of reserved addresses (`reverse_dns`)"},
	{compute.CapabilityPrefixes, "addresses of an own prefix (BYOIP)"},
	{compute.CapabilityCertificates, "certificates, issued and uploaded"},
	{compute.CapabilityRegions, "regions checked in the plan"},
	{compute.CapabilityImages, "images checked in the plan"},
	{compute.CapabilityQuotas, "room within the account's limits checked in the plan"},
	{compute.CapabilityReady, "nodes and storages of the account, and rights of its token, checked in the plan"},
}

func writeVendors(out io.Writer) error {
	vendors, err := openVendors()
	if err != nil {
		return err
	}
	text := vendorsBeginning + row(vendors, "", func(v vendor) string { return v.kind.Manifest.Title })
	text += row(vendors, "---", func(vendor) string { return "---" })
	text += row(vendors, "argument of the account", func(v vendor) string { return "`" + v.kind.Manifest.Attribute + "`" })
	text += row(vendors, "`kind` of the account", func(v vendor) string { return "`" + v.kind.Manifest.Kind + "`" })
	if err := eachHasATitle(vendors); err != nil {
		return err
	}
	for _, one := range titles {
		text += row(vendors, one.title, func(v vendor) string { return mark(v.has[one.capability]) })
	}
	text += differences(vendors) + optionTables(vendors)
	_, err = io.WriteString(out, text+vendorsEnd)
	return err
}

// differences are the rows about how a vendor does what it does.
func differences(vendors []vendor) string {
	text := row(vendors, "families of reserved addresses", func(v vendor) string { return families(v.driver, false) })
	text += row(vendors, "families that move between machines in one step", func(v vendor) string { return families(v.driver, true) })
	text += row(vendors, "most user data", func(v vendor) string { return fmt.Sprintf("%d KiB", v.driver.Limits().UserDataBytes/1024) })
	text += row(vendors, "other user data by a reinstall", func(v vendor) string {
		return mark(v.has[compute.CapabilityReinstall] && !v.driver.Limits().FixedUserData)
	})
	text += row(vendors, "names of machines are unique at the vendor", func(v vendor) string { return mark(v.driver.Limits().UniqueNames) })
	text += row(vendors, "a renewed certificate has another `certificate_id`", func(v vendor) string { return mark(v.driver.Limits().RenewalChangesID) })
	return text + row(vendors, "default timeout of a create", func(v vendor) string {
		return fmt.Sprintf("%d min", int(v.driver.Limits().CreateTimeout.Minutes()))
	})
}

// families are those of reserved addresses, or of those that move.
func families(d driver.Driver, moving bool) string {
	reserving, can := d.(driver.Addresses)
	if !can {
		return no
	}
	rules := reserving.AddressRules()
	if moving {
		return cmp.Or(strings.Join(rules.Moves, ", "), no)
	}
	return strings.Join(rules.Families, ", ")
}

// eachHasATitle looks at all that a driver may have: a capability is in the table, or it is an inner one.
func eachHasATitle(vendors []vendor) error {
	for _, one := range vendors {
		for _, capability := range slices.Sorted(maps.Keys(one.has)) {
			has := slices.ContainsFunc(titles, func(row titled) bool { return row.capability == capability })
			if has == slices.Contains(inner, capability) {
				return fmt.Errorf("the capability %q must have either a title, which says what it is good for, or be an inner one", capability)
			}
		}
	}
	return nil
}

func openVendors() ([]vendor, error) {
	var vendors []vendor
	for _, kind := range cloud.Kinds() {
		values, err := sample(kind.Manifest)
		if err != nil {
			return nil, err
		}
		opened, err := kind.Open(kind.Manifest.WithDefaults(values), driver.Environment{Resolve: resolveNothing})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.Manifest.Kind, err)
		}
		vendors = append(vendors, vendor{kind, opened, compute.Capabilities(opened)})
	}
	return vendors, nil
}

// sample is a config with the required fields alone. No request is ever made with it.
func sample(m manifest.Manifest) (manifest.Values, error) {
	values := manifest.Values{}
	for _, field := range m.Fields {
		if !field.Required {
			continue
		}
		if field.Type != manifest.String {
			return nil, fmt.Errorf("%s.%s: no sample for a required field of this type", m.Attribute, field.Name)
		}
		values[field.Name] = "sample"
		if field.Secret {
			values[field.Name] = "env://SAMPLE"
		}
		if field.Name == "url" {
			values[field.Name] = "https://127.0.0.1:8006"
		}
	}
	return values, nil
}

func resolveNothing(_ context.Context, reference string) (string, error) {
	return "", fmt.Errorf("%s: the documentation resolves no reference", reference)
}

func row(vendors []vendor, title string, cell func(vendor) string) string {
	cells := []string{title}
	for _, one := range vendors {
		cells = append(cells, cell(one))
	}
	return line(cells...)
}

func mark(has bool) string {
	if has {
		return yes
	}
	return no
}

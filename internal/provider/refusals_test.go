// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func offer(v providertest.Vendor) string { return v.Offer }

func otherOffer(v providertest.Vendor) string { return v.OtherOffer }

func soldOut(offers ...string) func(*emulator.Settings) {
	return func(s *emulator.Settings) {
		for _, offer := range offers {
			s.Capacity = append(s.Capacity, emulator.Capacity{Offer: offer, Catalogue: new(bool)})
		}
	}
}

const (
	vendorsWithPrices = "hetzner digitalocean"
	mayStop           = "allow_stopping_for_update"
)

var refusals = []refused{
	{name: "an offer that is not sold", changes: providertest.Attributes{"offer_id": text(func(v providertest.Vendor) string { return v.Offer + "x" })}},
	{name: "an offer that is sold elsewhere", on: "hetzner digitalocean", changes: providertest.Attributes{"offer_id": text(func(v providertest.Vendor) string { return v.Scarce })}},
	{name: "an offer out of stock", on: "hetzner digitalocean", settings: func(s *emulator.Settings) {
		s.Capacity = []emulator.Capacity{{Offer: "cx23", Region: "fsn1", Catalogue: new(bool)}, {Offer: "s-2vcpu-4gb", Region: "fra1", Catalogue: new(bool)}}
	}},
	{name: "a region that there is not", changes: providertest.Attributes{"region": "nowhere"}},
	{name: "a region that is closed", on: "digitalocean", settings: func(s *emulator.Settings) { s.ClosedRegions = []string{"fra1"} }},
	{name: "an image that there is not", changes: providertest.Attributes{"image": text(func(v providertest.Vendor) string { return v.Image + "x" })}},
	{name: "an image of another architecture", on: "hetzner", changes: providertest.Attributes{"offer_id": "cax11", "image": "161547269"}},
	{name: "a price above the limit", on: "hetzner digitalocean", changes: providertest.Attributes{"max_price_per_hour": 0.0001}},
	{name: "no machine left in the quota", on: "digitalocean", settings: func(s *emulator.Settings) { s.Quotas = map[string]int{"droplets": 3} }, planted: 2, before: 1},
	{name: "no address left in the quota", on: "digitalocean", resource: addressType, settings: func(s *emulator.Settings) { s.Quotas = map[string]int{"reserved_ips": 1} }, before: 1},
	{name: "an address in a region that there is not", on: "hetzner digitalocean", resource: addressType, changes: providertest.Attributes{"region": "nowhere"}},
	{name: "an address on a machine of another region", on: "digitalocean", resource: addressType, changes: providertest.Attributes{"instance": holder("digitalocean", "root", "ams3")}},
	{name: "an address on a machine of another kind of account", on: "hetzner digitalocean", resource: addressType, changes: providertest.Attributes{"instance": holder("proxmox", "root", "pve")}},
	{name: "an address on a machine of another tenant", on: "hetzner", resource: addressType, changes: providertest.Attributes{"instance": holder("hetzner-cloud", "shop", "fsn1")}},
	{name: "addresses that the vendor has not", on: "proxmox", resource: addressType},
	{name: "a prefix that the account may not use", on: "hetzner digitalocean", resource: addressType, changes: providertest.Attributes{"prefix": "203.0.113.0/24"}},
	{name: "certificates that the vendor has not", on: "proxmox", resource: certificateType},
	{name: "a certificate for a domain of nobody", on: "hetzner digitalocean", resource: certificateType, changes: providertest.Attributes{"domains": []any{"www.example.net"}}},
	{name: "a node that is not in the cluster", on: "proxmox", account: map[string]any{"node": "pve9"}},
	{name: "a node that is down", on: "proxmox", account: map[string]any{"node": "pve2"}, settings: func(s *emulator.Settings) { s.NodesDown = []string{"pve2"} }},
	{name: "a template that another node cannot reach", on: "proxmox", account: map[string]any{"node": "pve2"}},
	{name: "a storage that there is not", on: "proxmox", account: map[string]any{"storage": "ceph"}},
	{name: "a storage that another node cannot reach", on: "proxmox", account: map[string]any{"node": "pve2", "storage": "local-lvm"}},
	{name: "no storage for user data", on: "proxmox", account: map[string]any{"iso_storage": "nfs"}, changes: providertest.Attributes{"user_data": "#cloud-config\n{}\n"}},
	{name: "rights that the token lacks", on: "proxmox", token: "separated", settings: func(s *emulator.Settings) { s.Denied = []string{"VM.Clone", "VM.Config.CPU", "SDN.Use"} }},
	{name: "a token that sees no template", on: "proxmox", token: "no_audit"},
	{name: "a token that is not the vendor's", token: "none"},
	{name: "user data that is too long", changes: providertest.Attributes{"user_data": text(func(v providertest.Vendor) string { return strings.Repeat("x", v.UserDataBytes+1) })}},
	{name: "a label that the vendor has not", changes: providertest.Attributes{"labels": func(v providertest.Vendor) any { return providertest.Attributes{v.BadLabel: "c"} }}},

	{name: "a vendor that fails", silent: true},
	{name: "an account whose token is not the vendor's", resource: accountType, token: "none"},
	{name: "an account of a vendor that fails", resource: accountType, silent: true},
	{name: "an image that needs a larger disk", on: "digitalocean", changes: providertest.Attributes{"offer_id": "s-1vcpu-512mb-10gb", "image": "docker-20-04"}},
	{name: "an image that goes away", on: "hetzner", settings: func(s *emulator.Settings) {
		s.Retired = []emulator.Retired{{Kind: "images", ID: "ubuntu-24.04", Announced: time.Now().Add(-time.Hour), UnavailableAfter: time.Now().Add(time.Hour)}}
	}},
	{name: "a price that another offer has", on: vendorsWithPrices, changes: providertest.Attributes{"offer_id": text(otherOffer), "max_price_per_hour": func(v providertest.Vendor) any { return map[string]any{"hetzner": 0.015, "digitalocean": 0.04}[v.Name] }}},
	{name: "lists of which nothing is in stock", on: "hetzner", settings: soldOut("cx23", "cx33"), changes: providertest.Attributes{"offer_id": nil, "offer_ids": []any{"cx23", "cx33"}}},
	{name: "a list with an offer that is sold nowhere", on: "hetzner", changes: providertest.Attributes{"offer_id": nil, "offer_ids": []any{"cx23", "cx24"}}},
	{name: "a list with an offer that is too dear", on: "hetzner", changes: providertest.Attributes{"offer_id": nil, "offer_ids": []any{"cx23", "cx33"}, "max_price_per_hour": 0.011}},
	{name: "a list of which the first is out of stock", on: "hetzner", settings: soldOut("cx23"), changes: providertest.Attributes{"offer_id": nil, "offer_ids": []any{"cx23", "cx33"}}},
	{name: "lists and no storage for user data", on: "proxmox", account: map[string]any{"iso_storage": "nfs"}, changes: providertest.Attributes{
		"offer_id": nil, "offer_ids": []any{"2c-4g-20d", "4c-8g"}, "user_data": "#cloud-config\n{}\n",
	}},
	{name: "lists and no machine left in the quota", on: "digitalocean", settings: func(s *emulator.Settings) { s.Quotas = map[string]int{"droplets": 1} }, planted: 1,
		changes: providertest.Attributes{"offer_id": nil, "offer_ids": []any{"s-2vcpu-4gb", "s-4vcpu-8gb"}}},

	{name: "a certificate with the key of another", on: "hetzner", resource: certificateType, prepare: customCertificate("OTHER_KEY", "CHAIN")},
	{name: "a certificate with its chain out of order", on: "hetzner", resource: certificateType, prepare: customCertificate("KEY", "UPSIDE_DOWN")},
	{name: "a certificate whose key is behind no variable", on: "hetzner", resource: certificateType, prepare: customCertificate("NOT_SET", "CHAIN")},
	{name: "a certificate whose key is another tenant's", on: "hetzner", resource: certificateType, changes: providertest.Attributes{
		"kind": "custom", "domains": nil, "certificate": "env://BETTERCOMPUTE_SCENE_LEAF", "private_key": "secret://shop/key",
	}},

	{name: "another offer of a machine that may not be stopped", over: providertest.Attributes{}, changes: providertest.Attributes{"offer_id": text(otherOffer)}},
	{name: "another offer of a machine that may be stopped", over: providertest.Attributes{}, changes: providertest.Attributes{"offer_id": text(otherOffer), mayStop: true}},
	{name: "an offer with a smaller disk", on: vendorsWithPrices, over: providertest.Attributes{"offer_id": text(otherOffer)}, changes: providertest.Attributes{"offer_id": text(offer), mayStop: true}},
	{name: "another offer of another architecture", on: "hetzner", over: providertest.Attributes{}, changes: providertest.Attributes{"offer_id": "cax21", mayStop: true}},
	{name: "another offer that is not sold", over: providertest.Attributes{}, changes: providertest.Attributes{
		"offer_id": text(func(v providertest.Vendor) string { return v.OtherOffer + "x" }), mayStop: true,
	}},
	{name: "another offer above the limit", on: vendorsWithPrices, over: providertest.Attributes{}, changes: providertest.Attributes{
		"offer_id": text(otherOffer), mayStop: true, "max_price_per_hour": 0.015,
	}},
	{name: "another offer out of stock", on: "hetzner", over: providertest.Attributes{}, settings: soldOut("cx33"), changes: providertest.Attributes{"offer_id": "cx33", mayStop: true}},
	{name: "a reinstall", over: providertest.Attributes{}, changes: providertest.Attributes{
		"image": text(func(v providertest.Vendor) string { return v.OtherImage }), "on_change": providertest.Attributes{"image": "reinstall"},
	}},
	{name: "a reinstall with an image that there is not", over: providertest.Attributes{}, changes: providertest.Attributes{
		"image": text(func(v providertest.Vendor) string { return v.OtherImage + "x" }), "on_change": providertest.Attributes{"image": "reinstall"},
	}},
	{name: "user data that is not put on the machine", over: providertest.Attributes{}, changes: providertest.Attributes{
		"user_data": "#cloud-config\n{}\n", "on_change": providertest.Attributes{"user_data": "ignore"},
	}},
	{name: "a machine that is to be switched off", over: providertest.Attributes{}, changes: providertest.Attributes{"power": "off"}},
}

// customCertificate puts a certificate with its keys and chains behind variables, and names two of them.
func customCertificate(key, chain string) func(*testing.T) providertest.Attributes {
	return func(t *testing.T) providertest.Attributes {
		t.Helper()
		authority := certpemtest.NewAuthority(t, time.Now())
		leaf, other := authority.Leaf(t, time.Now().Add(time.Hour), "www.example.com"), authority.Leaf(t, time.Now().Add(time.Hour), "api.example.com")
		for name, value := range map[string]string{
			"LEAF": certpemtest.PEM(leaf), "KEY": certpemtest.KeyPEM(t, leaf), "OTHER_KEY": certpemtest.KeyPEM(t, other), "CHAIN": authority.Chain(),
			"UPSIDE_DOWN": certpemtest.PEM(authority.Upper) + certpemtest.PEM(authority.Lower),
		} {
			t.Setenv("BETTERCOMPUTE_SCENE_"+name, value)
		}
		return providertest.Attributes{
			"kind": "custom", "domains": nil, "certificate": "env://BETTERCOMPUTE_SCENE_LEAF",
			"private_key": "env://BETTERCOMPUTE_SCENE_" + key, "chain": "env://BETTERCOMPUTE_SCENE_" + chain,
		}
	}
}

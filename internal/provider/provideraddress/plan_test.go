// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const typeName = "bettercompute_provider_address"

// accountOf is an account that nothing answers for: what these tests plan makes no call.
func accountOf(t *testing.T, kindName string, values manifest.Values) providertest.Attributes {
	t.Helper()
	kind, _ := cloud.KindByName(kindName)
	config, err := kind.Manifest.Canonical(values)
	if err != nil {
		t.Fatal(err)
	}
	return providertest.Attributes{
		"id": compute.AccountID("root", kindName, "main", ""), "tenant_id": "root", "kind": kindName, "config": config,
	}
}

func TestAVendorWithoutAddressesIsRefusedWithoutACall(t *testing.T) {
	account := accountOf(t, "proxmox", manifest.Values{"url": "https://127.0.0.1:1", "token": "env://NOT_SET"})
	planned := providertest.Serve(t, nil).Plan(typeName, tftypes.Value{}, providertest.Attributes{"provider_account": account, "name": "web"})
	if text := planned.Diagnostics.Errors().String(); !strings.Contains(text, "(UNSUPPORTED)") {
		t.Errorf("the plan says: %s", text)
	}
}

func TestWhatIsUnknownWaits(t *testing.T) {
	account := accountOf(t, "hetzner-cloud", manifest.Values{"token": "env://NOT_SET", "endpoint": "http://127.0.0.1:1/v1"})
	holder := providertest.Attributes{
		"id": providertest.Unknown, "tenant_id": "root", "machine_id": providertest.Unknown, "region": "fsn1",
		"provider_account": providertest.Attributes{"id": account["id"], "kind": "hetzner-cloud"},
	}
	for title, config := range map[string]providertest.Attributes{
		"the whole account":       {"provider_account": providertest.Unknown, "name": "web"},
		"the whole machine":       {"provider_account": account, "name": "web", "instance": providertest.Unknown, "region": "fsn1"},
		"a machine to be made":    {"provider_account": account, "name": "web", "instance": holder, "region": "fsn1"},
		"the region":              {"provider_account": account, "name": "web", "region": providertest.Unknown},
		"the family":              {"provider_account": account, "name": "web", "family": providertest.Unknown},
		"the prefix":              {"provider_account": account, "name": "web", "prefix": providertest.Unknown},
		"the name, with a key":    {"provider_account": account, "name": providertest.Unknown, "idempotency_key": "a"},
		"the key":                 {"provider_account": account, "name": "web", "idempotency_key": providertest.Unknown},
		"the host name":           {"provider_account": account, "name": "web", "reverse_dns": providertest.Unknown},
		"the text that describes": {"provider_account": account, "name": "web", "description": providertest.Unknown},
	} {
		t.Run(title, func(t *testing.T) {
			planned := providertest.Serve(t, providertest.Attributes{"preflight": false}).Plan(typeName, tftypes.Value{}, config)
			if errors := planned.Diagnostics.Errors(); len(errors) > 0 {
				t.Errorf("the plan fails: %s", errors)
			}
		})
	}
}

func TestArgumentsThatCanNeverBeRight(t *testing.T) {
	account := accountOf(t, "hetzner-cloud", manifest.Values{"token": "env://NOT_SET"})
	for title, test := range map[string]struct {
		argument string
		value    any
	}{
		"a name with an upper-case letter":  {"name", "Web"},
		"a name of 43 characters":           {"name", strings.Repeat("a", 43)},
		"a name that ends in a hyphen":      {"name", "web-"},
		"a long description":                {"description", strings.Repeat("a", 257)},
		"a region with a dot":               {"region", "fsn.1"},
		"a family that is none":             {"family", "ipv5"},
		"a long prefix":                     {"prefix", strings.Repeat("1", 44)},
		"a key with a space":                {"idempotency_key", "a b"},
		"a host name in upper case":         {"reverse_dns", "WWW.example.com"},
		"a host name with a dot at the end": {"reverse_dns", "www.example.com."},
		"a host name of one word":           {"reverse_dns", "www"},
		"a host name that is an address":    {"reverse_dns", "192.0.2.1"},
		"a host name that is too long":      {"reverse_dns", strings.Repeat("a.", 126) + "com"},
	} {
		t.Run(title, func(t *testing.T) {
			config := providertest.Attributes{"provider_account": account, "name": "web"}
			config[test.argument] = test.value
			if faults := providertest.Serve(t, nil).Validate(typeName, config); len(faults.Errors().At(test.argument)) == 0 {
				t.Errorf("it is not refused at %s: %s", test.argument, faults)
			}
		})
	}
}

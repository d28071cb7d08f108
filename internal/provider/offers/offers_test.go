// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.VerifyNoLeaks(m) }

type attributes = providertest.Attributes

const variable = "BETTERCOMPUTE_TEST_TOKEN"

// start serves the emulator and answers a server with an account on it.
func start(t *testing.T) (*emulator.Emulator, *providertest.Server, attributes) {
	t.Helper()
	e := emulator.Start(t, emulator.Options{})
	t.Setenv(variable, e.Hetzner.Token)
	server := providertest.Serve(t, attributes{"max_retries": 0})
	account, faults := server.DataSource("bettercompute_provider_account", attributes{
		"name": "main", "hetzner_cloud": attributes{"token": "env://" + variable, "endpoint": e.Hetzner.Endpoint},
	})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	reference := attributes{}
	for _, name := range []string{"id", "tenant_id", "kind", "config"} {
		reference[name] = providertest.Fields(t, account)[name]
	}
	return e, server, reference
}

// rows are the offers of an answer.
func rows(t *testing.T, state tftypes.Value) []map[string]tftypes.Value {
	t.Helper()
	var elements []tftypes.Value
	if err := providertest.Fields(t, state)["offers"].As(&elements); err != nil {
		t.Fatal(err)
	}
	var all []map[string]tftypes.Value
	for _, element := range elements {
		all = append(all, providertest.Fields(t, element))
	}
	return all
}

func number(t *testing.T, value tftypes.Value) *big.Float {
	t.Helper()
	var number *big.Float
	if err := value.As(&number); err != nil {
		t.Fatal(err)
	}
	return number
}

func read(t *testing.T, server *providertest.Server, account attributes, filters attributes) []map[string]tftypes.Value {
	t.Helper()
	config := attributes{"provider_account": account}
	for name, value := range filters {
		config[name] = value
	}
	state, faults := server.DataSource("bettercompute_offers", config)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return rows(t, state)
}

func TestOffersAreOrderedByPriceAndWellFormed(t *testing.T) {
	_, server, account := start(t)
	found := read(t, server, account, nil)
	if len(found) < 5 {
		t.Fatalf("%d offers", len(found))
	}
	if !slices.IsSortedFunc(found, func(a, b map[string]tftypes.Value) int {
		return number(t, a["price_per_hour"]).Cmp(number(t, b["price_per_hour"]))
	}) {
		t.Error("the offers are not sorted by price")
	}
	for _, offer := range found {
		price := number(t, offer["price_per_hour"]).Text('f', -1)
		if number(t, offer["price_per_hour"]).Sign() <= 0 || len(price) > 12 || strings.HasSuffix(price, "0") && strings.Contains(price, ".") {
			t.Errorf("%s costs %s", offer["id"], price)
		}
		if !offer["gpu_model"].IsNull() || offer["disk_gib"].IsNull() {
			t.Errorf("%s: gpu_model %s, disk_gib %s", offer["id"], offer["gpu_model"], offer["disk_gib"])
		}
		if !offer["region"].Equal(tftypes.NewValue(tftypes.String, "fsn1")) {
			t.Errorf("%s is sold in %s, not in the account's region", offer["id"], offer["region"])
		}
	}
}

func TestOffersAreNarrowed(t *testing.T) {
	_, server, account := start(t)
	all := len(read(t, server, account, nil))
	tests := map[string]struct {
		filters attributes
		none    bool
	}{
		"vCPUs":                {filters: attributes{"min_vcpu": 8}},
		"memory":               {filters: attributes{"min_memory_gib": 16}},
		"both":                 {filters: attributes{"min_vcpu": 8, "min_memory_gib": 32}},
		"more vCPUs than sold": {filters: attributes{"min_vcpu": 1024}, none: true},
		"GPUs":                 {filters: attributes{"min_gpus": 1}, none: true},
		"metal":                {filters: attributes{"kind": "metal"}, none: true},
		"no such region":       {filters: attributes{"region": "nowhere1"}, none: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found := read(t, server, account, test.filters)
			if len(found) >= all || test.none != (len(found) == 0) {
				t.Errorf("%d of %d offers are left", len(found), all)
			}
			for _, offer := range found {
				for filter, field := range map[string]string{"min_vcpu": "vcpu", "min_memory_gib": "memory_gib"} {
					least, given := test.filters[filter].(int)
					if given && number(t, offer[field]).Cmp(big.NewFloat(float64(least))) < 0 {
						t.Errorf("%s has %s %s, less than %d", offer["id"], field, offer[field], least)
					}
				}
			}
		})
	}
}

func TestOfferIsTheCheapestThatIsLeft(t *testing.T) {
	_, server, account := start(t)
	filters := attributes{"min_vcpu": 4, "min_memory_gib": 8}
	cheapest := read(t, server, account, filters)[0]
	filters["provider_account"] = account
	state, faults := server.DataSource("bettercompute_offer", filters)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	offer := providertest.Fields(t, state)
	for name, want := range cheapest {
		if !offer[name].Equal(want) {
			t.Errorf("%s is %s, want %s", name, offer[name], want)
		}
	}
	byID, faults := server.DataSource("bettercompute_offer", attributes{"provider_account": account, "id": cheapest["id"]})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if got := providertest.Fields(t, byID)["price_per_hour"]; !got.Equal(cheapest["price_per_hour"]) {
		t.Errorf("by its id the offer costs %s, want %s", got, cheapest["price_per_hour"])
	}
}

func TestOfferSaysWhichFilterLeftNothing(t *testing.T) {
	e, server, account := start(t)
	tests := map[string]struct {
		config attributes
		at     string
		says   []string
	}{
		"id of no offer":       {config: attributes{"id": "cx99"}, at: "id", says: []string{"cx99", "nearest", "an hour"}},
		"unknown region":       {config: attributes{"region": "fsn9"}, at: "region", says: []string{"fsn9", "fsn1"}},
		"id in unknown region": {config: attributes{"id": "cx23", "region": "fsn9"}, at: "region", says: []string{"fsn9", "fsn1", "nbg1"}},
		"too many vCPUs": {
			config: attributes{"min_memory_gib": 4, "min_vcpu": 1000}, at: "min_vcpu", says: []string{"1000 vCPUs or more", "nearest", "an hour"},
		},
		"too much memory": {config: attributes{"min_memory_gib": 16000}, at: "min_memory_gib", says: []string{"16000 GiB", "nearest"}},
		"no metal":        {config: attributes{"kind": "metal"}, at: "kind", says: []string{"metal", "vps"}},
		"no GPUs":         {config: attributes{"gpu_model": "H100"}, at: "gpu_model", says: []string{"H100"}},
		"min_vcpu beyond": {config: attributes{"min_vcpu": 2000}, at: "min_vcpu", says: []string{"from 0 to 1024"}},
		"no such kind":    {config: attributes{"kind": "cloud"}, at: "kind", says: []string{"metal, vps"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.config["provider_account"] = account
			_, faults := server.DataSource("bettercompute_offer", test.config)
			if len(faults) != 1 || len(faults.At(test.at).Errors()) != 1 || !strings.HasSuffix(faults[0].Summary, "(INVALID_INPUT)") {
				t.Fatalf("want one INVALID_INPUT at %s, got:\n%s", test.at, faults)
			}
			for _, want := range test.says {
				if !strings.Contains(faults.String(), want) {
					t.Errorf("the error lacks %q:\n%s", want, faults)
				}
			}
		})
	}
	if requests := len(e.Journal()); requests > 12 {
		t.Errorf("%d requests: the catalogue is not kept", requests)
	}
}

func TestOffersNeedAnAccount(t *testing.T) {
	e, server, account := start(t)
	wrong := attributes{}
	for name, value := range account {
		wrong[name] = value
	}
	wrong["kind"] = "hetzner"
	tests := map[string]struct {
		account attributes
		at      string
		says    string
	}{
		"unknown kind":       {account: wrong, at: "provider_account", says: "hetzner-cloud"},
		"id of another sort": {account: attributes{"id": "main", "tenant_id": "root", "kind": "hetzner-cloud", "config": "{}"}, at: "provider_account.id", says: "data.bettercompute_provider_account.main"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e.ClearJournal()
			_, faults := server.DataSource("bettercompute_offers", attributes{"provider_account": test.account})
			if len(faults.At(test.at).Errors()) != 1 || !strings.Contains(faults.String(), test.says) {
				t.Errorf("want an error at %s that says %q, got:\n%s", test.at, test.says, faults)
			}
			if len(e.Journal()) > 0 {
				t.Errorf("%d requests were sent", len(e.Journal()))
			}
		})
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	addressType     = "bettercompute_provider_address"
	certificateType = "bettercompute_certificate"
)

// refused is a plan that must fail, or warn, before anything is made.
type refused struct {
	name string
	// on are the vendors that have such a thing, all where empty.
	on string
	// resource is the type, a machine where empty; changes are to its configuration.
	resource string
	changes  providertest.Attributes
	// account are arguments of the account.
	account map[string]any
	// token is the name of the token that is used, main where empty.
	token    string
	settings func(*emulator.Settings)
	// before are machines or addresses of the same command that are planned before; planted are machines of others.
	before, planted int
}

func text(of func(providertest.Vendor) string) func(providertest.Vendor) any {
	return func(vendor providertest.Vendor) any { return of(vendor) }
}

// fill puts the vendor's words in the place of functions.
func fill(vendor providertest.Vendor, changes providertest.Attributes) providertest.Attributes {
	filled := maps.Clone(changes)
	for name, value := range filled {
		if of, ok := value.(func(providertest.Vendor) any); ok {
			filled[name] = of(vendor)
		}
	}
	return filled
}

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
}

func holder(kind, tenant, region string) providertest.Attributes {
	return providertest.Attributes{
		"id": "inst_" + strings.Repeat("0", 52), "tenant_id": tenant, "machine_id": "1", "region": region,
		"provider_account": providertest.Attributes{"id": "pacct_" + strings.Repeat("0", 52), "kind": kind},
	}
}

// TestEveryRefusalOfThePlanInFull compares the full text of every error that a plan gives before anything is made with the
// golden file; -update writes it anew.
func TestEveryRefusalOfThePlanInFull(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		var all strings.Builder
		for _, one := range refusals {
			if one.on != "" && !strings.Contains(one.on, vendor.Name) {
				continue
			}
			t.Run(one.name, func(t *testing.T) {
				all.WriteString("## " + one.name + "\n\n" + one.said(t, vendor) + "\n\n")
			})
		}
		golden := "testdata/preflight-" + vendor.Name + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(all.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), all.String()); diff != "" {
			t.Errorf("(-%s +said):\n%s", golden, diff)
		}
	})
}

// said plans and answers what a user reads, with what is another one in every run taken out.
func (r refused) said(t *testing.T, vendor providertest.Vendor) string {
	t.Helper()
	s := providertest.NewScene(t, vendor)
	if r.token != "" {
		t.Setenv(providertest.SceneVariable, vendor.Of(s.Emulator).Tokens[r.token]+map[bool]string{true: "wrong"}[r.token == "none"])
	}
	if r.settings != nil {
		if err := s.Emulator.ChangeSettings(r.settings); err != nil {
			t.Fatal(err)
		}
	}
	for range r.planted {
		if _, err := vendor.Plant(s.Emulator, "other", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	command, resource := s.Begin(), instanceType
	if r.resource != "" {
		resource = r.resource
	}
	nothing := command.Nothing(resource)
	for i := range r.before {
		if faults := command.PlanChange(t.Context(), resource, nothing, r.config(s, "before-"+string(rune('a'+i)))).Diagnostics; len(faults) > 0 {
			t.Fatalf("the plan before: %s", faults)
		}
	}
	s.Emulator.ClearJournal()
	faults := command.PlanChange(t.Context(), resource, nothing, r.config(s, "web")).Diagnostics
	if len(faults) == 0 {
		t.Error("the plan passes")
	}
	if writes := s.Writes(); len(writes) > 0 {
		t.Errorf("the plan has written: %v", writes)
	}
	return steady(faults.String(), s)
}

func (r refused) config(s *providertest.Scene, name string) providertest.Attributes {
	account := s.AccountWith(r.account)
	config := s.Machine(nil)
	switch r.resource {
	case addressType:
		config = providertest.Attributes{}
	case certificateType:
		config = providertest.Attributes{"kind": "managed", "domains": []any{"www.example.com"}}
	}
	maps.Copy(config, fill(s.Vendor, r.changes))
	config["name"], config["provider_account"] = name, account
	return config
}

var (
	requestIDs = regexp.MustCompile(`request id [0-9a-f-]+`)
	accountIDs = regexp.MustCompile(`pacct_[0-9a-z]{52}`)
)

func steady(said string, s *providertest.Scene) string {
	for _, place := range []string{"https://", "http://"} {
		host, _, _ := strings.Cut(strings.TrimPrefix(s.Vendor.Of(s.Emulator).Endpoint, place), "/")
		said = strings.ReplaceAll(said, host, "HOST")
	}
	said = accountIDs.ReplaceAllString(said, "ACCOUNT")
	return requestIDs.ReplaceAllString(said, "request id REQUEST")
}

// everything is what a first plan of a whole configuration makes: machines with user data and a price guard, an address, a
// certificate.
func everything(s *providertest.Scene) map[string][]providertest.Attributes {
	planned := map[string][]providertest.Attributes{"bettercompute_provider_account": {{"name": "main", s.Vendor.Attribute: s.Config()}}}
	for _, name := range []string{"a", "b", "c"} {
		planned[instanceType] = append(planned[instanceType], s.Machine(providertest.Attributes{
			"name": name, "user_data": "#cloud-config\n{}\n", "labels": providertest.Attributes{"role": "web"}, "max_price_per_hour": 10,
		}))
	}
	if s.Vendor.Name == "proxmox" {
		return planned
	}
	planned[addressType] = []providertest.Attributes{{"provider_account": s.Account, "name": "front"}, {"provider_account": s.Account, "name": "back"}}
	planned[certificateType] = []providertest.Attributes{{"provider_account": s.Account, "name": "www", "kind": "managed", "domains": []any{"www.example.com"}}}
	return planned
}

// TestAFirstPlanCostsFewRequests: with everything new and all checks on. A managed certificate on DigitalOcean costs one
// more, since its domains are in no list that a machine's plan reads.
func TestAFirstPlanCostsFewRequests(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		command := s.Begin()
		planned := everything(s)
		for _, resource := range []string{"bettercompute_provider_account", instanceType, addressType, certificateType} {
			for _, config := range planned[resource] {
				if faults := command.PlanChange(t.Context(), resource, command.Nothing(resource), config).Diagnostics; len(faults) > 0 {
					t.Errorf("%s: %s", resource, faults)
				}
			}
		}
		asked := map[string]int{}
		for _, entry := range s.Emulator.Journal() {
			asked[entry.Method+" "+entry.Path]++
		}
		most := 4 + asked["GET /v2/domains"]
		if len(asked) > most {
			t.Errorf("%d requests, want at most %d: %v", len(asked), most, asked)
		}
		for request, times := range asked {
			if times > 1 {
				t.Errorf("%s was sent %d times", request, times)
			}
		}
	})
}

// TestAFullQuotaIsAWarningWhereThePlanMayMakeRoom: machines of ours are there, which the same plan may remove first.
func TestAFullQuotaIsAWarningWhereThePlanMayMakeRoom(t *testing.T) {
	vendor := providertest.Vendors[1]
	s := providertest.NewScene(t, vendor)
	if err := s.Emulator.ChangeSettings(func(settings *emulator.Settings) { settings.Quotas = map[string]int{"droplets": 1} }); err != nil {
		t.Fatal(err)
	}
	s.Apply(instanceType, s.Begin().Nothing(instanceType), s.Machine(nil))
	command := s.Begin()
	again := command.PlanChange(t.Context(), instanceType, command.Nothing(instanceType), s.Machine(nil)).Diagnostics
	if len(again) > 0 {
		t.Errorf("the same machine once more, as after a lost state: %s", again)
	}
	command = s.Begin()
	second := command.PlanChange(t.Context(), instanceType, command.Nothing(instanceType), s.Machine(providertest.Attributes{"name": "api"})).Diagnostics
	if len(second.Errors()) > 0 || len(second.Warnings()) != 1 || !strings.Contains(second.String(), "(QUOTA_EXCEEDED)") {
		t.Errorf("another machine: %s", second)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// ownTenant is the provider's where none is written.
const ownTenant = "root"

var update = flag.Bool("update", false, "write the golden files anew")

const (
	accountType     = "bettercompute_provider_account"
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
	// over, where it is not nil, is what the configuration said when the machine was made: the plan is one of its change.
	over providertest.Attributes
	// silent says that the vendor fails from now on.
	silent bool
	// prepare answers further changes that need files or variables.
	prepare func(*testing.T) providertest.Attributes
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
		made := sync.OnceValue(func() standing {
			s := providertest.NewScene(t, vendor)
			return standing{s, s.Apply(instanceType, s.Begin().Nothing(instanceType), s.Machine(nil))}
		})
		for _, one := range refusals {
			if one.on != "" && !strings.Contains(one.on, vendor.Name) {
				continue
			}
			t.Run(one.name, func(t *testing.T) {
				all.WriteString("## " + one.name + "\n\n" + one.said(t, vendor, made) + "\n\n")
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

// standing is a machine that has been made, which plans of its change do not touch.
type standing struct {
	scene *providertest.Scene
	state providertest.State
}

// said plans and answers what a user reads, with what is another one in every run taken out.
func (r refused) said(t *testing.T, vendor providertest.Vendor, made func() standing) string {
	t.Helper()
	if r.over != nil && len(r.over) == 0 && r.settings == nil {
		return r.plan(t, made().scene, made().state)
	}
	s := providertest.NewScene(t, vendor)
	if r.token != "" {
		t.Setenv(providertest.SceneVariable, vendor.Of(s.Emulator).Tokens[r.token]+map[bool]string{true: "wrong"}[r.token == "none"])
	}
	if r.prepare != nil {
		r.changes = r.prepare(t)
	}
	for range r.planted {
		if _, err := vendor.Plant(s.Emulator, "other", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	prior := r.prior(s)
	if r.settings != nil {
		if err := s.Emulator.ChangeSettings(r.settings); err != nil {
			t.Fatal(err)
		}
	}
	if r.silent {
		if _, err := s.Emulator.AddFault(emulator.Fault{Action: "status", Status: 503, Times: new(int)}); err != nil {
			t.Fatal(err)
		}
	}
	return r.plan(t, s, prior)
}

// plan plans over a state and answers what is said.
func (r refused) plan(t *testing.T, s *providertest.Scene, prior providertest.State) string {
	t.Helper()
	command, resource := s.Begin(), r.of()
	for i := range r.before {
		if faults := command.PlanChange(t.Context(), resource, prior, r.config(s, "before-"+string(rune('a'+i)))).Diagnostics; len(faults) > 0 {
			t.Fatalf("the plan before: %s", faults)
		}
	}
	s.Emulator.ClearJournal()
	faults := command.PlanChange(t.Context(), resource, prior, r.config(s, "web")).Diagnostics
	if len(faults) == 0 {
		t.Error("the plan passes")
	}
	if writes := s.Writes(); len(writes) > 0 {
		t.Errorf("the plan has written: %v", writes)
	}
	return steady(faults.String(), s)
}

// prior is the state that is planned over: none, or that of a machine that was made by another configuration.
func (r refused) prior(s *providertest.Scene) providertest.State {
	s.T.Helper()
	nothing := s.Begin().Nothing(r.of())
	if r.over == nil {
		return nothing
	}
	return s.Apply(r.of(), nothing, s.Machine(fill(s.Vendor, r.over)))
}

func (r refused) of() string {
	if r.resource == "" {
		return instanceType
	}
	return r.resource
}

func (r refused) config(s *providertest.Scene, name string) providertest.Attributes {
	account := s.AccountWith(r.account)
	config := s.Machine(nil)
	switch r.resource {
	case accountType:
		return providertest.Attributes{"name": name, s.Vendor.Attribute: s.Config()}
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
	machineIDs = regexp.MustCompile(`\(id \d+\)`)
	dates      = regexp.MustCompile(`\d{4}-\d\d-\d\d(T[0-9:]+Z)?`)
)

func steady(said string, s *providertest.Scene) string {
	for _, place := range []string{"https://", "http://"} {
		host, _, _ := strings.Cut(strings.TrimPrefix(s.Vendor.Of(s.Emulator).Endpoint, place), "/")
		said = strings.ReplaceAll(said, host, "HOST")
	}
	said = dates.ReplaceAllString(machineIDs.ReplaceAllString(accountIDs.ReplaceAllString(said, "ACCOUNT"), "(id ID)"), "DATE")
	said = strings.ReplaceAll(said, "secret://"+ownTenant+"/", "secret://TENANT/")
	return requestIDs.ReplaceAllString(said, "request id REQUEST")
}

// everything is what a first plan of a whole configuration makes: machines with user data and a price guard, an address, a
// certificate.
func everything(s *providertest.Scene) map[string][]providertest.Attributes {
	planned := map[string][]providertest.Attributes{accountType: {{"name": "main", s.Vendor.Attribute: s.Config()}}}
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
		for _, resource := range []string{accountType, instanceType, addressType, certificateType} {
			for _, config := range planned[resource] {
				if faults := command.PlanChange(t.Context(), resource, command.Nothing(resource), config).Diagnostics; len(faults) > 0 {
					t.Errorf("%s: %s", resource, faults)
				}
			}
		}
		asked := askedOnce(t, s)
		most := 4
		if vendor.Name == "digitalocean" {
			most++ // the domains of the certificate
		}
		if len(asked) > most {
			t.Errorf("%d requests, want at most %d: %v", len(asked), most, asked)
		}
	})
}

// askedOnce answers the requests since the journal was emptied, and fails the test for one that was repeated.
func askedOnce(t *testing.T, s *providertest.Scene) []string {
	t.Helper()
	var asked []string
	for _, entry := range s.Emulator.Journal() {
		request := entry.Method + " " + entry.Path + "?" + entry.Query
		if slices.Contains(asked, request) {
			t.Errorf("%s was sent again", request)
		}
		asked = append(asked, request)
	}
	return asked
}

// TestAPlanOfManyChangesRepeatsNoRequest: three machines are read and given another offer and another image.
func TestAPlanOfManyChangesRepeatsNoRequest(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		states := map[string]providertest.State{}
		for _, name := range []string{"a", "b", "c"} {
			states[name] = s.Apply(instanceType, s.Begin().Nothing(instanceType), s.Machine(providertest.Attributes{"name": name}))
		}
		command := s.Begin()
		s.Emulator.ClearJournal()
		for name, state := range states {
			read, faults := command.Refresh(t.Context(), instanceType, state)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			changed := s.Machine(providertest.Attributes{
				"name": name, "offer_id": vendor.OtherOffer, mayStop: true, "image": vendor.OtherImage, "on_change": providertest.Attributes{"image": "reinstall"},
			})
			if errors := command.PlanChange(t.Context(), instanceType, read, changed).Diagnostics.Errors(); len(errors) > 0 {
				t.Errorf("%s: %s", name, errors)
			}
		}
		askedOnce(t, s)
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

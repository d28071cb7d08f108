// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const (
	networksSource  = "bettercompute_networks"
	firewallsSource = "bettercompute_firewalls"
)

// planted are objects that others have made at a vendor, in the order of their making.
type planted struct {
	kind   string
	fields emulator.Fields
}

func plantAll(s *providertest.Scene, all []planted) {
	s.T.Helper()
	for _, one := range all {
		if _, err := s.Emulator.Plant(s.Vendor.Name, one.kind, one.fields); err != nil {
			s.T.Fatal(err)
		}
	}
}

// listed are the texts of a list of texts in all rows.
func listed(t *testing.T, rows []map[string]tftypes.Value, name string) []string {
	t.Helper()
	all := []string{}
	for _, row := range rows {
		var values []tftypes.Value
		if err := row[name].As(&values); err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			var text string
			if err := value.As(&text); err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
	}
	return all
}

// networksOf are two networks that others have made, and what is shown of the one that machines of the account's region
// can be in.
var networksOf = map[string]struct {
	planted                []planted
	regions, nodes, ranges []string
	elsewhere              string
}{
	"hetzner": {
		planted: []planted{
			{"networks", emulator.Fields{"name": "backend", "labels": map[string]string{"team": "shop", "tier": "1"}}},
			{"networks", emulator.Fields{
				"name": "backend-far", "labels": map[string]string{"team": "shop"},
				"subnets": []map[string]any{{"type": "cloud", "ip_range": "10.0.2.0/24", "network_zone": "us-east"}},
			}},
		},
		regions: []string{"fsn1", "hel1", "nbg1"}, nodes: []string{}, ranges: []string{"10.0.0.0/16"}, elsewhere: "ash",
	},
	"digitalocean": {
		planted: []planted{
			{"vpcs", emulator.Fields{"name": "backend", "region": "fra1", "ip_range": "10.7.0.0/20"}},
			{"vpcs", emulator.Fields{"name": "backend-far", "region": "nyc3", "ip_range": "10.8.0.0/20"}},
		},
		regions: []string{"fra1"}, nodes: []string{}, ranges: []string{"10.7.0.0/20"}, elsewhere: "nyc3",
	},
	"proxmox": {
		planted: []planted{
			{"zones", emulator.Fields{"zone": "lab", "nodes": []string{"pve1", "pve3"}}}, {"vnets", emulator.Fields{"vnet": "backend", "zone": "lab"}},
		},
		regions: []string{}, nodes: []string{"pve1", "pve3"}, ranges: []string{},
	},
}

func TestNetworksAreListedByTheirArguments(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		expected := networksOf[vendor.Name]
		plantAll(s, expected.planted)
		all := rowsOf(s, networksSource, "networks", nil)
		if names := texts(t, all, "name"); !slices.Contains(names, "backend") || slices.Contains(names, "backend-far") || !slices.IsSorted(names) {
			t.Errorf("networks of the account's region: %v", names)
		}
		one := rowsOf(s, networksSource, "networks", providertest.Attributes{"name": "back*d"})
		if len(one) != 1 || texts(t, one, "id")[0] == "" {
			t.Fatalf("the network by its name: %v", one)
		}
		if diff := cmp.Diff(expected.regions, listed(t, one, "regions")); diff != "" {
			t.Errorf("regions (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(expected.nodes, listed(t, one, "nodes")); diff != "" {
			t.Errorf("nodes (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(expected.ranges, listed(t, one, "ip_ranges")); diff != "" {
			t.Errorf("ranges (-want +got):\n%s", diff)
		}
		if none := rowsOf(s, networksSource, "networks", providertest.Attributes{"name": "no such"}); len(none) != 0 {
			t.Errorf("networks that there are not: %v", none)
		}
		if expected.elsewhere == "" {
			return
		}
		far := rowsOf(s, networksSource, "networks", providertest.Attributes{"region": expected.elsewhere, "name": "backend*"})
		if names := texts(t, far, "name"); !slices.Equal(names, []string{"backend-far"}) {
			t.Errorf("networks of %s: %v", expected.elsewhere, names)
		}
	})
}

// TestTheDefaultNetworkIsToldApart: DigitalOcean has one in each region.
func TestTheDefaultNetworkIsToldApart(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[1])
	plantAll(s, networksOf["digitalocean"].planted)
	defaults := map[string]bool{}
	rows := rowsOf(s, networksSource, "networks", nil)
	for i, name := range texts(t, rows, "name") {
		var isDefault bool
		if err := rows[i]["default"].As(&isDefault); err != nil {
			t.Fatal(err)
		}
		defaults[name] = isDefault
	}
	if diff := cmp.Diff(map[string]bool{"backend": false, "default-fra1": true}, defaults); diff != "" {
		t.Errorf("default networks (-want +got):\n%s", diff)
	}
}

// TestLabelsNarrowTheList where the vendor keeps them; elsewhere that is refused at the argument.
func TestLabelsNarrowTheList(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		plantAll(s, networksOf[vendor.Name].planted)
		plantAll(s, firewallsOf[vendor.Name].planted)
		for source, collection := range map[string]string{networksSource: "networks", firewallsSource: "firewalls"} {
			wanted := providertest.Attributes{"team": "shop", "tier": "1"}
			if vendor.Name != "hetzner" {
				_, faults := s.Begin().DataSource(source, providertest.Attributes{"provider_account": s.Account, "labels": wanted})
				if errors := faults.At("labels").Errors(); len(errors) != 1 || !strings.Contains(errors[0].Summary, "(UNSUPPORTED)") {
					t.Errorf("%s with labels: %s", source, faults)
				}
				continue
			}
			if rows := rowsOf(s, source, collection, providertest.Attributes{"labels": wanted}); len(rows) != 1 {
				t.Errorf("%s with all of the labels: %v", source, rows)
			}
			if rows := rowsOf(s, source, collection, providertest.Attributes{"labels": providertest.Attributes{"team": "shop", "tier": "2"}}); len(rows) != 0 {
				t.Errorf("%s with another label: %v", source, rows)
			}
			if rows := rowsOf(s, source, collection, providertest.Attributes{"labels": providertest.Attributes{}}); len(rows) == 0 {
				t.Errorf("no %s without labels", source)
			}
		}
	})
}

func TestNetworksOfARegionThatThereIsNot(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		_, faults := s.Begin().DataSource(networksSource, providertest.Attributes{"provider_account": s.Account, "region": "nowhere"})
		if len(faults.At("region").Errors()) != 1 {
			t.Errorf("faults: %s", faults)
		}
	})
}

// firewallsOf are firewalls that others have made, and what is shown of the first of them.
var firewallsOf = map[string]struct {
	planted          []planted
	selectors, peers []string
	ports, protocol  string
}{
	"hetzner": {
		planted: []planted{
			{"firewalls", emulator.Fields{
				"name": "web", "labels": map[string]string{"team": "shop", "tier": "1"},
				"rules": []map[string]any{{
					"direction": "in", "protocol": "tcp", "port": "80-85", "source_ips": []string{"10.0.0.0/8"}, "destination_ips": []string{}, "description": "the shop",
				}},
				"applied_to": []map[string]any{{"type": "label_selector", "label_selector": map[string]string{"selector": "tier=web"}}},
			}},
			{"firewalls", emulator.Fields{"name": "zeta"}},
		},
		selectors: []string{"tier=web"}, peers: []string{"10.0.0.0/8"}, ports: "80-85", protocol: "tcp",
	},
	"digitalocean": {
		planted: []planted{
			{"firewalls", emulator.Fields{
				"name": "web", "tags": []string{"tier:web"}, "outbound_rules": []any{},
				"inbound_rules": []map[string]any{{"protocol": "tcp", "ports": "80-85", "sources": map[string]any{"tags": []string{"tier:lb"}}}},
			}},
			{"firewalls", emulator.Fields{"name": "zeta"}},
		},
		selectors: []string{"tier:web"}, peers: []string{"tag:tier:lb"}, ports: "80-85", protocol: "tcp",
	},
	"proxmox": {
		planted: []planted{
			{"security_groups", emulator.Fields{"group": "web", "rules": []map[string]string{{
				"type": "in", "action": "ACCEPT", "proto": "tcp", "dport": "80:85", "source": "10.0.0.0/8", "enable": "1", "comment": "the shop",
			}}}},
			{"security_groups", emulator.Fields{"group": "zeta"}},
		},
		selectors: []string{}, peers: []string{"10.0.0.0/8"}, ports: "80-85", protocol: "tcp",
	},
}

func TestFirewallsAreListedWithTheirRules(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		expected := firewallsOf[vendor.Name]
		plantAll(s, expected.planted)
		rows := rowsOf(s, firewallsSource, "firewalls", nil)
		if diff := cmp.Diff([]string{"web", "zeta"}, texts(t, rows, "name")); diff != "" {
			t.Fatalf("names (-want +got):\n%s", diff)
		}
		one := rowsOf(s, firewallsSource, "firewalls", providertest.Attributes{"name": "w?b"})
		if len(one) != 1 {
			t.Fatalf("the firewall by its name: %v", one)
		}
		if diff := cmp.Diff(expected.selectors, listed(t, one, "selectors")); diff != "" {
			t.Errorf("selectors (-want +got):\n%s", diff)
		}
		var rules []tftypes.Value
		if err := one[0]["rules"].As(&rules); err != nil || len(rules) != 1 {
			t.Fatalf("rules: %v, %v", rules, err)
		}
		rule := []map[string]tftypes.Value{providertest.Fields(t, rules[0])}
		for name, want := range map[string]string{"direction": "in", "action": "accept", "protocol": expected.protocol, "ports": expected.ports} {
			if got := texts(t, rule, name)[0]; got != want {
				t.Errorf("%s of the rule: %q, want %q", name, got, want)
			}
		}
		if diff := cmp.Diff(expected.peers, listed(t, rule, "peers")); diff != "" {
			t.Errorf("peers (-want +got):\n%s", diff)
		}
	})
}

// TestNetworksOfAVendorThatRefuses: the vendor's error is shown at the account, and nothing is called empty.
func TestNetworksOfAVendorThatRefuses(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		if _, err := s.Emulator.AddFault(emulator.Fault{Path: "/(networks|vpcs|network|firewalls|groups)$", Action: "status", Status: http.StatusForbidden, Times: new(0)}); err != nil {
			t.Fatal(err)
		}
		for _, source := range []string{networksSource, firewallsSource} {
			_, faults := s.Begin().DataSource(source, providertest.Attributes{"provider_account": s.Account})
			if errors := faults.At("provider_account").Errors(); len(errors) != 1 || !strings.Contains(errors[0].Summary, "(ACCESS_DENIED)") {
				t.Errorf("%s: %s", source, faults)
			}
		}
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// furnish gives the team the VPC "backend" in the region and the SSH keys "laptop" and "desk"; it answers the VPC's id.
func (p *team) furnish() string {
	p.Helper()
	made, err := p.Plant("digitalocean", "vpcs", emulator.Fields{"name": "backend", "region": region, "ip_range": "192.168.7.0/24"})
	if err != nil {
		p.Fatal(err)
	}
	client := p.open("env://" + tokenVariable).client
	for name, key := range map[string]string{"laptop": "Laptop0", "desk": "Desk000"} {
		if _, _, err := client.Keys.Create(p.Context(), &godo.KeyCreateRequest{Name: name, PublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + strings.Repeat(key[:4], 10) + "AAA me"}); err != nil {
			p.Fatal(err)
		}
	}
	p.ClearJournal()
	return made.ID
}

// with answers a wish with options.
func withOptions(wish compute.Wish, options manifest.Values) compute.Wish {
	wish.Options = options
	return wish
}

// TestOptionsGoWithTheOrder: one request makes the droplet with all of them, and none is read by a request of its own.
func TestOptionsGoWithTheOrder(t *testing.T) {
	inBubble(t, func(p *team) {
		vpc := p.furnish()
		made := p.create(withOptions(wishFor("web"), manifest.Values{
			driver.OptionBackups: true, driver.OptionNetwork: "backend", optionMonitoring: true, optionSSHKeys: []string{"laptop"},
			driver.OptionPublicIPv6: false,
		}))
		want := manifest.Values{
			driver.OptionBackups: true, driver.OptionNetwork: vpc, optionVPC: vpc, optionMonitoring: true, driver.OptionPublicIPv6: false,
			driver.OptionPublicIPv4: true,
		}
		if !reflect.DeepEqual(made.Machine.Options, want) {
			p.Errorf("options %v, want %v", made.Machine.Options, want)
		}
		if !slices.ContainsFunc(made.Machine.Addresses, func(own driver.Address) bool { return strings.HasPrefix(own.Address, "192.168.7.") }) {
			p.Errorf("addresses %v", made.Machine.Addresses)
		}
		if posts := p.count(http.MethodPost, "/v2/droplets"); posts != 1 {
			p.Errorf("%d requests to make it", posts)
		}
		if lists := p.count(http.MethodGet, "/v2/vpcs") + p.count(http.MethodGet, "/v2/account/keys"); lists != 2 {
			p.Errorf("%d lists to look the names up", lists)
		}
		p.ClearJournal()
		if _, err := p.open("env://" + tokenVariable).List(p.Context()); err != nil || len(p.Journal()) != 1 {
			p.Errorf("a list is %d requests: %v", len(p.Journal()), err)
		}
	})
}

// TestADropletWithoutPublicNetworking has a private address only, and no IPv6.
func TestADropletWithoutPublicNetworking(t *testing.T) {
	inBubble(t, func(p *team) {
		made := p.create(withOptions(wishFor("db"), manifest.Values{driver.OptionPublicIPv4: false}))
		if len(made.Machine.Addresses) != 1 || made.Machine.Addresses[0].Scope != "private" {
			p.Errorf("addresses %v", made.Machine.Addresses)
		}
		if made.Machine.Options[driver.OptionPublicIPv4] != false || made.Machine.Options[driver.OptionPublicIPv6] != false {
			p.Errorf("options %v", made.Machine.Options)
		}
	})
}

// TestTheAccountsVPCIsForMachinesThatNameNone.
func TestTheAccountsVPCIsForMachinesThatNameNone(t *testing.T) {
	c := &cloud{region: region, vpc: "account"}
	for wanted, options := range map[string]manifest.Values{
		"account": {}, "by network": {driver.OptionNetwork: "by network"}, "by vpc_uuid": {optionVPC: "by vpc_uuid"},
	} {
		order, err := c.orderOf(driver.Spec{Name: "web", ImageID: "debian-13-x64", Options: options})
		if err != nil || order.VPCUUID != wanted || !order.IPv6 {
			t.Errorf("%v: order in VPC %q, IPv6 %v, %v", options, order.VPCUUID, order.IPv6, err)
		}
	}
}

// TestOptionsThatDependOnEachOther.
func TestOptionsThatDependOnEachOther(t *testing.T) {
	cases := map[string]struct {
		written manifest.Values
		at      string
	}{
		"IPv6 alone":        {manifest.Values{driver.OptionPublicIPv4: false, driver.OptionPublicIPv6: true}, driver.OptionPublicIPv6},
		"a VPC two times":   {manifest.Values{driver.OptionNetwork: "backend", optionVPC: "760e09ef-dc84-11e8-981e-3cfdfeaae000"}, optionVPC},
		"neither is public": {manifest.Values{driver.OptionPublicIPv4: false, driver.OptionPublicIPv6: false}, ""},
		"an empty project":  {inProjectNamed(""), projectField},
		"IPv4 alone":        {manifest.Values{driver.OptionPublicIPv4: true, driver.OptionPublicIPv6: false}, ""},
	}
	for name, test := range cases {
		faults := checkOptions(test.written)
		if test.at == "" && len(faults) > 0 || test.at != "" && (len(faults) != 1 || faults[0].Path[0] != test.at) {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// TestBackupsThatOthersSwitchOffAreSwitchedOnAgain, by one action, also when its answer is lost.
func TestBackupsThatOthersSwitchOffAreSwitchedOnAgain(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"as it should": {},
		"lost":         {Method: http.MethodPost, Path: "/actions$", Operation: "enable_backups", Point: "after", Action: "drop"},
		"busy":         {Method: http.MethodPost, Path: "/actions$", Operation: "enable_backups", Action: "status", Status: 422, Body: `{"id":"unprocessable_entity","message":"Droplet already has a pending event."}`},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				wish := withOptions(wishFor("web"), manifest.Values{driver.OptionBackups: true})
				made := p.create(wish)
				if _, err := p.Patch("digitalocean", "droplets", made.Machine.ID, emulator.Fields{"features": []string{"ipv6"}}); err != nil {
					p.Fatal(err)
				}
				if fault.Action != "" {
					p.fault(fault)
				}
				account := p.account()
				updated, err := account.Update(p.Context(), heldOf(made, wish), compute.Change{Options: compute.OptionChange{
					Written: wish.Options, Prior: manifest.Values{driver.OptionBackups: false}, All: wish.Options,
				}})
				if err != nil || updated.Machine.Options[driver.OptionBackups] != true {
					p.Errorf("options %v, %v", updated.Machine.Options, err)
				}
			})
		})
	}
}

// TestRefusedOptionsNameTheirArgument.
func TestRefusedOptionsNameTheirArgument(t *testing.T) {
	inBubble(t, func(p *team) {
		elsewhere, err := p.Plant("digitalocean", "vpcs", emulator.Fields{"name": "far", "region": "nyc3"})
		if err != nil {
			p.Fatal(err)
		}
		for name, test := range map[string]struct {
			options      manifest.Values
			field, words string
		}{
			"network of another region": {manifest.Values{driver.OptionNetwork: "far"}, driver.OptionNetwork, "is in region nyc3, not in fra1"},
			"network that is not there": {manifest.Values{driver.OptionNetwork: "default-fra2"}, driver.OptionNetwork, "default-fra1"},
			"VPC that is not there":     {manifest.Values{optionVPC: "760e09ef-dc84-11e8-981e-3cfdfeaae000"}, optionVPC, "Correct it"},
			"key that is not there":     {manifest.Values{optionSSHKeys: []string{"phone"}}, optionSSHKeys, "There is none to choose from"},
		} {
			_, err := p.account().Create(p.Context(), withOptions(wishFor("web"), test.options))
			refused, ok := errors.AsType[*compute.Error](err)
			if !ok || refused.Code != driver.InvalidInput || refused.Field != test.field || !strings.Contains(fmt.Sprint(refused), test.words) {
				p.Errorf("%s: %+v", name, err)
			}
		}
		for option, field := range map[string]string{driver.OptionNetwork: driver.OptionNetwork, optionVPC: optionVPC} {
			_, err := p.Create(p.Context(), driver.Spec{
				Name: "web", OfferID: offer, ImageID: "debian-13-x64", Region: region, Options: manifest.Values{option: elsewhere.ID},
			})
			if described := p.Describe(err); described.Code != driver.InvalidInput || described.Field != field {
				p.Errorf("the vendor's own refusal of %s: %+v", option, described)
			}
		}
		if len(p.truth()) > 0 {
			p.Errorf("droplets were made: %v", p.truth())
		}
		_, err = p.SetOption(p.Context(), driver.Machine{ID: "7"}, driver.Setting{Name: optionMonitoring, Value: true})
		if described := p.Describe(err); described.Code != driver.InvalidInput || described.Field != optionMonitoring {
			p.Errorf("an option that cannot be changed: %+v", described)
		}
	})
}

// TestNetworksAndFirewallsAreListed in full pages.
func TestNetworksAndFirewallsAreListed(t *testing.T) {
	inBubble(t, func(p *team) {
		vpc := p.furnish()
		networks, err := p.Networks(p.Context())
		if err != nil {
			p.Fatal(err)
		}
		at := slices.IndexFunc(networks, func(network driver.Network) bool { return network.ID == vpc })
		if at < 0 || !reflect.DeepEqual(networks[at], driver.Network{ID: vpc, Name: "backend", Regions: []string{region}, Ranges: []string{"192.168.7.0/24"}}) {
			p.Errorf("networks %v", networks)
		}
		if !slices.ContainsFunc(networks, func(network driver.Network) bool { return network.Default && network.Name == "default-fra1" }) {
			p.Errorf("no default network among %v", networks)
		}
		client, everywhere := p.client, []string{"0.0.0.0/0", "::/0"}
		if _, _, err := client.Tags.Create(p.Context(), &godo.TagCreateRequest{Name: "tier:edge"}); err != nil {
			p.Fatal(err)
		}
		made, _, err := client.Firewalls.Create(p.Context(), &godo.FirewallRequest{
			Name: "edge", Tags: []string{"tier:edge"},
			InboundRules:  []godo.InboundRule{{Protocol: "tcp", PortRange: "80-85", Sources: &godo.Sources{Addresses: everywhere}}},
			OutboundRules: []godo.OutboundRule{{Protocol: "udp", PortRange: "all", Destinations: &godo.Destinations{LoadBalancerUIDs: []string{"lb"}}}},
		})
		if err != nil {
			p.Fatal(err)
		}
		firewalls, err := p.Firewalls(p.Context())
		wanted := []driver.Firewall{{ID: made.ID, Name: "edge", Selectors: []string{"tier:edge"}, Rules: []driver.FirewallRule{
			{Direction: "in", Action: "accept", Protocol: "tcp", Ports: "80-85", Peers: everywhere},
			{Direction: "out", Action: "accept", Protocol: "udp", Peers: []string{"load_balancer:lb"}},
		}}}
		if err != nil || !reflect.DeepEqual(firewalls, wanted) {
			p.Errorf("firewalls %+v, %v", firewalls, err)
		}
		p.fault(emulator.Fault{Path: "^/v2/(vpcs|firewalls|account/keys)$", Action: "status", Status: http.StatusForbidden, Times: new(0)})
		for what, list := range map[string]func() error{
			"networks":  func() error { _, err := p.Networks(p.Context()); return err },
			"firewalls": func() error { _, err := p.Firewalls(p.Context()); return err },
			"keys":      func() error { _, err := p.cloud.Objects(p.Context(), optionSSHKeys, region); return err },
			"VPCs":      func() error { _, err := p.cloud.Objects(p.Context(), driver.OptionNetwork, region); return err },
		} {
			if described := p.Describe(list()); described.Code != driver.AccessDenied {
				p.Errorf("%s without rights: %+v", what, described)
			}
		}
	})
}

func TestRulesOfFirewalls(t *testing.T) {
	got := ruleOf("in", godo.FirewallRuleActionDeny, "icmp", "0", &godo.Sources{Tags: []string{"web"}, DropletIDs: []int{7}, KubernetesIDs: []string{"k"}})
	wanted := driver.FirewallRule{Direction: "in", Action: "drop", Protocol: "icmp", Peers: []string{"tag:web", "droplet:7", "kubernetes:k"}}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("%+v", got)
	}
	if got := ruleOf("out", "", "tcp", "22", nil); got.Peers != nil {
		t.Errorf("%+v", got)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func (c *cloud) networks(ctx context.Context) ([]*hcloud.Network, error) {
	return pages(c, func(page hcloud.ListOpts) ([]*hcloud.Network, *hcloud.Response, error) {
		return c.client.Network.List(ctx, hcloud.NetworkListOpts{ListOpts: page})
	}, func(network *hcloud.Network) int64 { return network.ID })
}

func (c *cloud) firewalls(ctx context.Context) ([]*hcloud.Firewall, error) {
	return pages(c, func(page hcloud.ListOpts) ([]*hcloud.Firewall, *hcloud.Response, error) {
		return c.client.Firewall.List(ctx, hcloud.FirewallListOpts{ListOpts: page})
	}, func(firewall *hcloud.Firewall) int64 { return firewall.ID })
}

// zones are the network zones in which a network has a subnet for servers.
func zonesOf(network *hcloud.Network) []string {
	var zones []string
	for _, subnet := range network.Subnets {
		if subnet.Type != hcloud.NetworkSubnetTypeVSwitch {
			zones = append(zones, string(subnet.NetworkZone))
		}
	}
	slices.Sort(zones)
	return slices.Compact(zones)
}

// networkObjects: a server gets its address from a subnet in its own network zone (Hetzner API document,
// POST /servers/{id}/actions/attach_to_network).
func (c *cloud) networkObjects(ctx context.Context, region string) ([]driver.Object, error) {
	networks, err := c.networks(ctx)
	if err != nil {
		return nil, err
	}
	locations, response, err := c.client.Location.List(ctx, hcloud.LocationListOpts{Name: c.region(region)})
	if err != nil {
		return nil, c.failed(response, err)
	}
	objects := make([]driver.Object, len(networks))
	for i, network := range networks {
		objects[i] = driver.Object{ID: strconv.FormatInt(network.ID, 10), Name: network.Name}
		if len(locations) == 1 && !slices.Contains(zonesOf(network), string(locations[0].NetworkZone)) {
			objects[i].Unfit = "has no subnet for servers in the network zone " + string(locations[0].NetworkZone) + " of " + locations[0].Name
		}
	}
	return objects, nil
}

// Networks answers the project's networks.
func (c *cloud) Networks(ctx context.Context) ([]driver.Network, error) {
	all, err := c.networks(ctx)
	networks := make([]driver.Network, len(all))
	for i, network := range all {
		networks[i] = driver.Network{ID: strconv.FormatInt(network.ID, 10), Name: network.Name, Region: strings.Join(zonesOf(network), ", ")}
		if network.IPRange != nil {
			networks[i].Ranges = []string{network.IPRange.String()}
		}
	}
	return networks, err
}

// Firewalls answers the project's firewalls. Their rules let packets through.
func (c *cloud) Firewalls(ctx context.Context) ([]driver.Firewall, error) {
	all, err := c.firewalls(ctx)
	firewalls := make([]driver.Firewall, len(all))
	for i, firewall := range all {
		firewalls[i] = driver.Firewall{ID: strconv.FormatInt(firewall.ID, 10), Name: firewall.Name}
		for _, rule := range firewall.Rules {
			firewalls[i].Rules = append(firewalls[i].Rules, ruleOf(rule))
		}
	}
	return firewalls, err
}

func ruleOf(rule hcloud.FirewallRule) driver.FirewallRule {
	peers := rule.SourceIPs
	if rule.Direction == hcloud.FirewallRuleDirectionOut {
		peers = rule.DestinationIPs
	}
	shown := driver.FirewallRule{Direction: string(rule.Direction), Action: "accept", Protocol: string(rule.Protocol), Peers: rangesOf(peers)}
	if rule.Port != nil {
		shown.Ports = *rule.Port
	}
	if rule.Description != nil {
		shown.Description = *rule.Description
	}
	return shown
}

func rangesOf(ranges []net.IPNet) []string {
	texts := make([]string, len(ranges))
	for i, one := range ranges {
		texts[i] = one.String()
	}
	return texts
}

// SetReverseDNS changes the name of a floating IP, of an IPv6 network that of its first host address.
func (c *cloud) SetReverseDNS(ctx context.Context, address driver.ReservedAddress, name string) ([]driver.Operation, error) {
	id, err := parseID(address.ID)
	if err != nil {
		return nil, err
	}
	var wanted *string
	if name != "" {
		wanted = &name
	}
	action, response, err := c.client.FloatingIP.ChangeDNSPtr(ctx, &hcloud.FloatingIP{ID: id}, address.Address, wanted)
	if err != nil {
		return nil, c.failed(response, err)
	}
	return operationsOf("", action), nil
}

// isVendorsName says whether nobody has given an address a name: the vendor has for IPv4, and none for IPv6.
func isVendorsName(name string) bool { return name == "" || strings.HasSuffix(name, ".your-server.de") }

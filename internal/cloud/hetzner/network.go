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

// Networks answers the project's networks. Servers of a location can be in those that have a subnet in its network zone.
func (c *cloud) Networks(ctx context.Context) ([]driver.Network, error) {
	all, err := c.networks(ctx)
	if err != nil {
		return nil, err
	}
	locations, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.Location, *hcloud.Response, error) {
		return c.client.Location.List(ctx, hcloud.LocationListOpts{ListOpts: page})
	}, func(location *hcloud.Location) int64 { return location.ID })
	if err != nil {
		return nil, err
	}
	networks := make([]driver.Network, len(all))
	for i, own := range all {
		networks[i] = driver.Network{ID: strconv.FormatInt(own.ID, 10), Name: own.Name, Labels: labelsOf(own.Labels)}
		if own.IPRange != nil {
			networks[i].Ranges = []string{own.IPRange.String()}
		}
		zones := zonesOf(own)
		for _, location := range locations {
			if slices.Contains(zones, string(location.NetworkZone)) {
				networks[i].Regions = append(networks[i].Regions, location.Name)
			}
		}
		slices.Sort(networks[i].Regions)
	}
	return networks, nil
}

// labelsOf are labels that the vendor keeps, also where there are none.
func labelsOf(labels map[string]string) map[string]string {
	if labels == nil {
		return map[string]string{}
	}
	return labels
}

// Firewalls answers the project's firewalls. Their rules let packets through; servers that a label selector fits are behind
// them.
func (c *cloud) Firewalls(ctx context.Context) ([]driver.Firewall, error) {
	all, err := c.firewalls(ctx)
	firewalls := make([]driver.Firewall, len(all))
	for i, firewall := range all {
		firewalls[i] = driver.Firewall{ID: strconv.FormatInt(firewall.ID, 10), Name: firewall.Name, Labels: labelsOf(firewall.Labels)}
		for _, rule := range firewall.Rules {
			firewalls[i].Rules = append(firewalls[i].Rules, ruleOf(rule))
		}
		for _, resource := range firewall.AppliedTo {
			if resource.LabelSelector != nil {
				firewalls[i].Selectors = append(firewalls[i].Selectors, resource.LabelSelector.Selector)
			}
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

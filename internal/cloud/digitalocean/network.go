// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"slices"
	"strconv"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func (c *cloud) vpcs(ctx context.Context) ([]*godo.VPC, error) {
	return pages(c, func(page *godo.ListOptions) ([]*godo.VPC, *godo.Response, error) {
		return c.client.VPCs.List(ctx, page)
	}, func(vpc *godo.VPC) string { return vpc.ID })
}

// Networks answers the team's VPCs, each of which is in one region.
func (c *cloud) Networks(ctx context.Context) ([]driver.Network, error) {
	vpcs, err := c.vpcs(ctx)
	if err != nil {
		return nil, err
	}
	networks := make([]driver.Network, len(vpcs))
	for i, vpc := range vpcs {
		networks[i] = driver.Network{ID: vpc.ID, Name: vpc.Name, Regions: []string{vpc.RegionSlug}, Default: vpc.Default}
		if vpc.IPRange != "" {
			networks[i].Ranges = []string{vpc.IPRange}
		}
	}
	return networks, nil
}

// Firewalls answers the team's cloud firewalls, whose rules mostly let traffic through and stop all else. Droplets with one
// of a firewall's tags are behind it.
func (c *cloud) Firewalls(ctx context.Context) ([]driver.Firewall, error) {
	listed, err := pages(c, func(page *godo.ListOptions) ([]godo.Firewall, *godo.Response, error) {
		return c.client.Firewalls.List(ctx, page)
	}, func(firewall godo.Firewall) string { return firewall.ID })
	if err != nil {
		return nil, err
	}
	firewalls := make([]driver.Firewall, len(listed))
	for i, own := range listed {
		firewalls[i] = driver.Firewall{ID: own.ID, Name: own.Name, Selectors: slices.Clone(own.Tags)}
		for _, rule := range own.InboundRules {
			firewalls[i].Rules = append(firewalls[i].Rules, ruleOf("in", rule.Action, rule.Protocol, rule.PortRange, rule.Sources))
		}
		for _, rule := range own.OutboundRules {
			firewalls[i].Rules = append(firewalls[i].Rules, ruleOf("out", rule.Action, rule.Protocol, rule.PortRange, (*godo.Sources)(rule.Destinations)))
		}
	}
	return firewalls, nil
}

// allPorts is how the vendor writes all ports, and that a protocol has none (DigitalOcean API document, model
// firewall_rule).
const allPorts = "0"

func ruleOf(direction string, action godo.FirewallRuleAction, protocol, ports string, peers *godo.Sources) driver.FirewallRule {
	rule := driver.FirewallRule{Direction: direction, Action: "accept", Protocol: protocol, Ports: ports}
	if action == godo.FirewallRuleActionDeny {
		rule.Action = "drop"
	}
	if ports == allPorts {
		rule.Ports = ""
	}
	if peers == nil {
		return rule
	}
	rule.Peers = slices.Clone(peers.Addresses)
	for _, tag := range peers.Tags {
		rule.Peers = append(rule.Peers, "tag:"+tag)
	}
	for _, id := range peers.DropletIDs {
		rule.Peers = append(rule.Peers, "droplet:"+strconv.Itoa(id))
	}
	for _, id := range peers.LoadBalancerUIDs {
		rule.Peers = append(rule.Peers, "load_balancer:"+id)
	}
	for _, id := range peers.KubernetesIDs {
		rule.Peers = append(rule.Peers, "kubernetes:"+id)
	}
	return rule
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// nodeOnline is the status of a node that answers (GET /nodes).
const nodeOnline = "online"

// bridgeRow is a bridge or a VNet as a node has it (GET /nodes/{node}/network?type=any_bridge). The token is shown those
// that it may use or audit (pve-manager, API2/Network.pm).
type bridgeRow struct {
	Name string `json:"iface"`
	CIDR string `json:"cidr"`
}

// bridges answers the bridges and VNets of the nodes that can be asked, by node; none of them: the reason.
func (c *cloud) bridges(ctx context.Context) (map[string][]bridgeRow, error) {
	names, err := c.nodesToAsk(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string][]bridgeRow{}
	var last error
	for _, node := range names {
		var rows []bridgeRow
		last = c.client.get(ctx, "/nodes/"+url.PathEscape(node)+"/network", url.Values{"type": {"any_bridge"}}, &rows)
		if answer, ok := errors.AsType[*answerError](last); ok && unreachable(answer.status) {
			continue
		}
		if last != nil {
			return nil, last
		}
		found[node] = rows
	}
	if len(found) == 0 {
		return nil, last
	}
	return found, nil
}

func (c *cloud) bridgeObjects(ctx context.Context) ([]driver.Object, error) {
	found, err := c.bridges(ctx)
	var objects []driver.Object
	for _, name := range slices.Sorted(keysOf(byBridge(found))) {
		objects = append(objects, driver.Object{ID: name, Name: name})
	}
	return objects, err
}

// byBridge turns bridges by node into the nodes of each bridge, with its row there.
func byBridge(found map[string][]bridgeRow) map[string]map[string]bridgeRow {
	turned := map[string]map[string]bridgeRow{}
	for node, rows := range found {
		for _, row := range rows {
			if turned[row.Name] == nil {
				turned[row.Name] = map[string]bridgeRow{}
			}
			turned[row.Name][node] = row
		}
	}
	return turned
}

func keysOf[V any, M ~map[string]V](values M) iter.Seq[string] { return maps.Keys(values) }

// Networks answers bridges and VNets, with the nodes that have them where not every node that was asked has. There is one
// region, the name that the account gives its cluster.
func (c *cloud) Networks(ctx context.Context) ([]driver.Network, error) {
	found, err := c.bridges(ctx)
	if err != nil {
		return nil, err
	}
	var networks []driver.Network
	turned := byBridge(found)
	for _, name := range slices.Sorted(keysOf(turned)) {
		rows := turned[name]
		network := driver.Network{ID: name, Name: name, Everywhere: true, Ranges: rangesOf(slices.Collect(maps.Values(rows))...)}
		if len(rows) < len(found) {
			network.Nodes = slices.Sorted(keysOf(rows))
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// rangesOf answers the networks that the nodes' own addresses on a bridge are in.
func rangesOf(rows ...bridgeRow) []string {
	var ranges []string
	for _, row := range rows {
		if own, err := netip.ParsePrefix(row.CIDR); err == nil {
			ranges = append(ranges, own.Masked().String())
		}
	}
	slices.Sort(ranges)
	return slices.Compact(ranges)
}

// firewallRow is a rule of a security group (GET /cluster/firewall/groups/{group}).
type firewallRow struct {
	Type    string `json:"type"`
	Action  string `json:"action"`
	Enable  number `json:"enable"`
	Macro   string `json:"macro"`
	Proto   string `json:"proto"`
	Port    string `json:"dport"`
	Source  string `json:"source"`
	Dest    string `json:"dest"`
	Comment string `json:"comment"`
}

// Firewalls answers the cluster's security groups, which everybody is shown, with those rules that are switched on. A token
// without Sys.Audit on / is shown no rules (pve-firewall, API2/Firewall/Groups.pm and Rules.pm).
func (c *cloud) Firewalls(ctx context.Context) ([]driver.Firewall, error) {
	var groups []struct {
		Name string `json:"group"`
	}
	if err := c.client.get(ctx, "/cluster/firewall/groups", nil, &groups); err != nil {
		return nil, err
	}
	firewalls := make([]driver.Firewall, len(groups))
	for i, group := range groups {
		firewalls[i] = driver.Firewall{ID: group.Name, Name: group.Name}
		var rows []firewallRow
		err := c.client.get(ctx, "/cluster/firewall/groups/"+url.PathEscape(group.Name), nil, &rows)
		if answer, ok := errors.AsType[*answerError](err); ok && answer.status == http.StatusForbidden {
			c.memory.warn("", "The token may not see the rules of security groups (Sys.Audit on /): they are listed without.")
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Enable != 0 {
				firewalls[i].Rules = append(firewalls[i].Rules, row.rule())
			}
		}
	}
	return firewalls, nil
}

// rule answers a rule in our words. A macro stands for protocols and ports; its name begins the description.
func (r firewallRow) rule() driver.FirewallRule {
	rule := driver.FirewallRule{
		Direction: r.Type, Action: strings.ToLower(r.Action), Protocol: strings.ToLower(r.Proto), Ports: strings.ReplaceAll(r.Port, ":", "-"),
		Description: strings.TrimSpace(r.Comment),
	}
	if r.Macro != "" {
		rule.Description = strings.TrimSuffix("macro "+r.Macro+": "+rule.Description, ": ")
	}
	if peers := cmp.Or(map[string]string{"in": r.Source, "out": r.Dest}[r.Type], r.Source, r.Dest); peers != "" {
		rule.Peers = strings.Split(peers, ",")
	}
	return rule
}

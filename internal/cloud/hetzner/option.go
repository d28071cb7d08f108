// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// The options that only this vendor has.
const (
	optionFirewalls = "firewall_ids"
	optionGroup     = "placement_group_id"
	optionNetworkIP = "network_ip"
	optionKeys      = "ssh_key_ids"
)

// options: interfaces are plugged while a server runs; a placement group needs it off (Hetzner API document, POST
// /servers/{id}/actions/add_to_placement_group).
func options() []driver.Option {
	field := func(name string, kind manifest.Type, doc string) manifest.Field {
		return manifest.Field{Name: name, Type: kind, Doc: doc}
	}
	const replacesPublic = "A change replaces the server. A server needs a public interface, or `network`."
	return []driver.Option{
		driver.CommonOption(driver.OptionPublicIPv4, driver.Option{Effect: driver.Replaces, Addresses: true, Note: replacesPublic}),
		driver.CommonOption(driver.OptionPublicIPv6, driver.Option{Effect: driver.Replaces, Addresses: true, Note: replacesPublic}),
		driver.CommonOption(driver.OptionNetwork, driver.Option{
			Effect: driver.InPlace, Refers: true, Addresses: true,
			Note: "The network needs a subnet in the server's network zone. `\"\"` takes the server out. Other networks that it is in are left alone.",
		}),
		{
			Field:  field(optionNetworkIP, manifest.String, "Address of the server in `network`. Default: the first free one of a subnet."),
			Effect: driver.InPlace, Addresses: true, Follows: []string{driver.OptionNetwork}, Note: "A change takes the server out of the network for a moment.",
		},
		{
			Field:  field(optionFirewalls, manifest.StringSet, "Firewalls that the server is behind, by id or name; `[]`: none."),
			Effect: driver.InPlace, Refers: true, Note: "A firewall that a label selector applies shows as well and cannot be taken off here.",
		},
		{
			Field:  field(optionGroup, manifest.String, "Placement group of the server, by id or name; `\"\"`: none."),
			Effect: driver.Restarts, Refers: true,
		},
		{
			Field: field(optionKeys, manifest.StringSet,
				"SSH keys of the project that the server gets at its creation, by id or name, beside `ssh_authorized_keys`. With at least one of them no root password is made."),
			Effect: driver.Replaces, Refers: true, Hidden: true,
		},
		driver.CommonOption(driver.OptionBackups, driver.Option{
			Effect: driver.InPlace, Note: "Daily. `false` removes the backups that there are.",
		}),
		driver.CommonOption(driver.OptionReverseDNS, driver.Option{
			Effect: driver.InPlace, Note: "Of the IPv4 address and the first IPv6 address. `\"\"` puts the vendor's own names back.",
		}),
		driver.CommonOption(driver.OptionDeleteProtection, driver.Option{
			Effect: driver.InPlace, Note: "Sets the vendor's protection against delete and rebuild, so a protected server cannot be reinstalled either.",
		}),
	}
}

// familiesOf: private networks are of IPv4 (Hetzner API document, Networks).
func familiesOf(options manifest.Values) (public, private []string) {
	if options[driver.OptionPublicIPv4] != false {
		public = append(public, "ipv4")
	}
	if options[driver.OptionPublicIPv6] != false {
		public = append(public, "ipv6")
	}
	if options.String(driver.OptionNetwork) != "" {
		private = append(private, "ipv4")
	}
	return public, private
}

// checkOptions looks at options that depend on each other.
func checkOptions(written manifest.Values) []manifest.Fault {
	ip, network := written.String(optionNetworkIP), written.String(driver.OptionNetwork)
	if ip != "" && network == "" {
		return []manifest.Fault{{Path: []string{optionNetworkIP}, Message: "needs network: it is an address in that network"}}
	}
	if written[driver.OptionPublicIPv4] != false || written[driver.OptionPublicIPv6] != false {
		return nil
	}
	if network == "" {
		return []manifest.Fault{{
			Path: []string{driver.OptionNetwork}, Message: "must name a network: with public_ipv4 and public_ipv6 false the server would have no address at all",
		}}
	}
	if written.String(driver.OptionReverseDNS) != "" {
		return []manifest.Fault{{
			Path: []string{driver.OptionReverseDNS}, Message: "needs a public address: with public_ipv4 and public_ipv6 false the server has none",
		}}
	}
	return nil
}

// optionsOf are the options that a server shows.
func optionsOf(server *hcloud.Server) manifest.Values {
	shown := manifest.Values{
		driver.OptionPublicIPv4: !server.PublicNet.IPv4.IsUnspecified(), driver.OptionPublicIPv6: !server.PublicNet.IPv6.IsUnspecified(),
		driver.OptionBackups: server.BackupWindow != "", driver.OptionDeleteProtection: server.Protection.Delete,
		driver.OptionReverseDNS: reverseOf(server), optionGroup: "",
	}
	networks, ips, firewalls := []string{}, []string{}, []string{}
	for _, private := range server.PrivateNet {
		if private.Network == nil {
			continue
		}
		networks = append(networks, strconv.FormatInt(private.Network.ID, 10))
		if ip, ok := addressOf(private.IP); ok {
			ips = append(ips, ip.String())
		}
	}
	for _, status := range server.PublicNet.Firewalls {
		firewalls = append(firewalls, strconv.FormatInt(status.Firewall.ID, 10))
	}
	slices.Sort(networks)
	slices.Sort(ips)
	slices.Sort(firewalls)
	shown[driver.OptionNetwork], shown[optionNetworkIP], shown[optionFirewalls] = networks, ips, firewalls
	if server.PlacementGroup != nil && server.PlacementGroup.ID != 0 {
		shown[optionGroup] = strconv.FormatInt(server.PlacementGroup.ID, 10)
	}
	return shown
}

// reverseOf is the one name of all public addresses. Where they differ it says which has which; the name that the vendor
// gives an address counts as none.
func reverseOf(server *hcloud.Server) string {
	var names, parts []string
	for _, host := range reverseHosts(server) {
		name := host.name
		if isVendorsName(name) {
			name = ""
		}
		names = append(names, name)
		if name == "" {
			name = "none"
		}
		parts = append(parts, host.family+" "+name)
	}
	slices.Sort(names)
	switch names = slices.Compact(names); len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return strings.Join(parts, ", ")
}

// reverseHost is a public address that can have a name.
type reverseHost struct{ ip, family, name string }

func reverseHosts(server *hcloud.Server) []reverseHost {
	var hosts []reverseHost
	if ip, ok := addressOf(server.PublicNet.IPv4.IP); ok {
		hosts = append(hosts, reverseHost{ip.String(), "IPv4", server.PublicNet.IPv4.DNSPtr})
	}
	if network := server.PublicNet.IPv6.Network; network != nil {
		if base, ok := addressOf(network.IP); ok {
			first := base.Next().String()
			hosts = append(hosts, reverseHost{first, "IPv6", server.PublicNet.IPv6.DNSPtr[first]})
		}
	}
	return hosts
}

// orderOptions puts into an order what it takes. An address in the network is chosen by an action of its own: the server
// joins the network then, and is started afterwards.
func orderOptions(order *hcloud.ServerCreateOpts, options manifest.Values) error {
	ids := map[string][]int64{}
	for name, texts := range map[string][]string{
		driver.OptionNetwork: {options.String(driver.OptionNetwork)}, optionGroup: {options.String(optionGroup)},
		optionFirewalls: options.StringList(optionFirewalls), optionKeys: options.StringList(optionKeys),
	} {
		for _, text := range texts {
			if text == "" {
				continue
			}
			id, err := parseID(text)
			if err != nil {
				return err
			}
			ids[name] = append(ids[name], id)
		}
	}
	v4, v6 := options[driver.OptionPublicIPv4] != false, options[driver.OptionPublicIPv6] != false
	if !v4 || !v6 {
		order.PublicNet = &hcloud.ServerCreatePublicNet{EnableIPv4: v4, EnableIPv6: v6}
	}
	if options.String(optionNetworkIP) != "" {
		order.StartAfterCreate = new(false)
	} else {
		for _, id := range ids[driver.OptionNetwork] {
			order.Networks = append(order.Networks, &hcloud.Network{ID: id})
		}
	}
	for _, id := range ids[optionFirewalls] {
		order.Firewalls = append(order.Firewalls, &hcloud.ServerCreateFirewall{Firewall: hcloud.Firewall{ID: id}})
	}
	for _, id := range ids[optionKeys] {
		order.SSHKeys = append(order.SSHKeys, &hcloud.SSHKey{ID: id})
	}
	for _, id := range ids[optionGroup] {
		order.PlacementGroup = &hcloud.PlacementGroup{ID: id}
	}
	return nil
}

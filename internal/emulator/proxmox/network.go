// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// bridge is the bridge that the templates' NICs are on.
const bridge = "vmbr0"

// localBridge is a Linux bridge of one node.
type localBridge struct {
	node      *node
	name      string
	ports     string
	cidr      string // "" without an address of the node's
	comments  string
	vlanAware bool
}

// firstBridges: on each node one towards the world and one that takes VLANs.
func firstBridges(nodes []*node) []*localBridge {
	var made []*localBridge
	for i, n := range nodes {
		made = append(made,
			&localBridge{node: n, name: bridge, ports: "eno1", cidr: fmt.Sprintf("10.0.0.%d/16", i+1)},
			&localBridge{node: n, name: "vmbr1", ports: "eno2", vlanAware: true, comments: "private"},
		)
	}
	return made
}

func (b *localBridge) id() string { return b.node.name + "/" + b.name }

func (b *localBridge) body() object {
	body := object{
		"iface": b.name, "type": "bridge", "active": 1, "autostart": 1, "method": "manual", "method6": "manual",
		"families": []string{"inet"}, "priority": 3, "bridge_ports": b.ports, "bridge_stp": "off", "bridge_fd": "0",
	}
	if b.comments != "" {
		body["comments"] = b.comments + "\n"
	}
	if b.vlanAware {
		body["bridge_vlan_aware"], body["bridge_vids"] = 1, "2-4094"
	}
	if address, bits, found := strings.Cut(b.cidr, "/"); found {
		fill(body, object{"method": "static", "address": address, "netmask": bits, "cidr": b.cidr})
	}
	return body
}

func (a *API) bridgesOf(n *node) []*localBridge {
	return slices.DeleteFunc(slices.Clone(a.bridges), func(b *localBridge) bool { return b.node != n })
}

// networkTypes: pm API2/Network.pm, index.
var networkTypes = []string{
	"bridge", "bond", "eth", "alias", "vlan", "fabric", "OVSBridge", "OVSBond", "OVSPort", "OVSIntPort", "vnet", "any_bridge",
	"any_local_bridge", "include_sdn",
}

// listNetwork lists interfaces, all but VNets where no type is asked for. Bridges show to those who may audit or use
// them (pm API2/Network.pm, index).
func listNetwork(c *call) core.Answer {
	kind, rows := c.in["type"], []object{}
	local := c.api.bridgesOf(c.node)
	if kind == "" || kind == "eth" || kind == "include_sdn" {
		for _, b := range local {
			rows = append(rows, object{
				"iface": b.ports, "type": "eth", "exists": 1, "active": 1, "method": "manual", "method6": "manual",
				"families": []string{"inet"}, "priority": 2,
			})
		}
	}
	if slices.Contains([]string{"", "bridge", "any_bridge", "any_local_bridge", "include_sdn"}, kind) {
		for _, b := range local {
			if c.mayAny("/sdn/zones/localnetwork/"+b.name, "SDN.Audit", "SDN.Use") {
				rows = append(rows, b.body())
			}
		}
	}
	if slices.Contains([]string{"any_bridge", "include_sdn", "vnet"}, kind) {
		rows = append(rows, c.localVNets()...)
	}
	return c.reply(rows)
}

// connects says whether a node has a bridge or a VNet of this name.
func (a *API) connects(n *node, name string) bool {
	v := a.vnet(name)
	return v != nil && a.zone(v.zone).on(n) ||
		slices.ContainsFunc(a.bridgesOf(n), func(b *localBridge) bool { return b.name == name })
}

// missingBridge is the first bridge of a configuration's NICs that the node does not have, "" if it has them all.
func (a *API) missingBridge(n *node, config values) string {
	for _, key := range sortedKeys(config) {
		if on := properties(config[key])["bridge"]; family(key) == "net" && on != "" && !a.connects(n, on) {
			return on
		}
	}
	return ""
}

// checkBridge: since PVE 8 a NIC on a bridge or a VNet needs SDN.Use for it, with a VLAN tag for that tag (qs
// QemuServer.pm, check_bridge_access).
func (c *call) checkBridge(key, value string) *core.Answer {
	on := properties(value)["bridge"]
	if family(key) != "net" || on == "" {
		return nil
	}
	zone := "localnetwork"
	if v := c.api.vnet(on); v != nil {
		zone = v.zone
	}
	where := "/sdn/zones/" + zone + "/" + on
	if tag := properties(value)["tag"]; tag != "" {
		where += "/" + tag
	}
	if !c.may(where, "SDN.Use") {
		return c.forbidden(where + ", SDN.Use")
	}
	return nil
}

// nicModels: qs QemuServer/Network.pm, nic_model_list.
var nicModels = []string{
	"e1000", "e1000-82540em", "e1000-82544gc", "e1000-82545em", "e1000e", "i82551", "i82557b", "i82559er", "ne2k_isa",
	"ne2k_pci", "pcnet", "rtl8139", "virtio", "vmxnet3",
}

var (
	bridgeName = regexp.MustCompile(`^[-_.\w]+$`)
	unicastMAC = regexp.MustCompile(`^(?i)[a-f0-9][02468ace](:[a-f0-9]{2}){5}$`)
	trunkList  = regexp.MustCompile(`^\d+(-\d+)?(;\d+(-\d+)?)*$`)
)

// nicParts are the properties of a NIC (qs QemuServer/Network.pm, net_fmt).
var nicParts = []param{
	choice("model", nicModels...), formatted("macaddr", macAddress), formatted("bridge", bridgeID), number("queues", 0, 64),
	{name: "rate", kind: "number"}, number("tag", 1, 4094), {name: "trunks", kind: "string", pattern: trunkList},
	flag("firewall"), flag("link_down"), number("mtu", 1, 65520), flag("host-tunnel"),
}

func macAddress(value string) string {
	if !unicastMAC.MatchString(value) {
		return "value does not look like a valid unicast MAC address"
	}
	return ""
}

func bridgeID(value string) string {
	if !bridgeName.MatchString(value) {
		return fmt.Sprintf("invalid bridge ID '%s'", value)
	}
	return ""
}

// nic is the format of netN: the model, perhaps with the MAC address as its value, and the rest.
func nic(value string) string {
	parts := properties(value)
	if model, given := parts[""]; given {
		parts["model"] = model
		delete(parts, "")
	}
	for _, model := range nicModels {
		if mac, given := parts[model]; given {
			parts["model"], parts["macaddr"] = model, mac
			delete(parts, model)
		}
	}
	if !parts.has("model") {
		return "format error\nmodel: property is missing and it is not optional\n"
	}
	return formatProblems(parts, nicParts)
}

// formatProblems words what is wrong with the parts of a property string, "" for nothing.
func formatProblems(parts values, known []param) string {
	var problems []string
	for _, name := range sortedKeys(parts) {
		problem := "property is not defined in schema and the schema does not allow additional properties"
		if i := slices.IndexFunc(known, func(p param) bool { return p.name == name }); i >= 0 {
			problem = known[i].problem(parts[name])
		}
		if problem != "" {
			problems = append(problems, name+": "+problem)
		}
	}
	if len(problems) == 0 {
		return ""
	}
	return "format error\n" + strings.Join(problems, "\n") + "\n"
}

// hotplugs says whether a machine takes changes of a family of devices while it runs: network, disk and usb by default
// (qs QemuServer.pm, parse_hotplug_features).
func (m *machine) hotplugs(feature string) bool {
	switch set := m.config["hotplug"]; set {
	case "", "1":
		return slices.Contains([]string{"network", "disk", "usb"}, feature)
	case "0":
		return false
	default:
		return slices.Contains(m.config.list("hotplug"), feature)
	}
}

// plugProblem says why a NIC cannot be plugged into a running machine, "" if it can (pve-common Network.pm,
// read_bridge_mtu).
func (a *API) plugProblem(m *machine, key, value string) string {
	if on := a.missingBridge(m.node, values{key: value}); on != "" {
		return "hotplug problem - bridge '" + on + "' does not exist"
	}
	return ""
}

// bridgeObject: a bridge's id is its node and its name.
func (b *localBridge) object() core.Object {
	return core.Object{ID: b.id(), Name: b.name, State: "active", Node: b.node.name}
}

func (a *API) bridge(id string) *localBridge {
	i := slices.IndexFunc(a.bridges, func(b *localBridge) bool { return b.id() == id })
	if i < 0 {
		return nil
	}
	return a.bridges[i]
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// firewall is the firewall of a machine or of the datacenter: its options, and its rules in order.
type firewall struct {
	options values
	rules   []values
}

func (f firewall) copy() firewall {
	made := firewall{options: maps.Clone(f.options)}
	for _, rule := range f.rules {
		made.rules = append(made.rules, maps.Clone(rule))
	}
	return made
}

// securityGroup is a named list of rules that machines take up with a rule of the type group.
type securityGroup struct {
	name, comment string
	rules         []values
}

func (a *API) group(name string) *securityGroup {
	i := slices.IndexFunc(a.groups, func(g *securityGroup) bool { return g.name == name })
	if i < 0 {
		return nil
	}
	return a.groups[i]
}

// Options of a machine's and of the datacenter's firewall (pf Firewall.pm, vm_option_properties and
// cluster_option_properties).
var (
	logLevel       = []string{"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug", "nolog"}
	machineOptions = []param{
		flag("enable"), flag("macfilter"), flag("dhcp"), flag("ndp"), flag("radv"), flag("ipfilter"),
		choice("policy_in", "ACCEPT", "REJECT", "DROP"), choice("policy_out", "ACCEPT", "REJECT", "DROP"),
		choice("log_level_in", logLevel...), choice("log_level_out", logLevel...),
	}
	clusterOptions = []param{
		number("enable", 0, 1<<40), flag("ebtables"), text("log_ratelimit"), choice("policy_in", "ACCEPT", "REJECT", "DROP"),
		choice("policy_out", "ACCEPT", "REJECT", "DROP"), choice("policy_forward", "ACCEPT", "DROP"),
	}
)

// Where the rules of a route are: VMs', groups' and the datacenter's differ in their rights and in what they allow.
type ruleSet struct {
	path          string
	environment   string // vm, group or cluster
	audit, modify permission
	rules         func(*call) (*[]values, string) // with what is wrong, "" for nothing
}

func (a *API) addFirewallRoutes() {
	look, change := every("/", "Sys.Audit"), every("/", "Sys.Modify")
	ofMachine := every("/vms/{vmid}", "VM.Audit")
	const machines = "/nodes/{node}/qemu/{vmid}/firewall"
	a.route("GET /cluster/firewall/options", look, nil, getOptions(datacenter))
	a.route("PUT /cluster/firewall/options", change, updating(clusterOptions), setOptions(datacenter, clusterOptions))
	a.route("GET "+machines+"/options", ofMachine, nil, getOptions(ofPath))
	a.route("PUT "+machines+"/options", every("/vms/{vmid}", "VM.Config.Network"), updating(machineOptions), setOptions(ofPath, machineOptions))
	name := groupParam("group")
	a.route("GET /cluster/firewall/groups", anyone, nil, listGroups)
	a.route("POST /cluster/firewall/groups", change, []param{must(name), text("comment"), groupParam("rename"), digestParam}, createGroup)
	a.route("DELETE /cluster/firewall/groups/{group}", change, []param{name}, deleteGroup)
	a.addRules(ruleSet{"/cluster/firewall/groups/{group}", "group", look, change, groupRules})
	a.addRules(ruleSet{"/cluster/firewall/rules", "cluster", look, change, func(c *call) (*[]values, string) { return &c.api.firewall.rules, "" }})
	a.addRules(ruleSet{machines + "/rules", "vm", ofMachine, every("/vms/{vmid}", "VM.Config.Network"), func(c *call) (*[]values, string) {
		return &ofPath(c).rules, ""
	}})
}

func datacenter(c *call) *firewall { return &c.api.firewall }

// ofPath is the firewall of the machine of the path. Whether there is such a machine nobody asks: without one the
// firewall is empty, and what is written is of no effect (pf Firewall.pm, load_vmfw_conf).
func ofPath(c *call) *firewall {
	if m := c.here(); m != nil {
		return &m.firewall
	}
	return &firewall{}
}

var digestParam = param{name: "digest", kind: "string", long: 64}

func updating(options []param) []param {
	return slices.Concat(options, []param{text("delete"), digestParam})
}

// getOptions gives the options that were set, with their digest.
func getOptions(of func(*call) *firewall) func(*call) core.Answer {
	return func(c *call) core.Answer {
		options := of(c).options
		return c.reply(ruleBody(options, digestOf(options)))
	}
}

func setOptions(of func(*call) *firewall, known []param) func(*call) core.Answer {
	return func(c *call) core.Answer {
		f := of(c)
		if c.in.has("digest") && c.in["digest"] != digestOf(f.options) {
			return c.died("detected modified configuration - file changed by other user? Try again.")
		}
		next := cloneValues(f.options)
		for _, name := range c.in.list("delete") {
			if !slices.ContainsFunc(known, func(p param) bool { return p.name == name }) {
				return c.invalid(map[string]string{"delete": fmt.Sprintf("no such option '%s'", name)})
			}
			delete(next, name)
		}
		for _, p := range known {
			if value, given := c.in[p.name]; given {
				next[p.name] = value
			}
		}
		f.options = next
		return c.reply(nil)
	}
}

// ruleBody shows options or a rule: numbers as numbers.
func ruleBody(rule values, digest string) object {
	body := object{"digest": digest}
	for name, value := range rule {
		body[name] = value
		if n, err := strconv.Atoi(value); err == nil && slices.Contains([]string{
			"enable", "macfilter", "dhcp", "ndp", "radv", "ipfilter", "ebtables", "ipversion",
		}, name) {
			body[name] = n
		}
	}
	return body
}

// groupParam: pf Firewall.pm, pve-security-group-name.
func groupParam(name string) param {
	return param{name: name, kind: "string", short: 2, long: 18, pattern: groupName}
}

// listGroups names every group to everybody (pf API2/Firewall/Groups.pm).
func listGroups(c *call) core.Answer {
	rows := []object{}
	for _, g := range c.sortedGroups() {
		row := object{"group": g.name, "digest": c.groupsDigest()}
		if g.comment != "" {
			row["comment"] = g.comment
		}
		rows = append(rows, row)
	}
	return c.reply(rows)
}

func (c *call) sortedGroups() []*securityGroup {
	return slices.SortedFunc(slices.Values(c.api.groups), func(a, b *securityGroup) int {
		if a.name < b.name {
			return -1
		}
		return 1
	})
}

func (c *call) groupsDigest() string {
	var all []any
	for _, g := range c.sortedGroups() {
		all = append(all, g.name, g.comment)
	}
	return digestOf(all...)
}

// createGroup makes a group, or renames one, or gives it another comment, where rename is its own name.
func createGroup(c *call) core.Answer {
	name, old := c.in["group"], c.in["rename"]
	if old == "" {
		if c.api.group(name) != nil {
			return c.invalid(map[string]string{"group": fmt.Sprintf("Security group '%s' already exists", name)})
		}
		c.api.groups = append(c.api.groups, &securityGroup{name: name, comment: c.in["comment"]})
		return c.reply(nil)
	}
	renamed := c.api.group(old)
	switch {
	case renamed == nil:
		return c.invalid(map[string]string{"group": fmt.Sprintf("Security group '%s' does not exist", old)})
	case name != old && c.api.group(name) != nil:
		return c.invalid(map[string]string{"group": fmt.Sprintf("Security group '%s' does already exist", name)})
	}
	renamed.name = name
	if comment, given := c.in["comment"]; given {
		renamed.comment = comment
	}
	c.api.renameRules(old, name)
	return c.reply(nil)
}

// renameRules lets the rules that take up a group follow it to its new name.
func (a *API) renameRules(old, name string) {
	all := [][]values{a.firewall.rules}
	for _, m := range a.machines {
		all = append(all, m.firewall.rules)
	}
	for _, rules := range all {
		for _, rule := range rules {
			if rule["type"] == "group" && rule["action"] == old {
				rule["action"] = name
			}
		}
	}
}

func deleteGroup(c *call) core.Answer {
	g := c.api.group(c.in["group"])
	switch {
	case g == nil:
		return c.died(fmt.Sprintf("no such security group '%s'", c.in["group"]))
	case len(g.rules) > 0:
		return c.died(fmt.Sprintf("Security group '%s' is not empty", g.name))
	}
	c.api.groups = slices.DeleteFunc(c.api.groups, func(other *securityGroup) bool { return other == g })
	return c.reply(nil)
}

func groupRules(c *call) (*[]values, string) {
	if g := c.api.group(c.in["group"]); g != nil {
		return &g.rules, ""
	}
	return nil, fmt.Sprintf("no such security group '%s'", c.in["group"])
}

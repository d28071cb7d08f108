// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"fmt"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const (
	groups      = "/cluster/firewall/groups"
	machineFire = "/nodes/pve1/qemu/100/firewall"
)

// TestSecurityGroups: made, given rules, renamed with the rules that take them up, and removed when they are empty.
func TestSecurityGroups(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		want(t, "create", c.ask("POST", groups, "group=web&comment=ours").raw, `{"data":null}`)
		again := c.ask("POST", groups, "group=web")
		want(t, "twice", again.errors["group"], "Security group 'web' already exists")
		want(t, "rule", c.ask("POST", groups+"/web", "type=in&action=ACCEPT&proto=tcp&dport=443&enable=1").status, 200)
		want(t, "another", c.ask("POST", groups+"/web", "type=in&action=ACCEPT&macro=SSH").status, 200)
		rules := c.ask("GET", groups+"/web", "")
		want(t, "the last one is first", rules.get(0, "macro"), "SSH")
		want(t, "off by default", rules.get(0, "enable"), 0.0)
		want(t, "position", rules.get(1, "pos"), 1.0)
		want(t, "position of one", c.ask("GET", groups+"/web/1", "").get("pos"), "1")
		want(t, "moved", c.ask("PUT", groups+"/web/0", "moveto=2").status, 200)
		want(t, "now first", c.ask("GET", groups+"/web", "").get(0, "dport"), "443")
		c.ask("POST", path+"/firewall/rules", "type=group&action=web&enable=1")
		want(t, "rename", c.ask("POST", groups, "group=edge&rename=web").status, 200)
		want(t, "followed", c.ask("GET", path+"/firewall/rules", "").get(0, "action"), "edge")
		want(t, "comment", c.ask("GET", groups, "").row("group", "edge")["comment"], "ours")
		wantRefusal(t, "not empty", c.ask("DELETE", groups+"/edge", ""), refusal{500, "Security group 'edge' is not empty"})
		for range 2 {
			want(t, "delete", c.ask("DELETE", groups+"/edge/0", "").status, 200)
		}
		want(t, "delete", c.ask("DELETE", groups+"/edge", "").status, 200)
		wantRefusal(t, "missing", c.ask("GET", groups+"/edge", ""), refusal{500, "no such security group 'edge'"})
		wantRefusal(t, "missing", c.ask("DELETE", groups+"/edge", ""), refusal{500, "no such security group 'edge'"})
		want(t, "rename of a missing one", c.ask("POST", groups, "group=a1&rename=edge").errors["group"], "Security group 'edge' does not exist")
	})
}

// TestFirewallRuleRefusals: 400 at the property.
func TestFirewallRuleRefusals(t *testing.T) {
	for name, test := range map[string]struct{ path, values, at, text string }{
		"no type":           {machineFire + "/rules", "action=ACCEPT", "type", "property is missing and it is not optional"},
		"unknown action":    {machineFire + "/rules", "type=in&action=ALLOW", "action", "unknown action 'ALLOW'"},
		"group in a group":  {groups + "/web", "type=group&action=web", "type", "invalid rule type 'group' for rule_env 'group'"},
		"forward":           {machineFire + "/rules", "type=forward&action=DROP", "type", "invalid rule type 'forward' for rule_env 'vm'"},
		"reject on forward": {"/cluster/firewall/rules", "type=forward&action=REJECT", "action", "cannot define REJECT rules on forward chain"},
		"interface":         {machineFire + "/rules", "type=in&action=DROP&iface=eth0", "iface", "value does not match the regex pattern 'net\\d+'"},
		"macro":             {machineFire + "/rules", "type=in&action=DROP&macro=Gopher", "macro", "unknown macro 'Gopher'"},
		"port alone":        {machineFire + "/rules", "type=in&action=DROP&dport=80", "proto", "missing property - 'dport' requires this property"},
		"port of GRE":       {machineFire + "/rules", "type=in&action=DROP&dport=80&proto=gre", "dport", "protocol 'gre' does not support ports"},
		"short group":       {groups, "group=w", "group", "value must be at least 2 characters long"},
		"long group":        {groups, "group=abcdefghijklmnopqrs", "group", "value may only be 18 characters long"},
		"group with a dot":  {groups, "group=a.b", "group", "value does not match the regex pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				c.clone()
				c.plantNetwork("security_groups", emulator.Fields{"group": "web"})
				got := c.ask("POST", test.path, test.values)
				want(t, "status", got.status, 400)
				want(t, test.at, got.errors[test.at], test.text)
			})
		})
	}
}

// TestMachineFirewalls: options and rules with their digests, copied by a clone and gone with the machine.
func TestMachineFirewalls(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		want(t, "nothing set", len(c.ask("GET", path+"/firewall/options", "").data.(map[string]any)), 1)
		want(t, "set", c.ask("PUT", path+"/firewall/options", "enable=1&policy_in=DROP&log_level_in=info").status, 200)
		options := c.ask("GET", path+"/firewall/options", "")
		want(t, "enable", options.get("enable"), 1.0)
		want(t, "policy", options.get("policy_in"), "DROP")
		want(t, "right digest", c.ask("PUT", path+"/firewall/options", "delete=log_level_in&digest="+fmt.Sprint(options.get("digest"))).status, 200)
		wantRefusal(t, "old digest", c.ask("PUT", path+"/firewall/options", "enable=0&digest=abc"),
			refusal{500, "detected modified configuration - file changed by other user? Try again."})
		want(t, "unknown", c.ask("PUT", path+"/firewall/options", "delete=colour").errors["delete"], "no such option 'colour'")
		c.ask("POST", path+"/firewall/rules", "type=in&action=ACCEPT&macro=SSH&iface=net0&comment=ssh")
		want(t, "change", c.ask("PUT", path+"/firewall/rules/0", "enable=1&delete=comment").status, 200)
		want(t, "comment", c.ask("GET", path+"/firewall/rules/0", "").get("comment"), nil)
		want(t, "type stays", c.ask("PUT", path+"/firewall/rules/0", "delete=type").errors["delete"], "unable to delete required property 'type'")
		wantRefusal(t, "no rule", c.ask("DELETE", path+"/firewall/rules/3", ""), refusal{500, "no rule at position 3"})
		wantRefusal(t, "old digest", c.ask("DELETE", path+"/firewall/rules/0", "digest=abc"),
			refusal{500, "detected modified configuration - file changed by other user? Try again."})
		want(t, "clone", c.do("POST", path+"/clone", "newid=101&full=1"), "OK")
		want(t, "copied", c.ask("GET", "/nodes/pve1/qemu/101/firewall/rules", "").get(0, "macro"), "SSH")
		c.ask("DELETE", path+"/firewall/rules/0", "")
		want(t, "the copy stays", c.ask("GET", "/nodes/pve1/qemu/101/firewall/rules", "").get(0, "macro"), "SSH")
		want(t, "of a machine that is not there", len(c.ask("GET", "/nodes/pve1/qemu/555/firewall/rules", "").data.([]any)), 0)
		journal := c.Journal()
		want(t, "operation", journal[len(journal)-3].Operation, "firewall")
		want(t, "datacenter", c.ask("PUT", "/cluster/firewall/options", "enable=1&policy_forward=DROP").status, 200)
		want(t, "datacenter", c.ask("GET", "/cluster/firewall/options", "").get("enable"), 1.0)
		want(t, "its rules", c.ask("POST", "/cluster/firewall/rules", "type=forward&action=DROP&enable=1").status, 200)
	})
}

// TestFirewallRights: VM.Config.Network on the machine, Sys.Modify on the datacenter's.
func TestFirewallRights(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.clone()
		separated := c.as("separated")
		want(t, "machine", separated.ask("POST", machineFire+"/rules", "type=in&action=DROP").status, 200)
		wantRefusal(t, "group", separated.ask("POST", groups, "group=web"), refusal{403, "Permission check failed (/, Sys.Modify)"})
		c.set(func(s *emulator.Settings) { s.Denied = []string{"VM.Config.Network"} })
		wantRefusal(t, "machine", separated.ask("PUT", machineFire+"/options", "enable=1"), refusal{403, "Permission check failed (/vms/100, VM.Config.Network)"})
	})
}

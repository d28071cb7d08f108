// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// groupName: pf Firewall.pm, security_group_name_pattern.
var groupName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9\-_]+$`)

// ruleParts are the properties of a rule (pf Firewall.pm, rule_properties).
var ruleParts = []param{
	choice("type", "in", "out", "forward", "group"), {name: "action", kind: "string", short: 2, long: 20, pattern: groupName},
	{name: "macro", kind: "string", long: 128}, text("iface"), {name: "source", kind: "string", long: 512},
	{name: "dest", kind: "string", long: 512}, text("proto"), number("enable", 0, 1<<40), choice("log", logLevel...), text("sport"),
	text("dport"), text("comment"), text("icmp-type"),
}

// macros: pf Firewall.pm, pve_fw_macros.
var macros = strings.Fields(`Amanda Auth BGP BitTorrent BitTorrent32 Ceph CVS Citrix DAAP DCC DHCPfwd DNS Distcc FTP Finger
	GNUnet GRE Git HKP HTTP HTTPS ICPV2 ICQ IMAP IMAPS IPIP IPsec IPsecah IPsecnat IRC Jetdirect L2TP LDAP LDAPS MSNP MSSQL
	Mail MDNS Munin MySQL NNTP NNTPS NTP OSPF OpenVPN PCA PMG POP3 POP3S PPtP Ping PostgreSQL Printer RDP RIP RNDC Razor
	Rdate Rsync SANE SMB SMBswat SMTP SMTPS SNMP SPAMD SSH SVN SixXS SPICEproxy Squid Submission Syslog TFTP Telnet Telnets
	Time Trcrt VNC VNCL Web Webcache Webmin Whois`)

func (a *API) addRules(s ruleSet) {
	position := must(number("pos", 0, 1<<40))
	insert := slices.Concat(ruleParts, []param{digestParam, number("pos", 0, 1<<40)})
	insert[0], insert[1] = must(insert[0]), must(insert[1])
	change := slices.Concat(ruleParts, []param{digestParam, position, number("moveto", 0, 1<<40), text("delete")})
	if s.environment == "group" {
		insert, change = append(insert, groupParam("group")), append(change, groupParam("group"))
	}
	a.route("GET "+s.path, s.audit, nil, s.with(listRules))
	a.route("POST "+s.path, s.modify, insert, s.with(s.create))
	a.route("GET "+s.path+"/{pos}", s.audit, []param{position}, s.with(atPosition(getRule)))
	a.route("PUT "+s.path+"/{pos}", s.modify, change, s.with(atPosition(s.update)))
	a.route("DELETE "+s.path+"/{pos}", s.modify, []param{position, digestParam}, s.with(atPosition(deleteRule)))
}

func (s ruleSet) with(handle func(*call, *[]values) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		rules, problem := s.rules(c)
		if problem != "" {
			return c.died(problem)
		}
		return handle(c, rules)
	}
}

// atPosition finds the rule of the path, and looks at the digest that a change was made for.
func atPosition(handle func(*call, *[]values, int) core.Answer) func(*call, *[]values) core.Answer {
	return func(c *call, rules *[]values) core.Answer {
		if c.in.has("digest") && c.in["digest"] != rulesDigest(*rules) {
			return c.died("detected modified configuration - file changed by other user? Try again.")
		}
		at := c.in.number("pos", 0)
		if at >= len(*rules) {
			return c.died(fmt.Sprintf("no rule at position %d", at))
		}
		return handle(c, rules, at)
	}
}

func rulesDigest(rules []values) string {
	var all []any
	for _, rule := range rules {
		for _, name := range sortedKeys(rule) {
			all = append(all, name, ":", rule[name], "\n")
		}
	}
	return digestOf(all...)
}

func listRules(c *call, rules *[]values) core.Answer {
	rows := []object{}
	for at, rule := range *rules {
		row := ruleBody(rule, rulesDigest(*rules))
		row["pos"] = at
		rows = append(rows, row)
	}
	return c.reply(rows)
}

// getRule shows the position as text, since it is the path's (pf API2/Firewall/Rules.pm, get_rule).
func getRule(c *call, rules *[]values, at int) core.Answer {
	row := ruleBody((*rules)[at], rulesDigest(*rules))
	row["pos"] = strconv.Itoa(at)
	return c.reply(row)
}

// create puts a rule before all others, switched off unless enable says otherwise (pf API2/Firewall/Rules.pm).
func (s ruleSet) create(c *call, rules *[]values) core.Answer {
	rule := values{"enable": "0"}
	c.readRule(rule)
	if answer := s.verify(c, rule); answer != nil {
		return *answer
	}
	*rules = slices.Insert(*rules, 0, rule)
	return c.reply(nil)
}

// readRule takes up what the request says of a rule; an empty value takes a property away.
func (c *call) readRule(rule values) {
	for _, p := range ruleParts {
		if value, given := c.in[p.name]; given && value != "" {
			rule[p.name] = value
		} else if given {
			delete(rule, p.name)
		}
	}
}

// update changes a rule, or moves it and does nothing else.
func (s ruleSet) update(c *call, rules *[]values, at int) core.Answer {
	next := cloneValues((*rules)[at])
	if to := c.in.number("moveto", at); to != at {
		if to > at {
			to-- // the rule itself is taken out before
		}
		rest := slices.Delete(slices.Clone(*rules), at, at+1)
		*rules = slices.Insert(rest, min(to, len(rest)), next)
		return c.reply(nil)
	}
	c.readRule(next)
	for _, name := range c.in.list("delete") {
		if name == "type" || name == "action" {
			return c.invalid(map[string]string{"delete": fmt.Sprintf("unable to delete required property '%s'", name)})
		}
		delete(next, name)
	}
	if answer := s.verify(c, next); answer != nil {
		return *answer
	}
	(*rules)[at] = next
	return c.reply(nil)
}

func deleteRule(c *call, rules *[]values, at int) core.Answer {
	*rules = slices.Delete(slices.Clone(*rules), at, at+1)
	return c.reply(nil)
}

// verify: pf Firewall.pm, verify_rule, as far as the emulator has what rules name.
func (s ruleSet) verify(c *call, rule values) *core.Answer {
	name, problem := s.fault(rule)
	if problem == "" {
		return nil
	}
	return new(c.invalid(map[string]string{name: problem}))
}

func (s ruleSet) fault(rule values) (name, problem string) {
	kind, action := rule["type"], rule["action"]
	inMachine := s.environment == "vm"
	switch {
	case kind == "group" && s.environment == "group", kind == "forward" && inMachine:
		return "type", fmt.Sprintf("invalid rule type '%s' for rule_env '%s'", kind, s.environment)
	case kind == "forward" && action == "REJECT":
		return "action", "cannot define REJECT rules on forward chain"
	case kind != "group" && !slices.Contains([]string{"ACCEPT", "DROP", "REJECT"}, action):
		return "action", fmt.Sprintf("unknown action '%s'", action)
	case rule.has("iface") && inMachine && !nicKey.MatchString(rule["iface"]):
		return "iface", "value does not match the regex pattern 'net\\d+'"
	case rule.has("macro") && !slices.ContainsFunc(macros, func(m string) bool { return strings.EqualFold(m, rule["macro"]) }):
		return "macro", fmt.Sprintf("unknown macro '%s'", rule["macro"])
	case (rule.has("dport") || rule.has("sport")) && !rule.has("proto"):
		return "proto", "missing property - 'dport' requires this property"
	case rule.has("dport") && !slices.Contains([]string{"tcp", "udp", "udplite", "sctp", "dccp", "icmp", "icmpv6", "ipv6-icmp"}, rule["proto"]):
		return "dport", fmt.Sprintf("protocol '%s' does not support ports", rule["proto"])
	}
	return "", ""
}

var nicKey = regexp.MustCompile(`^net\d+$`)

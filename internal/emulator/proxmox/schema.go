// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// param is one parameter of a route. Problems are worded as PVE::JSONSchema words them.
type param struct {
	name     string
	names    *regexp.Regexp // of a family such as net0 to net31, instead of a name
	kind     string         // string, integer, number or boolean
	required bool
	min, max int64 // of an integer, when max is not 0
	short    int   // least length of a string
	long     int   // greatest length of a string, when not 0
	enum     []string
	pattern  *regexp.Regexp
	format   func(string) string // gives what is wrong, "" for nothing
}

func text(name string) param { return param{name: name, kind: "string"} }

func flag(name string) param { return param{name: name, kind: "boolean"} }

func number(name string, least, greatest int64) param {
	return param{name: name, kind: "integer", min: least, max: greatest}
}

func choice(name string, allowed ...string) param {
	return param{name: name, kind: "string", enum: allowed}
}

func formatted(name string, format func(string) string) param {
	return param{name: name, kind: "string", format: format}
}

// must makes a parameter one that cannot be left out.
func must(p param) param {
	p.required = true
	return p
}

// pathParam is a parameter of the path: a VMID, or text.
func pathParam(name string) param {
	if name == "vmid" {
		return vmidParam("vmid")
	}
	return text(name)
}

func vmidParam(name string) param {
	p := number(name, 100, 999_999_999)
	p.format = vmidProblem
	return p
}

func (p param) means(name string) bool {
	return p.name == name || p.names != nil && p.names.MatchString(name)
}

// problem says what is wrong with a value, "" if nothing is.
func (p param) problem(value string) string {
	if problem := p.typeProblem(value); problem != "" {
		return problem
	}
	if len(value) < p.short {
		return fmt.Sprintf("value must be at least %d characters long", p.short)
	}
	if p.long > 0 && len(value) > p.long {
		return fmt.Sprintf("value may only be %d characters long", p.long)
	}
	if p.pattern != nil && !p.pattern.MatchString(value) {
		return "value does not match the regex pattern"
	}
	if p.format != nil {
		if problem := p.format(value); problem != "" {
			return "invalid format - " + problem
		}
	}
	if n, _ := strconv.ParseInt(value, 10, 64); p.kind == "integer" && p.max != 0 { // typeProblem has seen a number
		if n < p.min {
			return fmt.Sprintf("value must have a minimum value of %d", p.min)
		}
		if n > p.max {
			return fmt.Sprintf("value must have a maximum value of %d", p.max)
		}
	}
	if len(p.enum) > 0 && !slices.Contains(p.enum, value) {
		return fmt.Sprintf("value '%s' does not have a value in the enumeration '%s'", value, strings.Join(p.enum, ", "))
	}
	return ""
}

func (p param) typeProblem(value string) string {
	fits := true
	switch p.kind {
	case "integer":
		_, err := strconv.ParseInt(value, 10, 64)
		fits = err == nil
	case "number":
		_, err := strconv.ParseFloat(value, 64)
		fits = err == nil
	case "boolean":
		fits = value == "0" || value == "1"
	}
	if fits {
		return ""
	}
	return fmt.Sprintf("type check ('%s') failed - got '%s'", p.kind, value)
}

var (
	vmidForm  = regexp.MustCompile(`^[1-9][0-9]{2,8}$`)
	nameLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	tagForm   = regexp.MustCompile(`^(?i)[a-z0-9_][a-z0-9_\-+.]*$`)
	encoded   = regexp.MustCompile(`^[-%A-Za-z0-9_.!~*'()]*$`)
	cidr4     = regexp.MustCompile(`^\d{1,3}(\.\d{1,3}){3}/\d{1,2}$`)
	cidr6     = regexp.MustCompile(`^[0-9a-fA-F:.]+/\d{1,3}$`)
	poolForm  = regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+){0,2}$`)
)

func vmidProblem(value string) string {
	if len(value) >= 3 && !vmidForm.MatchString(value) {
		return "value does not look like a valid VM ID"
	}
	return "" // shorter ones are below the minimum, which reads better
}

// dnsName: labels without an underscore, of any length (JSONSchema.pm, pve_verify_dns_name).
func dnsName(value string) string {
	for label := range strings.SplitSeq(value, ".") {
		if !nameLabel.MatchString(label) {
			return "value does not look like a valid DNS name"
		}
	}
	return ""
}

// tagList: JSONSchema.pm, PVE_TAG_RE.
func tagList(value string) string {
	for _, tag := range (values{"": value}).list("") {
		if !tagForm.MatchString(tag) {
			return "invalid characters in tag"
		}
	}
	return ""
}

// urlEncoded: JSONSchema.pm, pve_verify_urlencoded_string; a plus sign for a blank is refused.
func urlEncoded(value string) string {
	if !encoded.MatchString(value) {
		return "invalid urlencoded string: " + value
	}
	return ""
}

func poolName(value string) string {
	if !poolForm.MatchString(value) {
		return fmt.Sprintf("invalid characters in pool name '%s'", value)
	}
	return ""
}

// ipConfig: qemu-server QemuServer/Network.pm; a gateway needs an address.
func ipConfig(value string) string {
	parts := properties(value)
	var problems []string
	for _, name := range sortedKeys(parts) {
		if problem := ipConfigPart(name, parts[name]); problem != "" {
			problems = append(problems, name+": "+problem)
		}
	}
	for gateway, needs := range map[string]string{"gw": "ip", "gw6": "ip6"} {
		if _, given := parts[gateway]; given && parts[needs] == "" {
			problems = append(problems, gateway+": missing property - '"+gateway+"' requires '"+needs+"'")
		}
	}
	if len(problems) == 0 {
		return ""
	}
	return "format error\n" + strings.Join(problems, "\n") + "\n"
}

func ipConfigPart(name, value string) string {
	switch {
	case name == "ip" && value != "dhcp" && !cidr4.MatchString(value):
		return "invalid format - value does not look like a valid ipv4 network configuration"
	case name == "ip6" && value != "dhcp" && value != "auto" && !cidr6.MatchString(value):
		return "invalid format - value does not look like a valid ipv6 network configuration"
	case slices.Contains([]string{"ip", "ip6", "gw", "gw6"}, name):
		return ""
	}
	return "property is not defined in schema and the schema does not allow additional properties"
}

// properties splits a property string such as "virtio=AA:BB,bridge=vmbr0". The part without a name is "".
func properties(value string) values {
	parts := values{}
	for part := range strings.SplitSeq(value, ",") {
		name, own, named := strings.Cut(part, "=")
		switch {
		case part == "":
		case named:
			parts[name] = own
		default:
			parts[""] = part
		}
	}
	return parts
}

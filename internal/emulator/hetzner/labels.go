// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"regexp"
	"strings"
)

// Label grammar: Hetzner API document, "Labels". An optional DNS subdomain and a slash, then a name of 1 to 63
// characters; a value is empty or of 1 to 63 characters.
var (
	labelName   = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	labelPrefix = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)
)

const reservedPrefix = "hetzner.cloud/"

// checkLabels says what is wrong with the labels, "" for nothing.
func checkLabels(labels map[string]string) string {
	for key, value := range labels {
		if strings.HasPrefix(key, reservedPrefix) {
			return fmt.Sprintf("label key %q uses the reserved prefix %s", key, reservedPrefix)
		}
		if !validLabelKey(key) {
			return fmt.Sprintf("label key %q is not valid", key)
		}
		if !validLabelValue(value) {
			return fmt.Sprintf("label value %q of key %q is not valid", value, key)
		}
	}
	return ""
}

func validLabelKey(key string) bool {
	before, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		return labelName.MatchString(key)
	}
	return len(before) <= 253 && labelPrefix.MatchString(before) && labelName.MatchString(name)
}

func validLabelValue(value string) bool { return value == "" || labelName.MatchString(value) }

// requirement is one part of a label selector.
type requirement struct {
	key     string
	values  []string // nil: presence alone
	negated bool
}

func (r requirement) matches(labels map[string]string) bool {
	value, present := labels[r.key]
	if r.values == nil {
		return present != r.negated
	}
	in := false
	for _, want := range r.values {
		in = in || (present && value == want)
	}
	return in != r.negated
}

// selects says whether all parts of a selector hold.
func selects(requirements []requirement, labels map[string]string) bool {
	for _, r := range requirements {
		if !r.matches(labels) {
			return false
		}
	}
	return true
}

var (
	setSelector   = regexp.MustCompile(`^(\S+)\s+(in|notin)\s*\(([^()]*)\)$`)
	equalSelector = regexp.MustCompile(`^([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)$`)
)

// parseSelector reads k==v, k=v, k!=v, k, !k, k in (a,b) and k notin (a,b), joined by commas (Hetzner API document,
// "Label Selector").
func parseSelector(selector string) ([]requirement, error) {
	if strings.TrimSpace(selector) == "" {
		return nil, nil
	}
	var requirements []requirement
	for _, part := range splitSelector(selector) {
		r, err := parseRequirement(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		requirements = append(requirements, r)
	}
	return requirements, nil
}

func parseRequirement(part string) (requirement, error) {
	r := requirement{}
	if found := setSelector.FindStringSubmatch(part); found != nil {
		r = requirement{key: found[1], values: []string{}, negated: found[2] == "notin"}
		for value := range strings.SplitSeq(found[3], ",") {
			r.values = append(r.values, strings.TrimSpace(value))
		}
	} else if found := equalSelector.FindStringSubmatch(part); found != nil {
		r = requirement{key: found[1], values: []string{found[3]}, negated: found[2] == "!="}
	} else {
		key, negated := strings.CutPrefix(part, "!")
		r = requirement{key: strings.TrimSpace(key), negated: negated}
	}
	if !validLabelKey(r.key) {
		return r, fmt.Errorf("invalid label selector at %q", part)
	}
	for _, value := range r.values {
		if !validLabelValue(value) {
			return r, fmt.Errorf("invalid label value %q in selector", value)
		}
	}
	return r, nil
}

// splitSelector splits at the commas outside of brackets.
func splitSelector(selector string) []string {
	var parts []string
	depth, from := 0, 0
	for i, character := range selector {
		switch {
		case character == '(':
			depth++
		case character == ')':
			depth--
		case character == ',' && depth == 0:
			parts = append(parts, selector[from:i])
			from = i + 1
		}
	}
	return append(parts, selector[from:])
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A label is a tag "key.value", or "key" where its value is empty. The vendor writes tags in lower case, each once and in
// alphabetical order (pve-guest-common, GuestHelpers.pm).

var (
	labelKeyPattern   = regexp.MustCompile(`^[a-z0-9_][a-z0-9_+-]*$`)
	labelValuePattern = regexp.MustCompile(`^[a-z0-9_+.-]*$`)
)

const longestTag = 124

// splitTags answers the labels that tags are, without our own tag, and whether that is there. Where two tags have one key,
// the later ones stand as keys without a value, so that none is lost when they are written back.
func splitTags(tags string) (labels map[string]string, managed bool) {
	labels = map[string]string{}
	for _, tag := range strings.FieldsFunc(tags, func(r rune) bool { return r == ';' || r == ',' || r == ' ' }) {
		if tag == tagManaged {
			managed = true
			continue
		}
		key, value, _ := strings.Cut(tag, ".")
		if _, twice := labels[key]; twice || value == "" {
			key, value = tag, ""
		}
		labels[key] = value
	}
	return labels, managed
}

// joinTags is the reverse of splitTags.
func joinTags(labels map[string]string, managed bool) string {
	var tags []string
	if managed {
		tags = append(tags, tagManaged)
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		tag := key
		if labels[key] != "" {
			tag += "." + labels[key]
		}
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	return strings.Join(tags, ";")
}

// CheckLabels answers what the vendor, or we, would refuse; by key.
func (c *cloud) CheckLabels(labels map[string]string) map[string]error {
	faults := map[string]error{}
	for key, value := range labels {
		if err := checkLabel(key, value); err != nil {
			faults[key] = err
		}
	}
	return faults
}

func checkLabel(key, value string) error {
	switch {
	case strings.HasPrefix(key, tagManaged):
		return errors.New("keys that begin with better-compute are reserved: this provider keeps its own records there")
	case !labelKeyPattern.MatchString(key):
		return fmt.Errorf("the key %q must have lower-case letters, digits and _ + -, and begin with none of + -: it becomes the tag key.value", key)
	case !labelValuePattern.MatchString(value):
		return fmt.Errorf("the value %q must have lower-case letters, digits and _ + . - only: it becomes the tag key.value", value)
	case len(key)+len(value) > longestTag:
		return fmt.Errorf("key and value have %d characters together, at most %d fit into a tag", len(key)+len(value), longestTag)
	}
	return nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// The labels that are our marks. These names are fixed: a renamed one would hide every machine made before.
const (
	ourPrefix     = "better-compute.io/"
	labelManaged  = ourPrefix + "managed"
	labelKey      = ourPrefix + "idempotency-key"
	labelAccount  = ourPrefix + "account"
	labelClaim    = ourPrefix + "claim"
	labelCreating = ourPrefix + "creating"
	labelStopped  = ourPrefix + "stopped"
)

// withMarks answers labels and marks as the vendor keeps them, in one map that is never nil.
func withMarks(labels map[string]string, marks driver.Marks) map[string]string {
	all := make(map[string]string, len(labels)+6)
	maps.Copy(all, labels)
	for name, value := range map[string]string{labelKey: marks.Key, labelAccount: marks.Account, labelClaim: marks.Claim} {
		if value != "" {
			all[name] = value
		}
	}
	for name, there := range map[string]bool{labelManaged: marks.Managed, labelCreating: marks.Creating, labelStopped: marks.Stopped} {
		if there {
			all[name] = "true"
		}
	}
	return all
}

// splitMarks is the reverse of withMarks.
func splitMarks(all map[string]string) (driver.Marks, map[string]string) {
	marks := driver.Marks{
		Managed:  all[labelManaged] == "true",
		Key:      all[labelKey],
		Account:  all[labelAccount],
		Claim:    all[labelClaim],
		Creating: all[labelCreating] == "true",
		Stopped:  all[labelStopped] == "true",
	}
	labels := map[string]string{}
	for name, value := range all {
		switch name {
		case labelManaged, labelKey, labelAccount, labelClaim, labelCreating, labelStopped:
		default:
			labels[name] = value
		}
	}
	return marks, labels
}

// The grammar of labels (Hetzner API document, "Labels").
var (
	labelNamePattern   = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	labelPrefixPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)
)

const (
	longestLabelPrefix = 253
	vendorsPrefix      = "hetzner.cloud/"
)

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
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		prefix, name = "", key
	}
	switch {
	case strings.HasPrefix(key, vendorsPrefix):
		return errors.New("the prefix hetzner.cloud/ is reserved by Hetzner")
	case strings.HasPrefix(key, ourPrefix):
		return errors.New("the prefix better-compute.io/ is reserved: this provider keeps its own records there")
	case prefixed && (len(prefix) > longestLabelPrefix || !labelPrefixPattern.MatchString(prefix)):
		return fmt.Errorf("%q before the slash is not a DNS name of at most 253 characters", prefix)
	case !labelNamePattern.MatchString(name):
		return fmt.Errorf("the key %q must have 1 to 63 letters, digits, . _ and -, with a letter or digit at both ends", name)
	case value != "" && !labelNamePattern.MatchString(value):
		return fmt.Errorf("the value %q must be empty or have 1 to 63 letters, digits, . _ and -, with a letter or digit at both ends", value)
	}
	return nil
}

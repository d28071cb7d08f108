// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// The tags that are our marks. These names are fixed: a renamed one would hide every machine made before.
const (
	tagManaged  = "better-compute"
	tagKey      = tagManaged + ":key:"
	tagAccount  = tagManaged + ":account:"
	tagClaim    = tagManaged + ":claim:"
	tagCreating = tagManaged + ":creating"
	tagStopped  = tagManaged + ":stopped"
)

// tagsOf answers marks and labels as the vendor keeps them. The key is the first: what bears a key and nothing else is
// ours to mark again, whatever interrupts the writing.
func tagsOf(marks driver.Marks, labels map[string]string) []string {
	tags := []string{}
	for _, mark := range []struct{ prefix, value string }{{tagKey, marks.Key}, {tagClaim, marks.Claim}, {tagAccount, marks.Account}} {
		if mark.value != "" {
			tags = append(tags, mark.prefix+mark.value)
		}
	}
	for _, mark := range []struct {
		tag   string
		there bool
	}{{tagManaged, marks.Managed}, {tagCreating, marks.Creating}, {tagStopped, marks.Stopped}} {
		if mark.there {
			tags = append(tags, mark.tag)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		tags = append(tags, tagOf(key, labels[key]))
	}
	return tags
}

// tagOf is a label as a tag; one without a value is the key alone.
func tagOf(key, value string) string {
	if value == "" {
		return key
	}
	return key + ":" + value
}

// splitTags is the reverse of tagsOf. Of several claims the smallest holds, the others come apart. A tag of other people
// whose key is there already keeps its whole text as a key, so that nothing of theirs is lost.
func splitTags(tags []string) (marks driver.Marks, otherClaims []string, labels map[string]string) {
	labels = map[string]string{}
	var claims []string
	for _, tag := range slices.Sorted(slices.Values(tags)) {
		switch {
		case tag == tagManaged:
			marks.Managed = true
		case tag == tagCreating:
			marks.Creating = true
		case tag == tagStopped:
			marks.Stopped = true
		case strings.HasPrefix(tag, tagKey):
			marks.Key = strings.TrimPrefix(tag, tagKey)
		case strings.HasPrefix(tag, tagAccount):
			marks.Account = strings.TrimPrefix(tag, tagAccount)
		case strings.HasPrefix(tag, tagClaim):
			claims = append(claims, strings.TrimPrefix(tag, tagClaim))
		default:
			addLabel(labels, tag)
		}
	}
	if len(claims) > 0 {
		marks.Claim, otherClaims = claims[0], claims[1:]
	}
	return marks, otherClaims, labels
}

func addLabel(labels map[string]string, tag string) {
	key, value, _ := strings.Cut(tag, ":")
	if _, twice := labels[key]; twice || tagOf(key, value) != tag {
		key, value = tag, ""
	}
	labels[key] = value
}

// The grammar of tags (DigitalOcean API document, tags).
var (
	labelKeyPattern   = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	labelValuePattern = regexp.MustCompile(`^[A-Za-z0-9_:-]*$`)
)

const longestTag = 255

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
	case key == tagManaged:
		return errors.New("the key better-compute is reserved: this provider keeps its own records there")
	case !labelKeyPattern.MatchString(key):
		return fmt.Errorf("the key %q must have letters, digits, _ and - only: it becomes the tag key:value", key)
	case !labelValuePattern.MatchString(value):
		return fmt.Errorf("the value %q must have letters, digits, _ - and : only: it becomes the tag key:value", value)
	case len(tagOf(key, value)) > longestTag:
		return fmt.Errorf("key and value together must have at most %d characters", longestTag-1)
	}
	return nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// rowTag begins the tags by which DigitalOcean's addresses and certificates are marked, which bear none themselves.
const rowTag = "better-compute:row:"

// marksInRows says that addresses and certificates are marked by tags that nothing bears.
func (v vendor) marksInRows() bool { return v.Name == "digitalocean" }

// rowTags are the tags of a vendor that belong to rows.
func rowTags(world *emulator.Emulator) []string {
	var tags []string
	for _, tag := range world.Objects("digitalocean", "tags") {
		if strings.HasPrefix(tag.ID, rowTag) {
			tags = append(tags, tag.ID)
		}
	}
	return tags
}

// rowsOf are the keys of the rows that record an object.
func rowsOf(world *emulator.Emulator, object emulator.Object) []string {
	recorded := object.ID
	if address, err := netip.ParseAddr(object.ID); err == nil {
		recorded = hex.EncodeToString(address.AsSlice())
	}
	var keys []string
	for _, tag := range rowTags(world) {
		if key, at, ok := strings.Cut(strings.TrimPrefix(tag, rowTag), ":at:"); ok && at == recorded {
			keys = append(keys, key)
		}
	}
	return keys
}

// eraseRows removes the rows that record an object.
func eraseRows(world *emulator.Emulator, object emulator.Object) error {
	keys := rowsOf(world, object)
	for _, tag := range rowTags(world) {
		key, _, _ := strings.Cut(strings.TrimPrefix(tag, rowTag), ":")
		if slices.Contains(keys, key) {
			if err := world.Vanish("digitalocean", "tags", tag); err != nil {
				return err
			}
		}
	}
	return nil
}

// bearsNoEnd says whether an address or certificate shows that its create has not come to its end: by its mark, or by a
// row that claims nothing; one that no row records has not even got that far.
func (v vendor) bearsNoEnd(world *emulator.Emulator, object emulator.Object) bool {
	if !v.marksInRows() {
		return v.unfinished(object)
	}
	keys := rowsOf(world, object)
	return len(keys) != 1 || !slices.ContainsFunc(rowTags(world), func(tag string) bool {
		return strings.HasPrefix(tag, rowTag+keys[0]+":claim:")
	})
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Rows are tags that nothing bears, since the vendor cannot tag addresses and certificates. These names are fixed: a
// renamed one would hide every object made before.
//
//	better-compute:row:<id>                          the intent
//	better-compute:row:<id>:at:<object>              recorded; an address as hexadecimal digits
//	better-compute:row:<id>:since:<object>:<print>   its fingerprint, where it has one
//	better-compute:row:<id>:claim:<claim>            owned
const (
	tagRow    = tagManaged + ":row:"
	partAt    = ":at:"
	partSince = ":since:"
	partClaim = ":claim:"
)

// ListRows reads the team's tags: the vendor has no filter for them.
func (c *cloud) ListRows(ctx context.Context) ([]driver.Row, error) {
	tags, err := pages(c, func(page *godo.ListOptions) ([]godo.Tag, *godo.Response, error) {
		return c.client.Tags.List(ctx, page)
	}, func(tag godo.Tag) string { return tag.Name })
	if err != nil {
		return nil, err
	}
	names := make([]string, len(tags))
	for i, tag := range tags {
		names[i] = tag.Name
	}
	return rowsOf(names), nil
}

// rowsOf puts the tags of each row together, in byte order, so that a record comes before its fingerprint.
func rowsOf(names []string) []driver.Row {
	rows := map[string]*driver.Row{}
	var keys []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		text, ours := strings.CutPrefix(name, tagRow)
		if !ours {
			continue
		}
		key, rest, _ := strings.Cut(text, ":")
		row := rows[key]
		if row == nil {
			row = &driver.Row{Key: key}
			rows[key], keys = row, append(keys, key)
		}
		addPart(row, ":"+rest)
	}
	all := make([]driver.Row, len(keys))
	for i, key := range keys {
		all[i] = *rows[key]
	}
	return all
}

func addPart(row *driver.Row, part string) {
	if object, ok := strings.CutPrefix(part, partAt); ok {
		row.Records = append(row.Records, driver.Record{Object: objectOf(object)})
	}
	if claim, ok := strings.CutPrefix(part, partClaim); ok {
		row.Claims = append(row.Claims, claim)
	}
	text, ok := strings.CutPrefix(part, partSince)
	object, fingerprint, _ := strings.Cut(text, ":")
	for i, record := range row.Records {
		if ok && record.Object == objectOf(object) {
			row.Records[i].Fingerprint = fingerprint
		}
	}
}

// objectText is an address as hexadecimal digits, since tags allow no dots; any other object is as it is.
func objectText(object string) string {
	address, err := netip.ParseAddr(object)
	if err != nil {
		return object
	}
	return hex.EncodeToString(address.AsSlice())
}

// objectOf is the reverse of objectText.
func objectOf(text string) string {
	bytes, err := hex.DecodeString(text)
	if err != nil {
		return text
	}
	address, ok := netip.AddrFromSlice(bytes)
	if !ok {
		return text
	}
	return address.String()
}

// recordTags are the tags of a record, in the order in which they are made.
func recordTags(key string, record driver.Record) []string {
	tags := []string{tagRow + key + partAt + objectText(record.Object)}
	if record.Fingerprint != "" {
		tags = append([]string{tagRow + key + partSince + objectText(record.Object) + ":" + record.Fingerprint}, tags...)
	}
	return tags
}

// OpenRow makes the intent.
func (c *cloud) OpenRow(ctx context.Context, key string) error { return c.makeTag(ctx, tagRow+key) }

// RecordRow makes the record, its fingerprint first, so that no record is ever without it.
func (c *cloud) RecordRow(ctx context.Context, key string, record driver.Record) error {
	for _, tag := range recordTags(key, record) {
		if err := c.makeTag(ctx, tag); err != nil {
			return err
		}
	}
	return nil
}

// ClaimRow makes the claim and removes the others.
func (c *cloud) ClaimRow(ctx context.Context, key, claim string, others []string) error {
	if err := c.makeTag(ctx, tagRow+key+partClaim+claim); err != nil {
		return err
	}
	for _, other := range others {
		if err := c.dropTag(ctx, tagRow+key+partClaim+other, false); err != nil {
			return err
		}
	}
	return nil
}

// WithdrawRow removes one claim.
func (c *cloud) WithdrawRow(ctx context.Context, key, claim string) error {
	return c.dropTag(ctx, tagRow+key+partClaim+claim, false)
}

// EraseRecord removes one record.
func (c *cloud) EraseRecord(ctx context.Context, key string, record driver.Record) error {
	return c.dropTags(ctx, recordTags(key, record))
}

// EraseRow removes the claims first and the intent last: what an interrupt leaves is a row that still shows.
func (c *cloud) EraseRow(ctx context.Context, row driver.Row) error {
	var tags []string
	for _, claim := range row.Claims {
		tags = append(tags, tagRow+row.Key+partClaim+claim)
	}
	for _, record := range row.Records {
		tags = append(tags, recordTags(row.Key, record)...)
	}
	return c.dropTags(ctx, append(tags, tagRow+row.Key))
}

func (c *cloud) dropTags(ctx context.Context, tags []string) error {
	for _, tag := range tags {
		if err := c.dropTag(ctx, tag, false); err != nil {
			return err
		}
	}
	return nil
}

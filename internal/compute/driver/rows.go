// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import "context"

// Rows is the capability of a vendor some of whose objects cannot bear marks: a row beside the object takes their place.
// All writes may be repeated without harm.
type Rows interface {
	// ListRows answers every row of the account.
	ListRows(ctx context.Context) ([]Row, error)
	// OpenRow makes a row without a record: the intent, which is there before the object is made.
	OpenRow(ctx context.Context, key string) error
	// RecordRow notes an object in its row.
	RecordRow(ctx context.Context, key string, record Record) error
	// ClaimRow adds a claim and then removes the others that are given.
	ClaimRow(ctx context.Context, key, claim string, others []string) error
	// WithdrawRow takes one claim off, and nothing else.
	WithdrawRow(ctx context.Context, key, claim string) error
	// EraseRecord removes one record, EraseRow everything of a row.
	EraseRecord(ctx context.Context, key string, record Record) error
	EraseRow(ctx context.Context, row Row) error
}

// Row stands for the marks of an object that cannot bear any. Without a record it is an intent; with a record and no claim
// the object is being created; with a claim a state owns it.
type Row struct {
	Key     string
	Records []Record
	// Claims are in byte order; the smallest holds.
	Claims []string
}

// Record names an object in a row.
type Record struct {
	// Object is the vendor's id of it.
	Object string
	// Fingerprint is the object's; empty where it has none.
	Fingerprint string
}

// RecordOf is the record of an address.
func RecordOf(address ReservedAddress) Record {
	return Record{Object: address.ID, Fingerprint: address.Fingerprint}
}

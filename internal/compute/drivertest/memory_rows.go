// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"maps"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// ListRows answers all rows.
func (m *LaggingMemory) ListRows(context.Context) ([]driver.Row, error) {
	if err := m.enter("ListRows", ""); err != nil {
		return nil, err
	}
	return m.Rows(), nil
}

// Rows answers what there is, by key.
func (m *LaggingMemory) Rows() []driver.Row {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var rows []driver.Row
	for _, key := range slices.Sorted(maps.Keys(m.rows)) {
		row := m.rows[key]
		rows = append(rows, driver.Row{Key: key, Records: slices.Clone(row.Records), Claims: slices.Sorted(slices.Values(row.Claims))})
	}
	return rows
}

func (m *LaggingMemory) writeRow(method, key string, write func(*driver.Row)) error {
	if err := m.enter(method, key); err != nil {
		return err
	}
	m.mutex.Lock()
	if m.rows[key] == nil {
		m.rows[key] = &driver.Row{Key: key}
	}
	write(m.rows[key])
	m.mutex.Unlock()
	return m.leave(method, key)
}

// OpenRow makes a row.
func (m *LaggingMemory) OpenRow(_ context.Context, key string) error {
	return m.writeRow("OpenRow", key, func(*driver.Row) {})
}

// RecordRow adds a record.
func (m *LaggingMemory) RecordRow(_ context.Context, key string, record driver.Record) error {
	return m.writeRow("RecordRow", key, func(row *driver.Row) {
		if !slices.Contains(row.Records, record) {
			row.Records = append(row.Records, record)
		}
	})
}

// ClaimRow adds a claim and removes others.
func (m *LaggingMemory) ClaimRow(_ context.Context, key, claim string, others []string) error {
	return m.writeRow("ClaimRow", key, func(row *driver.Row) {
		row.Claims = slices.DeleteFunc(row.Claims, func(other string) bool { return other == claim || slices.Contains(others, other) })
		row.Claims = append(row.Claims, claim)
	})
}

// WithdrawRow takes one claim off.
func (m *LaggingMemory) WithdrawRow(_ context.Context, key, claim string) error {
	return m.writeRow("WithdrawRow", key, func(row *driver.Row) {
		row.Claims = slices.DeleteFunc(row.Claims, func(other string) bool { return other == claim })
	})
}

// EraseRecord removes one record.
func (m *LaggingMemory) EraseRecord(_ context.Context, key string, record driver.Record) error {
	return m.writeRow("EraseRecord", key, func(row *driver.Row) {
		row.Records = slices.DeleteFunc(row.Records, func(other driver.Record) bool { return other == record })
	})
}

// EraseRow removes a row.
func (m *LaggingMemory) EraseRow(_ context.Context, row driver.Row) error {
	if err := m.enter("EraseRow", row.Key); err != nil {
		return err
	}
	m.mutex.Lock()
	delete(m.rows, row.Key)
	m.mutex.Unlock()
	return m.leave("EraseRow", row.Key)
}

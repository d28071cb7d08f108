// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"slices"
	"sync"
	"time"
)

// Unrouted is the journal's fault of a request for a route that the emulator does not know.
const Unrouted = "unrouted"

// Entry is one request in the journal. Bodies and authorization are never kept.
type Entry struct {
	Seq       int64     `json:"seq"`
	Time      time.Time `json:"time"`
	Vendor    string    `json:"vendor"`
	Token     string    `json:"token"` // name of the token used, "" for an unknown one
	Method    string    `json:"method"`
	Path      string    `json:"path"`      // as sent, without the query
	Query     string    `json:"query"`     // as sent, without the question mark
	Operation string    `json:"operation"` // vendor's own word where the path does not say it
	Object    string    `json:"object"`    // vendor id touched or made
	Status    int       `json:"status"`    // 0 until answered, and for ever if it never was
	Accepted  bool      `json:"accepted"`  // the vendor carried it out or began to; reads: answered with 2xx
	Fault     string    `json:"fault"`     // id of the fault that met it, or "unrouted"
}

// Journal is the list of requests in order of arrival.
type Journal struct {
	mutex    sync.Mutex
	next     int64
	entries  []*Entry
	unrouted []Entry
}

// Add records a request as soon as it has been read and returns its seq.
func (j *Journal) Add(entry Entry) int64 {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.next++
	entry.Seq = j.next
	j.entries = append(j.entries, &entry)
	return entry.Seq
}

// Update changes the entry with this seq, unless the journal was emptied since.
func (j *Journal) Update(seq int64, change func(*Entry)) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	i, found := slices.BinarySearchFunc(j.entries, seq, func(e *Entry, seq int64) int { return int(e.Seq - seq) })
	if found {
		change(j.entries[i])
	}
}

// Entries gives the entries after seq since, of one vendor or of all ("").
func (j *Journal) Entries(vendor string, since int64) []Entry {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	entries := make([]Entry, 0, len(j.entries))
	for _, entry := range j.entries {
		if entry.Seq > since && (vendor == "" || entry.Vendor == vendor) {
			entries = append(entries, *entry)
		}
	}
	return entries
}

// Clear empties the journal. Seq goes on; a request in flight does not come back.
func (j *Journal) Clear() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.entries = nil
}

// Unrouted lists every request for an unknown route since the start, whether or not the journal was emptied.
func (j *Journal) Unrouted() []Entry {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return slices.Clone(j.unrouted)
}

func (j *Journal) noteUnrouted(entry Entry) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.unrouted = append(j.unrouted, entry)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"strings"
	"time"
	"unicode"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// tagManaged is on every machine that was made or taken over by us. Clones inherit it, so it proves nothing alone.
const tagManaged = "better-compute"

// record is what a machine's description says of it: the marks, and what the create was asked for, since a clone shows
// neither its template nor its offer. The names of the lines are fixed: a renamed one would hide every machine made before.
type record struct {
	key, account, claim string
	creating, stopped   bool
	// image is the template's VMID, offer the id of the offer.
	image, offer string
	created      time.Time
	// unfinished says that the machine is a fresh clone which has not been configured; it has never been started then.
	unfinished bool
	// other is what people have written besides.
	other string
}

// readRecord reads a description. A line that is none of ours is other people's.
func readRecord(description string) record {
	var own record
	var other []string
	for line := range strings.Lines(description) {
		// White space at both ends of a description is cut off: a line must mean the same with and without.
		if !own.read(strings.TrimSpace(line)) {
			other = append(other, strings.TrimRightFunc(line, unicode.IsSpace))
		}
	}
	own.other = strings.TrimSpace(strings.Join(other, "\n"))
	return own
}

// read takes one line; false: it is not ours.
func (r *record) read(line string) bool {
	switch line {
	case "creating":
		r.creating = true
		return true
	case "stopped":
		r.stopped = true
		return true
	case "unfinished":
		r.unfinished = true
		return true
	}
	name, value, found := strings.Cut(line, " ")
	if !found || strings.Contains(value, " ") {
		return false
	}
	target := map[string]*string{
		"better-compute": &r.key, "account": &r.account, "claim": &r.claim, "image": &r.image, "offer": &r.offer,
	}[name]
	if target != nil {
		*target = value
		return true
	}
	if name != "created" {
		return false
	}
	created, err := time.Parse(time.RFC3339, value)
	r.created = created
	return err == nil
}

// String is the description. The vendor cuts white space off its end.
func (r record) String() string {
	var lines []string
	for _, line := range [][2]string{
		{"better-compute", r.key}, {"account", r.account}, {"claim", r.claim}, {"image", r.image}, {"offer", r.offer},
	} {
		if line[1] != "" {
			lines = append(lines, line[0]+" "+line[1])
		}
	}
	if !r.created.IsZero() {
		lines = append(lines, "created "+r.created.UTC().Format(time.RFC3339))
	}
	for _, line := range []struct {
		word  string
		there bool
	}{{"creating", r.creating}, {"stopped", r.stopped}, {"unfinished", r.unfinished}} {
		if line.there {
			lines = append(lines, line.word)
		}
	}
	if r.other != "" {
		lines = append(lines, "", r.other)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// withMarks answers the record with other marks.
func (r record) withMarks(marks driver.Marks) record {
	r.key, r.account, r.claim = marks.Key, marks.Account, marks.Claim
	r.creating, r.stopped = marks.Creating, marks.Stopped
	return r
}

// marks answers the marks; the tag stands beside the description.
func (r record) marks(tagged bool) driver.Marks {
	return driver.Marks{Managed: tagged, Key: r.key, Account: r.account, Claim: r.claim, Creating: r.creating, Stopped: r.stopped}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package calls

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The parts of a path that differ from one object to the next are those with a digit or a sign in them, apart from words of
// the APIs.
var (
	isName = regexp.MustCompile(`[^a-z_-]`)
	isWord = regexp.MustCompile(`^(v\d|api2|[a-z_]+_?ipv[46])$`)
)

// Route is a method and path without the object that they are about: "PUT /v1/servers/ID".
func Route(method, path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if isName.MatchString(part) && !isWord.MatchString(part) {
			parts[i] = "ID"
		}
	}
	return method + " " + strings.Join(parts, "/")
}

// Fields are what the line says: "calls" and of them "refused" with status 429, one field a vendor with its routes, the most
// asked first, and the time spent waiting. Nil: nothing was asked.
func (c *Count) Fields() map[string]any {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.calls) == 0 {
		return nil
	}
	total, vendors := 0, map[string][]call{}
	for call, number := range c.calls {
		total += number
		vendors[call.vendor] = append(vendors[call.vendor], call)
	}
	fields := map[string]any{
		"calls": total, "refused": c.refused,
		"waited_for_answers": seconds(c.waited[ForAnswers]),
		"waited_for_limits":  seconds(c.waited[ForLimits]),
		"waited_for_work":    seconds(c.waited[ForWork]),
	}
	for vendor, asked := range vendors {
		fields[vendor] = c.describe(asked)
	}
	return fields
}

// describe is the text about the calls to one vendor; the lock is held.
func (c *Count) describe(asked []call) string {
	texts := make([]string, len(asked))
	slices.SortFunc(asked, func(a, b call) int {
		if more := c.calls[b] - c.calls[a]; more != 0 {
			return more
		}
		return strings.Compare(a.route+a.cause, b.route+b.cause)
	})
	for i, call := range asked {
		texts[i] = fmt.Sprintf("%d %s (%s)", c.calls[call], call.route, call.cause)
	}
	return strings.Join(texts, ", ")
}

func seconds(waited time.Duration) string { return fmt.Sprintf("%.1fs", waited.Seconds()) }

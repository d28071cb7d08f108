// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// The first line of a sealed file, and what recipient lines begin with.
const (
	sealedHead      = "better-compute sealed secrets 1"
	recipientPrefix = "recipient "
)

// content is a sealed file, line by line:
//
//	better-compute sealed secrets 1
//	recipient age1...
//	secret://TENANT/NAME BASE64
//
// Empty lines and lines that begin with # may stand anywhere. A line that is not changed keeps its bytes.
type content struct {
	lines []line
}

// line is one line of the file. Raw is its text with everything but the line feed.
type line struct {
	raw       string
	recipient string
	entry     Entry
	sealed    []byte
}

func (l line) isEntry() bool { return l.entry != Entry{} }

// parseContent reads a file. Its errors name the line and never repeat it: somebody may have put a value there.
func parseContent(text string) (content, error) {
	var parsed content
	if strings.TrimSpace(text) == "" {
		return parsed, &Error{Message: "it is empty. Take it from version control, or remove it and put the values again"}
	}
	for number, raw := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		one, err := parseLine(raw)
		if number == 0 && strings.TrimRight(raw, "\r") != sealedHead {
			err = &Error{Message: fmt.Sprintf("it does not begin with %q, which the files that secret put makes do", sealedHead)}
		} else if number == 0 {
			one, err = line{raw: raw}, nil
		}
		if err == nil && one.isEntry() {
			if other := parsed.find(one.entry); other >= 0 {
				err = &Error{Message: fmt.Sprintf("it has %s twice, on lines %d and %d, as a merge of two changes leaves it. Remove one of them", one.entry, other+1, number+1)}
			}
		}
		if err != nil {
			return content{}, fmt.Errorf("line %d: %w", number+1, err)
		}
		parsed.lines = append(parsed.lines, one)
	}
	if len(parsed.recipients()) == 0 {
		return content{}, &Error{Message: "it has no recipient line, so that nothing can be sealed. Take it from version control"}
	}
	return parsed, nil
}

func parseLine(raw string) (line, error) {
	text := strings.TrimRight(raw, "\r")
	if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#") {
		return line{raw: raw}, nil
	}
	if recipient, is := strings.CutPrefix(text, recipientPrefix); is {
		if err := CheckRecipient(recipient); err != nil {
			return line{}, &Error{Message: "its recipient " + err.Error()}
		}
		return line{raw: raw, recipient: recipient}, nil
	}
	reference, encoded, found := strings.Cut(text, " ")
	if !found || !strings.HasPrefix(reference, schemeSecret+"://") {
		return line{}, &Error{Message: "it is neither a secret, a recipient nor a comment; a merge that was not finished leaves such lines"}
	}
	entry, err := ParseEntry(reference)
	if err != nil {
		return line{}, &Error{Message: "its name " + err.Error()}
	}
	sealed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(sealed) == 0 {
		return line{}, damaged(entry)
	}
	return line{raw: raw, entry: entry, sealed: sealed}, nil
}

// begin makes the content of a new file.
func (c *content) begin(recipients []string) {
	c.lines = []line{{raw: sealedHead}}
	for _, recipient := range recipients {
		c.lines = append(c.lines, line{raw: recipientPrefix + recipient, recipient: recipient})
	}
}

func (c content) recipients() []string {
	var recipients []string
	for _, one := range c.lines {
		if one.recipient != "" {
			recipients = append(recipients, one.recipient)
		}
	}
	return recipients
}

// find answers the place of an entry, or -1.
func (c content) find(entry Entry) int {
	return slices.IndexFunc(c.lines, func(one line) bool { return one.isEntry() && one.entry == entry })
}

// put writes an entry in place of its earlier line, or before the first entry that comes after it.
func (c *content) put(entry Entry, sealed []byte) {
	one := line{raw: entry.String() + " " + base64.StdEncoding.EncodeToString(sealed), entry: entry, sealed: sealed}
	if at := c.find(entry); at >= 0 {
		c.lines[at] = one
		return
	}
	after := slices.IndexFunc(c.lines, func(other line) bool { return other.isEntry() && other.entry.compare(entry) > 0 })
	if after < 0 {
		after = len(c.lines)
	}
	c.lines = slices.Insert(c.lines, after, one)
}

func (c *content) remove(entry Entry) bool {
	at := c.find(entry)
	if at < 0 {
		return false
	}
	c.lines = slices.Delete(c.lines, at, at+1)
	return true
}

func (c content) String() string {
	var text strings.Builder
	for _, one := range c.lines {
		text.WriteString(one.raw + "\n")
	}
	return text.String()
}

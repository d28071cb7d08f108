// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxValue is the most bytes that a value in the sealed file has.
const MaxValue = 64 << 10

// SealedFile is the file behind secret:// references. Each value is encrypted by itself with age, on a line of its own, so
// that the file can be kept in version control: a change of one value is a change of one line. Names and recipients can be
// read by everybody, values with the identity of a recipient. Its errors are of type *Error, or the context's.
//
// Processes that write it at the same time queue up, and a reader sees the file before or after a write, never in between.
type SealedFile struct {
	Path string
	// Identity answers the age identities, as age-keygen writes them. It is asked when a value is opened, and by the first
	// Put of a file that is not there where no Recipients are given.
	Identity func(ctx context.Context) (string, error)
	// Recipients are those of a file that is not there yet. A file that is there has its own; other ones are an error.
	Recipients []string
}

// List answers the entries in the order of the file: by tenant and name, unless it was changed by hand. A file that is not
// there is an error.
func (s SealedFile) List() ([]Entry, error) {
	content, err := s.read()
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, one := range content.lines {
		if one.isEntry() {
			entries = append(entries, one.entry)
		}
	}
	return entries, nil
}

// Has says whether there is such an entry. There is none in a file that is not there.
func (s SealedFile) Has(entry Entry) (bool, error) {
	content, err := s.readIfThere()
	return content.find(entry) >= 0, err
}

// CheckPut says why a Put would fail as things stand: a damaged file, or a new one without recipients.
func (s SealedFile) CheckPut(ctx context.Context) error {
	content, err := s.readIfThere()
	if err != nil {
		return err
	}
	return s.settleRecipients(ctx, &content)
}

// Put seals a value under an entry, in place of an earlier value. Where the file is not there it is made. It returns once
// the file is on the disk.
func (s SealedFile) Put(ctx context.Context, entry Entry, value string) error {
	if err := CheckValue(value); err != nil {
		return err
	}
	return s.change(ctx, func(content *content) (bool, error) {
		if err := s.settleRecipients(ctx, content); err != nil {
			return false, err
		}
		sealed, err := seal(entry, value, content.recipients())
		if err != nil {
			return false, unusable(fmt.Sprintf("%s cannot be sealed: %v", entry, err))
		}
		content.put(entry, sealed)
		return true, nil
	})
}

// Remove takes an entry out and answers whether it was there. There is none in a file that is not there.
func (s SealedFile) Remove(ctx context.Context, entry Entry) (removed bool, err error) {
	if _, err := os.Stat(s.Path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	err = s.change(ctx, func(content *content) (bool, error) {
		removed = content.remove(entry)
		return removed, nil
	})
	return removed, err
}

// CheckValue says what is wrong with a value, as a sentence without its subject and without the value.
func CheckValue(value string) error {
	switch {
	case strings.TrimSpace(value) == "":
		return &Error{Message: "must not be empty"}
	case len(value) > MaxValue:
		return &Error{Message: fmt.Sprintf("must not be longer than %d bytes; it has %d", MaxValue, len(value))}
	case !utf8.ValidString(value):
		return &Error{Message: "must be text in UTF-8"}
	}
	if at := controlCharacter(value); at > 0 {
		return &Error{Message: fmt.Sprintf("must not have control characters other than tabs and line breaks; it has one at position %d", at)}
	}
	return nil
}

// open answers the value of an entry.
func (s SealedFile) open(ctx context.Context, entry Entry) (string, error) {
	content, err := s.read()
	if err != nil {
		return "", err
	}
	at := content.find(entry)
	if at < 0 {
		return "", &Error{Message: fmt.Sprintf("%s is not in the sealed file %s: put it there with secret put, or correct the reference", entry, s.Path)}
	}
	identities, err := s.identities(ctx)
	if err != nil {
		return "", err
	}
	return unseal(entry, content.lines[at].sealed, identities)
}

// settleRecipients gives a new file its recipients, and refuses others for a file that has some.
func (s SealedFile) settleRecipients(ctx context.Context, content *content) error {
	own := content.recipients()
	if len(own) > 0 {
		if len(s.Recipients) > 0 && !slices.Equal(slices.Sorted(slices.Values(s.Recipients)), slices.Sorted(slices.Values(own))) {
			return &Error{Message: fmt.Sprintf("the sealed file %s has other recipients: %s. Leave them out to seal for these, or change the recipient "+
				"lines of the file and put each of its values again", s.Path, strings.Join(own, ", "))}
		}
		return nil
	}
	recipients := s.Recipients
	if len(recipients) == 0 {
		identities, err := s.identities(ctx)
		if err != nil {
			return err
		}
		for _, identity := range identities {
			recipients = append(recipients, identity.Recipient().String())
		}
	}
	for _, recipient := range recipients {
		if err := CheckRecipient(recipient); err != nil {
			return err
		}
	}
	content.begin(recipients)
	return nil
}

func (s SealedFile) read() (content, error) {
	text, err := os.ReadFile(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return content{}, unusable(fmt.Sprintf("the sealed file %s is not there: secret put makes it", s.Path))
	}
	if err != nil {
		return content{}, unusable(fmt.Sprintf("the sealed file cannot be read: %v", err))
	}
	parsed, err := parseContent(string(text))
	if err != nil {
		return content{}, unusable(fmt.Sprintf("the sealed file %s cannot be used: %v", s.Path, err))
	}
	return parsed, nil
}

// readIfThere answers nothing for a file that is not there.
func (s SealedFile) readIfThere() (content, error) {
	if _, err := os.Stat(s.Path); errors.Is(err, fs.ErrNotExist) {
		return content{}, nil
	}
	return s.read()
}

func unusable(message string) error { return &Error{NotConfigured: true, Message: message} }

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// NewIdentity makes an age identity (X25519) and answers it, as a line of text that has to be kept secret, and its
// recipient, which need not be.
func NewIdentity() (identity, recipient string, err error) {
	made, err := age.GenerateX25519Identity()
	if err != nil {
		return "", "", err
	}
	return made.String(), made.Recipient().String(), nil
}

// CheckRecipient says what is wrong with the text of an age recipient, as a sentence without its subject.
func CheckRecipient(text string) error {
	if _, err := age.ParseX25519Recipient(text); err != nil {
		return &Error{Message: "must be an age X25519 recipient, age1 and 58 letters and digits, as secret keygen prints it"}
	}
	return nil
}

// parseIdentities reads what age-keygen writes: one or more identities, a line for each, and comments.
func parseIdentities(text string) ([]*age.X25519Identity, error) {
	var identities []*age.X25519Identity
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		identity, err := age.ParseX25519Identity(line)
		if err != nil {
			return nil, unusable("the age identity cannot be read: it must be an X25519 identity, AGE-SECRET-KEY-1 and 58 letters and digits, as " +
				"secret keygen makes it")
		}
		identities = append(identities, identity)
	}
	if len(identities) == 0 {
		return nil, unusable("the age identity is empty: it must be a line that begins with AGE-SECRET-KEY-1, as secret keygen makes it")
	}
	return identities, nil
}

// identities asks for the text of the identities and reads it.
func (s SealedFile) identities(ctx context.Context) ([]*age.X25519Identity, error) {
	if s.Identity == nil {
		return nil, unusable("there is no age identity")
	}
	text, err := s.Identity(ctx)
	if failure, ok := errors.AsType[*Error](err); ok {
		return nil, unusable("the age identity is not there: " + failure.Message)
	}
	if err != nil {
		return nil, err
	}
	return parseIdentities(text)
}

// seal encrypts a value for the recipients. The entry is sealed with it, so that a value that was moved to another entry
// by hand is noticed.
func seal(entry Entry, value string, recipients []string) ([]byte, error) {
	var readers []age.Recipient
	for _, text := range recipients {
		recipient, err := age.ParseX25519Recipient(text)
		if err != nil {
			return nil, err
		}
		readers = append(readers, recipient)
	}
	var sealed strings.Builder
	writer, err := age.Encrypt(&sealed, readers...)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(writer, entry.String()+"\n"+value); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return []byte(sealed.String()), nil
}

// unseal decrypts what seal has made.
func unseal(entry Entry, sealed []byte, identities []*age.X25519Identity) (string, error) {
	var keys []age.Identity
	for _, identity := range identities {
		keys = append(keys, identity)
	}
	reader, err := age.Decrypt(strings.NewReader(string(sealed)), keys...)
	if _, ok := errors.AsType[*age.NoIdentityMatchError](err); ok {
		return "", unusable(fmt.Sprintf("%s is not sealed for the age identity, whose recipient is %s", entry, identities[0].Recipient()))
	}
	if err != nil {
		return "", damaged(entry)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		return "", damaged(entry)
	}
	written, value, found := strings.Cut(string(plain), "\n")
	if !found || written != entry.String() {
		return "", unusable(fmt.Sprintf("what is sealed on the line of %s belongs to another secret: the line was changed by hand. Put the value again", entry))
	}
	return value, nil
}

func damaged(entry Entry) error {
	return unusable(fmt.Sprintf("the line of %s is damaged: it was changed or cut after it was sealed. Take it from version control, or put the value again", entry))
}

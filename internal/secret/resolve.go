// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
)

// Resolver finds the values behind references. The zero value reads the environment of the process and nothing else.
type Resolver struct {
	// LookupEnv answers a variable and whether it is set; nil means os.LookupEnv.
	LookupEnv func(name string) (string, bool)
	// Sealed is the file behind secret://, and Vault what is behind vault://; nil where they are not configured.
	Sealed *SealedFile
	Vault  *Vault
}

// Resolve answers the value behind a reference as it is now, without white space around it. It is one line of ASCII, as
// a token is. Nothing is kept: a value that changes is seen by the next call. Its errors are of type *Error, or the
// context's.
func (r Resolver) Resolve(ctx context.Context, text string) (string, error) {
	value, err := r.find(ctx, text)
	if err != nil {
		return "", err
	}
	return value, checkLine(text, value)
}

// ResolveText is Resolve for values of several lines, such as certificates and keys in PEM: tabs, line breaks and
// characters outside ASCII may stand in them.
func (r Resolver) ResolveText(ctx context.Context, text string) (string, error) {
	value, err := r.find(ctx, text)
	if err != nil {
		return "", err
	}
	if at := controlCharacter(value); at > 0 {
		return "", &Error{Message: fmt.Sprintf("the value behind %s has a control character at position %d", text, at)}
	}
	return value, nil
}

// find answers a value that is not empty, without white space around it.
func (r Resolver) find(ctx context.Context, text string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	parsed, err := parse(text)
	if err != nil {
		return "", err
	}
	value, err := r.lookUp(ctx, parsed)
	if failure, ok := errors.AsType[*Error](err); ok {
		unresolved := *failure
		unresolved.Message = text + " cannot be resolved: " + failure.Message
		return "", &unresolved
	}
	if err != nil {
		return "", err
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return "", &Error{Message: text + " cannot be resolved: the value is empty"}
	}
	return value, nil
}

func (r Resolver) lookUp(ctx context.Context, parsed reference) (string, error) {
	switch {
	case parsed.scheme == schemeEnv:
		return r.variable(parsed.name)
	case parsed.scheme == schemeSecret && r.Sealed != nil:
		return r.Sealed.open(ctx, parsed.entry())
	case parsed.scheme == schemeVault && r.Vault != nil:
		return r.Vault.read(ctx, parsed.name)
	case parsed.scheme == schemeSecret:
		return "", unusable("the provider argument secret_store, which names the sealed file, is not set")
	}
	return "", unusable("the provider argument vault, which names the server, is not set; vault = {} takes what VAULT_ADDR and VAULT_TOKEN say")
}

func (r Resolver) variable(name string) (string, error) {
	lookup := r.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	value, set := lookup(name)
	switch {
	case !set:
		return "", &Error{Message: fmt.Sprintf("the environment variable %s is not set where the provider runs", name)}
	case strings.TrimSpace(value) == "":
		return "", &Error{Message: fmt.Sprintf("the environment variable %s is empty", name)}
	}
	return value, nil
}

// checkLine refuses what cannot stand in a request header; it names the place, counted from 1, and never the value.
func checkLine(text, value string) error {
	for i, character := range value {
		switch {
		case character < ' ' || character == 0x7f:
			return &Error{Message: fmt.Sprintf("the value behind %s has a control character, such as a line break, at position %d", text, i+1)}
		case character > 0x7f:
			return &Error{Message: fmt.Sprintf("the value behind %s has a character outside ASCII at position %d", text, i+1)}
		}
	}
	return nil
}

// controlCharacter answers the place, counted from 1, of the first control character besides tabs and line breaks; 0 where
// there is none.
func controlCharacter(value string) int {
	at := strings.IndexFunc(value, func(character rune) bool {
		return unicode.IsControl(character) && character != '\t' && character != '\n' && character != '\r'
	})
	return at + 1
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// Resolver finds the values behind references. The zero value reads the environment of the process.
type Resolver struct {
	// LookupEnv answers a variable and whether it is set; nil means os.LookupEnv.
	LookupEnv func(name string) (string, bool)
}

// Resolve answers the value behind a reference as it is now, without white space around it. Nothing is kept: a value that
// changes is seen by the next call. Its errors are of type *Error, or the context's.
func (r Resolver) Resolve(ctx context.Context, text string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	parsed, err := parse(text)
	if err != nil {
		return "", err
	}
	switch parsed.scheme {
	case schemeVault:
		return "", notConfigured(text, "vault")
	case schemeSecret:
		return "", notConfigured(text, "secret_store")
	}
	return r.variable(text, parsed.name)
}

func notConfigured(text, argument string) error {
	return &Error{NotConfigured: true, Message: fmt.Sprintf("%s cannot be resolved: the provider argument %s, which would say where, comes with "+
		"a later release; this release resolves env:// references only", text, argument)}
}

func (r Resolver) variable(text, name string) (string, error) {
	lookup := r.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	value, set := lookup(name)
	if !set {
		return "", &Error{Message: fmt.Sprintf("%s cannot be resolved: the environment variable %s is not set where the provider runs", text, name)}
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return "", &Error{Message: fmt.Sprintf("%s cannot be resolved: the environment variable %s is empty", text, name)}
	}
	if err := checkValue(text, value); err != nil {
		return "", err
	}
	return value, nil
}

// checkValue refuses what cannot stand in a request header; it names the place, counted from 1, and never the value.
func checkValue(text, value string) error {
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

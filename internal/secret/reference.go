// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package secret knows references to secrets: their grammar, and how the value behind one is found. A config holds
// references only, so that no secret is ever stored.
package secret

import (
	"regexp"
	"slices"
	"strings"
)

// MaxLength is the most characters that a reference has.
const MaxLength = 270

// The schemes of references.
const (
	schemeEnv    = "env"
	schemeVault  = "vault"
	schemeSecret = "secret"
)

var (
	variablePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	tenantPattern   = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)
	namePattern     = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)
	// segmentPattern is a part of a Vault mount or path: printable ASCII without white space, slash and number sign.
	segmentPattern = regexp.MustCompile(`^[!-"$-.0-~]+$`)
)

// Error is why a reference cannot be used or resolved. It never holds the value behind the reference, nor a text that is
// no reference: somebody may have put the secret itself there.
type Error struct {
	// NotConfigured says that the reference is sound and the store behind its scheme cannot be used: it is not configured,
	// damaged, locked or out of reach. The argument that holds the reference is not at fault.
	NotConfigured bool
	// Denied says that the store refuses its own credential the value.
	Denied  bool
	Message string
}

func (e *Error) Error() string { return e.Message }

// reference is a text taken apart. Name is what follows the scheme: the variable of env, MOUNT/PATH#FIELD of vault,
// TENANT/NAME of secret.
type reference struct {
	scheme string
	name   string
}

// entry is what a secret:// reference names.
func (r reference) entry() Entry {
	tenant, name, _ := strings.Cut(r.name, "/")
	return Entry{Tenant: tenant, Name: name}
}

// Check says what is wrong with the text of a reference, as a sentence without its subject. Its errors are of type
// *Error and do not repeat the text.
//
//	env://NAME  vault://MOUNT/PATH#FIELD  secret://TENANT/NAME
func Check(text string) error {
	_, err := parse(text)
	return err
}

// CheckScheme is Check for an argument that takes references of some schemes only, such as env and secret.
func CheckScheme(text string, schemes ...string) error {
	parsed, err := parse(text)
	if err == nil && !slices.Contains(schemes, parsed.scheme) {
		return &Error{Message: "must be a reference that starts with " + strings.Join(schemes, ":// or ") + "://"}
	}
	return err
}

func parse(text string) (reference, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return reference{}, &Error{Message: "must be a reference to a secret, not the secret itself: put the value into an environment " +
			"variable and write its name here, such as env://HCLOUD_TOKEN"}
	}
	if len(text) > MaxLength {
		return reference{}, &Error{Message: "is longer than 270 characters, the most that a reference has"}
	}
	var sound bool
	var want string
	switch scheme {
	case schemeEnv:
		sound = variablePattern.MatchString(rest)
		want = "env:// and the name of an environment variable (letters, digits and _, no digit first), such as env://HCLOUD_TOKEN"
	case schemeVault:
		sound = isVaultPath(rest)
		want = "vault://MOUNT/PATH#FIELD, such as vault://secret/hetzner#token"
	case schemeSecret:
		tenant, name, _ := strings.Cut(rest, "/")
		sound = tenantPattern.MatchString(tenant) && namePattern.MatchString(name)
		want = "secret://TENANT/NAME, such as secret://root/hcloud-token"
	default:
		return reference{}, &Error{Message: "must be a reference to a secret that starts with env://, vault:// or secret://, such as env://HCLOUD_TOKEN"}
	}
	if !sound {
		return reference{}, &Error{Message: "must have the form " + want}
	}
	return reference{scheme: scheme, name: rest}, nil
}

func isVaultPath(text string) bool {
	path, field, _ := strings.Cut(text, "#")
	segments := strings.Split(path, "/")
	if len(segments) < 2 || !namePattern.MatchString(field) {
		return false
	}
	return !slices.ContainsFunc(segments, func(segment string) bool {
		return !segmentPattern.MatchString(segment) || segment == "." || segment == ".."
	})
}

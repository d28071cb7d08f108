// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"crypto/rand"
	"regexp"
	"strings"
)

var claimPattern = regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{10}|0)-[0-9a-hjkmnp-tv-z]{16}$`)

// NewClaim answers a fresh claim for the state that the owner names: <10 characters of the owner's hash, or 0>-<16 random
// characters>. An owner is whatever the provider argument of that name says; empty means that the state is not named.
func NewClaim(owner string) string {
	random := make([]byte, 10)
	if _, err := rand.Read(random); err != nil {
		panic("the system has no randomness: " + err.Error())
	}
	return ownerPart(owner) + "-" + crockford.EncodeToString(random)
}

// WellFormedClaim says whether a text can be a claim of ours. Anything else counts as no claim at all.
func WellFormedClaim(claim string) bool {
	return claimPattern.MatchString(claim)
}

func ownerPart(owner string) string {
	if owner == "" {
		return "0"
	}
	return hash([]any{idFormat, "owner", owner})[:10]
}

// sameOwner says whether a claim was made for a state of this owner. Without an owner nothing can be told.
func sameOwner(claim, owner string) bool {
	part, _, _ := strings.Cut(claim, "-")
	return owner != "" && WellFormedClaim(claim) && part == ownerPart(owner)
}

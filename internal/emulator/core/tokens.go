// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"crypto/rand"
	"math/big"
)

// Tokens are a vendor's tokens by name. "main" is the one at the top of the start line.
type Tokens map[string]string

// Name is the name of a token's value, "" for an unknown one.
func (t Tokens) Name(value string) string {
	if value == "" {
		return ""
	}
	for name, known := range t {
		if known == value {
			return name
		}
	}
	return ""
}

// Others are all tokens but main: what the start line shows under "tokens".
func (t Tokens) Others() map[string]string {
	others := make(map[string]string, len(t))
	for name, value := range t {
		if name != "main" {
			others[name] = value
		}
	}
	return others
}

// RandomText makes text of the given length from the alphabet, from the system's random source.
func RandomText(alphabet string, length int) string {
	text := make([]byte, length)
	for i := range text {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet))))
		if err != nil {
			panic(err) // crypto/rand never fails on supported systems
		}
		text[i] = alphabet[n.Int64()]
	}
	return string(text)
}

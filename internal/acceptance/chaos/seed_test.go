// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"os"
	"strconv"
	"testing"
)

// seedOf answers the seed that was asked for, else 1: what goes wrong is always the same then.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv(seedVariable)
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %q is no whole number", seedVariable, text)
	}
	return seed
}

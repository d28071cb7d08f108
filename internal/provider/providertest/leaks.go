// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"testing"

	"go.uber.org/goleak"
)

// VerifyNoLeaks runs the tests of a package that serves the provider to a CLI in its own process, and fails on goroutines left over.
// go-plugin v1.7.0 never closes the pipes of such a server: their two readers end when the garbage collector comes by, which may be
// after the last test.
func VerifyNoLeaks(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/hashicorp/go-plugin.copyChan"))
}

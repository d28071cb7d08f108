// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.VerifyNoLeaks(m) }

const (
	typeName = "bettercompute_provider_account"
	variable = "BETTERCOMPUTE_TEST_TOKEN"
	planted  = "planted0secret0planted0secret0planted0secret0planted0secret0plan"
)

// hetzner is the config of an account on the emulator.
func hetzner(e *emulator.Emulator) providertest.Attributes {
	return providertest.Attributes{"token": "env://" + variable, "endpoint": e.Hetzner.Endpoint}
}

// start serves the emulator and puts its token where the accounts of these tests look for it.
func start(t *testing.T) *emulator.Emulator {
	t.Helper()
	e := emulator.Start(t, emulator.Options{})
	t.Setenv(variable, e.Hetzner.Token)
	return e
}

// quick is a provider block that does not repeat requests: nothing here is to be waited for.
var quick = providertest.Attributes{"max_retries": 0}

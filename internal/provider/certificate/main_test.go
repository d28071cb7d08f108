// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate_test

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.VerifyNoLeaks(m) }

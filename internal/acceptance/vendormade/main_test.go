// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

func TestMain(m *testing.M) { acceptance.Main(m) }

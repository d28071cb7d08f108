// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver_test

import (
	"context"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func TestPausesOfAWriteEndWithTheCommandUntilItHasBeenSent(t *testing.T) {
	command, interrupt := context.WithCancel(t.Context())
	writing, give := context.WithCancel(driver.Detach(command))
	sent := driver.Complete(writing)
	interrupt()
	if driver.Waits(writing).Err() == nil {
		t.Error("a write that waits to be sent outlives the command")
	}
	if driver.Waits(sent).Err() != nil || sent.Err() != nil {
		t.Error("what has to follow a write ends with the command")
	}
	give()
	if driver.Waits(sent).Err() == nil {
		t.Error("what has to follow a write has no end")
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

// The defaults of the arguments that are durations. An account's vendor may need longer for a create.
const (
	defaultCreate   = 20 * time.Minute
	defaultUpdate   = 20 * time.Minute
	defaultDelete   = 10 * time.Minute
	defaultRead     = 2 * time.Minute
	defaultShutdown = 60 * time.Second
)

// allowed answers how long an operation may take: what the timeouts say of it, else the standard.
func (m model) allowed(operation string, standard time.Duration) time.Duration {
	return attributes.Allowed(m.Timeouts, operation, standard)
}

func createTimeout(account *compute.Account) time.Duration {
	if vendors := account.Limits().CreateTimeout; vendors > 0 {
		return vendors
	}
	return defaultCreate
}

// shutdownTimeout is how long a guest may take to stop by itself.
func (m model) shutdownTimeout() time.Duration {
	written, err := time.ParseDuration(m.ShutdownTimeout.ValueString())
	if err != nil {
		// The schema refuses what is no duration, so this is the argument that was left out.
		return defaultShutdown
	}
	return written
}

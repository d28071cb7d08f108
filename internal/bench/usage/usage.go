// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package usage tells what a process has used.
package usage

import (
	"os"
	"time"
)

// Usage is what a process has used until its end.
type Usage struct {
	// PeakBytes is the most memory that it had at once, by the system's account of resident pages; 0 where the system does
	// not tell.
	PeakBytes int64 `json:"peak_bytes"`
	// CPU is the processors' time.
	CPU time.Duration `json:"cpu_nanoseconds"`
}

// Of answers what an ended process has used.
func Of(ended *os.ProcessState) Usage {
	return Usage{PeakBytes: peak(ended), CPU: ended.UserTime() + ended.SystemTime()}
}

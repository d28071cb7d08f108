//go:build unix

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package usage

import (
	"os"
	"runtime"
	"syscall"
)

// peak reads Maxrss, in KiB on every system but Apple's, which count bytes.
func peak(ended *os.ProcessState) int64 {
	used, ok := ended.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		return int64(used.Maxrss) //nolint:unconvert // An int32 on systems of 32 bits.
	}
	return int64(used.Maxrss) * 1024 //nolint:unconvert // As above.
}

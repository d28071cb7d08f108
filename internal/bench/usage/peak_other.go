//go:build !unix

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package usage

import "os"

func peak(*os.ProcessState) int64 { return 0 }

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

// Notice is something that the user should know although nothing has failed. It becomes a warning.
type Notice struct {
	Summary string
	Detail  string
	// Field is the argument that it belongs to; empty: none.
	Field string
}

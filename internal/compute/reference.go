// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

// Reference is the account object that everything which needs an account takes: a value that can be passed whole, since
// its config holds references to secrets and never secrets.
type Reference struct {
	// ID is the account's, TenantID its owner, Kind the name of its kind, such as hetzner-cloud.
	ID, TenantID, Kind string
	// Config is the canonical JSON of what the user wrote.
	Config string
}

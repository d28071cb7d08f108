// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import "context"

// Projects is the capability of a vendor that groups what one token sees into projects. A machine goes into the one that its
// option names (see Option.Project, whose Options.Objects are all projects), else into that of its account's config, else into
// the vendor's default, into which everything goes by itself. Addresses go into that of their account.
type Projects interface {
	// ProjectID is the id of the project that the config names; empty: none. No request.
	ProjectID() string
	// AssignProject puts a machine into a project, by their ids, out of the one that it is in. Doing so twice does no harm.
	// Codes: INVALID_INPUT with Field "project_id" for a project that is not there, ACCESS_DENIED.
	AssignProject(ctx context.Context, machineID, projectID string) error
	// ProjectMachines answers the ids of the machines in a project, by its id; empty: in the vendor's default one. NOT_FOUND
	// for one that is not there. A machine that was put there a moment ago may be missing.
	ProjectMachines(ctx context.Context, projectID string) ([]string, error)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import "context"

// Projects is the capability of a vendor that groups what one token sees into projects. An account keeps to one of them: to
// the one that its config names, else to the vendor's default, into which everything goes by itself.
type Projects interface {
	// ProjectID is the project that the config names; empty: none. No request.
	ProjectID() string
	// ListProjects answers all projects that the token sees. A token without the right: ACCESS_DENIED.
	ListProjects(ctx context.Context) ([]Project, error)
	// AssignProject puts a machine into the project that the config names, out of the one that it is in. Doing so twice does
	// no harm. Codes: INVALID_INPUT with Field "project_id" for a project that is not there, ACCESS_DENIED.
	AssignProject(ctx context.Context, machineID string) error
	// ProjectMachines answers the ids of the machines in the account's project.
	ProjectMachines(ctx context.Context) ([]string, error)
}

// Project is one group of what a token sees.
type Project struct {
	ID, Name string
}

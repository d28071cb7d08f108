// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package accounts

import "github.com/hashicorp/terraform-plugin-framework/types"

// machineProjects is the sort of what is kept of the projects that are written for machines.
const machineProjects = "project of a machine"

// An address is planned after the machine that it goes on, in the same process, and is handed nothing of the machine's project:
// so the plan of the machine leaves word.

// KeepProject remembers for the rest of the command which project is written for the machine with an id of ours; empty: none.
func (o *Opener) KeepProject(machine types.String, project string) {
	if o.Accounts != nil && machine.ValueString() != "" {
		o.Keep(machineProjects, machine.ValueString(), project)
	}
}

// KeptProject answers what KeepProject has remembered of a machine; empty: no project is written for it, or nothing is known.
func (o *Opener) KeptProject(machine types.String) string {
	if o.Accounts == nil {
		return ""
	}
	return o.Kept(machineProjects, machine.ValueString())
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// life is whose steps are logged: one line at INFO for each step of a machine's life takes the place of an event.
type life struct {
	account     *compute.Account
	id, machine string
}

// log writes one line: the step, or "error" where it failed.
func (l life) log(ctx context.Context, step string, err error) {
	fields := map[string]any{"id": l.id, "machine_id": l.machine, "provider_account": l.account.Reference().ID}
	if err != nil {
		fields["step"], fields["code"], fields["error"] = step, string(compute.CodeOf(err)), err.Error()
		step = "error"
	}
	tflog.Info(ctx, "instance "+step, fields)
}

// shown is the machine of a result, with the image that it was made from where the vendor does not tell.
func shown(made compute.Made) driver.Machine {
	machine := made.Machine
	machine.ImageID = cmp.Or(machine.ImageID, made.ImageID)
	return machine
}

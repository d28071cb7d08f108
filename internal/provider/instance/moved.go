// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/moved"
)

var _ resource.ResourceWithMoveState = (*Resource)(nil)

// MoveState answers `moved` blocks from the machines of the vendors' own providers.
func (r *Resource) MoveState(context.Context) []resource.StateMover {
	return moved.From("bettercompute_instance", "hcloud_server", "digitalocean_droplet", "proxmox_virtual_environment_vm")
}

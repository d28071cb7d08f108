// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/moved"
)

var _ resource.ResourceWithMoveState = (*Resource)(nil)

// MoveState answers `moved` blocks from the certificates of the vendors' own providers.
func (r *Resource) MoveState(context.Context) []resource.StateMover {
	return moved.From(typeName, "hcloud_certificate", "hcloud_managed_certificate", "hcloud_uploaded_certificate", "digitalocean_certificate")
}

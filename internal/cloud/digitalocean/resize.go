// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// gpuSizes begin the slugs of the sizes with GPUs.
const gpuSizes = "gpu-"

// CheckResize refuses a smaller disk than the droplet's own, which may be smaller than that of its size, and a way into or
// out of the sizes with GPUs.
func (c *cloud) CheckResize(machine driver.Machine, offer driver.Offer) error {
	if strings.HasPrefix(machine.OfferID, gpuSizes) != (offer.GPUs > 0) {
		return &failure.Input{Field: "offer_id", Message: "droplets are not resized between sizes with GPUs and sizes without"}
	}
	return failure.SmallerDisk(machine, offer)
}

// Resize changes the size of a droplet that is off, its disk included, and leaves it off (DigitalOcean API document, POST
// /v2/droplets/{droplet_id}/actions, resize).
func (c *cloud) Resize(ctx context.Context, machine driver.Machine, offer driver.Offer) ([]driver.Operation, error) {
	id, err := parseID(machine.ID)
	if err != nil {
		return nil, err
	}
	const withDisk = true
	action, _, err := c.client.DropletActions.Resize(ctx, id, offer.ID, withDisk)
	return operationsOf(machine.ID, action), c.failed(err)
}

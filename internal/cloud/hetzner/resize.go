// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"fmt"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// CheckResize refuses what change_type would: another architecture, and a smaller disk than the server's own, which may be
// smaller than that of its type (Hetzner API document, POST /servers/{id}/actions/change_type).
func (c *cloud) CheckResize(machine driver.Machine, offer driver.Offer) error {
	if machine.Architecture != "" && offer.Architecture != machine.Architecture {
		return &failure.Input{Field: "offer_id", Message: fmt.Sprintf("the machine's architecture is %s and that of offer %s is %s",
			machine.Architecture, offer.ID, offer.Architecture)}
	}
	return failure.SmallerDisk(machine, offer)
}

// Resize changes the type of a server that is off, its disk included. The vendor starts it afterwards.
func (c *cloud) Resize(ctx context.Context, machine driver.Machine, offer driver.Offer) ([]driver.Operation, error) {
	server, err := serverOf(machine.ID)
	if err != nil {
		return nil, err
	}
	action, response, err := c.client.Server.ChangeType(ctx, server, hcloud.ServerChangeTypeOpts{
		ServerType: &hcloud.ServerType{Name: offer.ID}, UpgradeDisk: true,
	})
	if err != nil {
		return nil, c.refused(response, err)
	}
	return operationsOf(machine.ID, action), nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Create orders a droplet with all its tags. The vendor cannot leave one off: spec.Off is for the caller to see to.
func (c *cloud) Create(ctx context.Context, spec driver.Spec) (driver.Created, error) {
	order, err := c.orderOf(spec)
	if err != nil {
		return driver.Created{}, err
	}
	proof := c.proof(ctx)
	droplet, response, err := c.client.Droplets.Create(ctx, order)
	if err != nil {
		droplets := func(account *godo.Account) int { return account.DropletLimit }
		return driver.Created{}, aboutVPC(c.withLimit(ctx, c.failed(err), droplets, "droplets"), spec)
	}
	if droplet == nil || droplet.ID == 0 {
		return driver.Created{}, errNoID
	}
	machine := machineOf(droplet)
	// The vendor puts the tags on after it has answered.
	machine.Marks, machine.Labels = spec.Marks, spec.Labels
	return driver.Created{Machine: machine, Operations: linkedOperations(machine.ID, response), Proof: proof}, nil
}

func (c *cloud) orderOf(spec driver.Spec) (*godo.DropletCreateRequest, error) {
	if !utf8.Valid(spec.UserData) {
		return nil, &failure.Input{Field: "user_data", Message: "user data must be UTF-8 text: the API of DigitalOcean takes nothing else"}
	}
	image := godo.DropletCreateImage{Slug: spec.ImageID}
	if id, err := strconv.Atoi(spec.ImageID); err == nil {
		image = godo.DropletCreateImage{ID: id}
	}
	order := &godo.DropletCreateRequest{
		Name: spec.Name, Region: c.regionOf(spec.Region), Size: spec.OfferID, Image: image,
		UserData: string(spec.UserData), Tags: tagsOf(spec.Marks, spec.Labels),
	}
	return order, c.orderOptions(order, spec.Options)
}

// linkedOperations answers the actions that an answer links to.
func linkedOperations(machineID string, response *godo.Response) []driver.Operation {
	var operations []driver.Operation
	if response == nil || response.Links == nil {
		return nil
	}
	for _, action := range response.Links.Actions {
		operations = append(operations, driver.Operation{ID: strconv.Itoa(action.ID), Name: action.Rel, MachineID: machineID})
	}
	return operations
}

// Delete removes a droplet. The vendor answers before it is gone.
func (c *cloud) Delete(ctx context.Context, id string) ([]driver.Operation, error) {
	number, err := parseID(id)
	if err != nil {
		return nil, err
	}
	_, err = c.client.Droplets.Delete(ctx, number)
	return nil, c.failed(err)
}

// Reinstall rebuilds the droplet. The user data stays what the create has sent: the vendor takes none here (DigitalOcean
// API document, POST /v2/droplets/{id}/actions, rebuild).
func (c *cloud) Reinstall(ctx context.Context, id string, spec driver.Spec) ([]driver.Operation, error) {
	number, err := parseID(id)
	if err != nil {
		return nil, err
	}
	image, err := strconv.Atoi(spec.ImageID)
	if err != nil {
		return nil, &failure.Input{Field: "image", Message: fmt.Sprintf("%q is not the id of an image", spec.ImageID)}
	}
	action, _, err := c.client.DropletActions.RebuildByImageID(ctx, number, image)
	return operationsOf(id, action), c.failed(err)
}

// Rename changes the name by an action; a read shows when it has.
func (c *cloud) Rename(ctx context.Context, id, name string) error {
	number, err := parseID(id)
	if err != nil {
		return err
	}
	_, _, err = c.client.DropletActions.Rename(ctx, number, name)
	return c.failed(err)
}

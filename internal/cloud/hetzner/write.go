// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Create sends one POST /servers. The root password that the vendor answers when no SSH key is given is dropped.
func (c *cloud) Create(ctx context.Context, spec driver.Spec) (driver.Created, error) {
	userData, err := userDataOf(spec)
	if err != nil {
		return driver.Created{}, err
	}
	order := hcloud.ServerCreateOpts{
		Name:       spec.Name,
		ServerType: &hcloud.ServerType{Name: spec.OfferID},
		Image:      imageOf(spec.ImageID),
		Location:   &hcloud.Location{Name: c.region(spec.Region)},
		UserData:   userData,
		Labels:     withMarks(spec.Labels, spec.Marks),
	}
	if spec.Off {
		order.StartAfterCreate = new(false)
	}
	if err := orderOptions(&order, spec.Options); err != nil {
		return driver.Created{}, err
	}
	result, response, err := c.client.Server.Create(ctx, order)
	if err != nil {
		return driver.Created{}, c.refused(response, err)
	}
	if result.Server == nil || result.Server.ID == 0 {
		return driver.Created{}, c.failed(response, errNoID)
	}
	machine := machineOf(result.Server)
	operations := operationsOf(machine.ID, append([]*hcloud.Action{result.Action}, result.NextActions...)...)
	return driver.Created{Machine: machine, Operations: operations, Proof: proofOf(result.Action)}, nil
}

// Resume answers the actions of the server that still run: a create of this vendor is one request.
func (c *cloud) Resume(ctx context.Context, _ driver.Spec, machine driver.Machine) (driver.Created, error) {
	server, err := serverOf(machine.ID)
	if err != nil {
		return driver.Created{}, err
	}
	actions, response, err := c.client.Server.Action.ListFor(ctx, server, hcloud.ActionListOpts{
		ListOpts: hcloud.ListOpts{PerPage: pageSize}, Sort: []string{"id:desc"},
	})
	if err != nil {
		return driver.Created{}, c.failed(response, err)
	}
	slices.Reverse(actions)
	created := driver.Created{Machine: machine}
	for _, action := range actions {
		if action.Command == "create_server" {
			created.Proof = proofOf(action)
		}
		if action.Status == hcloud.ActionStatusRunning {
			created.Operations = append(created.Operations, operationsOf(machine.ID, action)...)
		}
	}
	return created, nil
}

// Delete starts the removal. The vendor's protection against it is not lifted.
func (c *cloud) Delete(ctx context.Context, id string) ([]driver.Operation, error) {
	server, err := serverOf(id)
	if err != nil {
		return nil, err
	}
	result, response, err := c.client.Server.DeleteWithResult(ctx, server)
	if err != nil {
		return nil, c.failed(response, err)
	}
	return operationsOf(id, result.Action), nil
}

// Reinstall rebuilds the server. Empty user data is sent too: without it the vendor would use the old again
// (Hetzner API document, POST /servers/{id}/actions/rebuild).
func (c *cloud) Reinstall(ctx context.Context, id string, spec driver.Spec) ([]driver.Operation, error) {
	server, err := serverOf(id)
	if err != nil {
		return nil, err
	}
	userData, err := userDataOf(spec)
	if err != nil {
		return nil, err
	}
	result, response, err := c.client.Server.RebuildWithResult(ctx, server, hcloud.ServerRebuildOpts{
		Image: imageOf(spec.ImageID), UserData: &userData,
	})
	if err != nil {
		return nil, c.refused(response, err)
	}
	return operationsOf(id, result.Action), nil
}

// Rename changes the name at once, without an action.
func (c *cloud) Rename(ctx context.Context, id, name string) error {
	server, err := serverOf(id)
	if err != nil {
		return err
	}
	_, response, err := c.client.Server.Update(ctx, server, hcloud.ServerUpdateOpts{Name: name})
	return c.failed(response, err)
}

// Mark writes all labels: the vendor replaces the whole map (Hetzner API document, PUT /servers/{id}).
func (c *cloud) Mark(ctx context.Context, machine driver.Machine, marks driver.Marks, labels map[string]string) (driver.Machine, error) {
	server, err := serverOf(machine.ID)
	if err != nil {
		return driver.Machine{}, err
	}
	updated, response, err := c.client.Server.Update(ctx, server, hcloud.ServerUpdateOpts{Labels: withMarks(labels, marks)})
	if err != nil {
		return driver.Machine{}, c.failed(response, err)
	}
	if updated.ID == 0 {
		return driver.Machine{}, c.failed(response, errNoID)
	}
	return machineOf(updated), nil
}

// region answers the account's own location when none is asked for.
func (c *cloud) region(asked string) string {
	if asked == "" {
		return c.location
	}
	return asked
}

// userDataOf answers the user data as JSON can carry it: anything but UTF-8 would arrive changed.
func userDataOf(spec driver.Spec) (string, error) {
	if !utf8.Valid(spec.UserData) {
		return "", &failure.Input{Field: "user_data", Message: "user data must be UTF-8 text: the API of Hetzner Cloud takes nothing else"}
	}
	return string(spec.UserData), nil
}

// imageOf answers an image as the library's calls take it, from an id or a name.
func imageOf(text string) *hcloud.Image {
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return &hcloud.Image{ID: id}
	}
	return &hcloud.Image{Name: text}
}

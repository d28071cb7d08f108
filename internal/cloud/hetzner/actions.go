// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"strconv"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// operationsOf turns actions into operations on a machine; the library gives one without an id where the vendor gave none.
func operationsOf(machineID string, actions ...*hcloud.Action) []driver.Operation {
	var operations []driver.Operation
	for _, action := range actions {
		if action != nil && action.ID != 0 {
			operations = append(operations, driver.Operation{
				ID: strconv.FormatInt(action.ID, 10), Name: action.Command, MachineID: machineID,
			})
		}
	}
	return operations
}

// proofOf answers the id of the action that created a server. It stays readable when the server is gone, and only with
// a token of the same project.
func proofOf(create *hcloud.Action) string {
	if create == nil || create.ID == 0 {
		return ""
	}
	return strconv.FormatInt(create.ID, 10)
}

// Poll reads actions by their ids (Hetzner API document, GET /actions).
func (c *cloud) Poll(ctx context.Context, operations []driver.Operation) ([]driver.Progress, error) {
	byID := make(map[int64]driver.Operation, len(operations))
	ids := make([]int64, 0, len(operations))
	for _, operation := range operations {
		id, err := parseID(operation.ID)
		if err != nil {
			return nil, err
		}
		if _, twice := byID[id]; !twice {
			ids = append(ids, id)
		}
		byID[id] = operation
	}
	if len(ids) == 0 {
		return nil, nil
	}
	actions, err := c.actions(ctx, ids)
	if err != nil {
		return nil, err
	}
	progress := make([]driver.Progress, 0, len(actions))
	for _, action := range actions {
		if operation, asked := byID[action.ID]; asked {
			progress = append(progress, progressOf(operation, action))
		}
	}
	return progress, nil
}

func (c *cloud) actions(ctx context.Context, ids []int64) ([]*hcloud.Action, error) {
	actions, response, err := c.client.Action.List(ctx, hcloud.ActionListOpts{ListOpts: hcloud.ListOpts{PerPage: pageSize}, ID: ids})
	return actions, c.failed(response, err)
}

func progressOf(operation driver.Operation, action *hcloud.Action) driver.Progress {
	progress := driver.Progress{Operation: operation, Percent: min(max(0, action.Progress), 100)}
	switch action.Status {
	case hcloud.ActionStatusSuccess:
		progress.Done = true
	case hcloud.ActionStatusError:
		progress.Done = true
		progress.Err = action.Error()
	default:
		// Running, or a word that the vendor has not had so far: no end.
	}
	return progress
}

// Prove asks for the action that created the server: of a foreign project the vendor shows nothing. The mark of a token it
// compares.
func (c *cloud) Prove(ctx context.Context, proof string) (bool, error) {
	if strings.HasPrefix(proof, driver.TokenProof) {
		mark, err := c.markOfToken(ctx)
		return mark == proof, err
	}
	id, none := parseID(proof)
	if none != nil {
		return false, nil //nolint:nilerr // what is no id proves nothing
	}
	actions, err := c.actions(ctx, []int64{id})
	if hcloud.IsError(err, hcloud.ErrorCodeNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return len(actions) == 1 && actions[0].ID == id, nil
}

// PowerActions are the actions that Power knows.
func (c *cloud) PowerActions() []driver.PowerAction {
	return []driver.PowerAction{
		driver.PowerOn, driver.PowerOff, driver.GracefulOff, driver.Reset, driver.GracefulRestart, driver.Cycle,
	}
}

// Power starts an action. The vendor has no power cycle of its own: its reset is one.
func (c *cloud) Power(ctx context.Context, id string, action driver.PowerAction) ([]driver.Operation, error) {
	server, err := serverOf(id)
	if err != nil {
		return nil, err
	}
	calls := map[driver.PowerAction]func(context.Context, *hcloud.Server) (*hcloud.Action, *hcloud.Response, error){
		driver.PowerOn:         c.client.Server.Poweron,
		driver.PowerOff:        c.client.Server.Poweroff,
		driver.GracefulOff:     c.client.Server.Shutdown,
		driver.Reset:           c.client.Server.Reset,
		driver.GracefulRestart: c.client.Server.Reboot,
		driver.Cycle:           c.client.Server.Reset,
	}
	call, known := calls[action]
	if !known {
		return nil, &failure.Unsupported{Message: "Hetzner Cloud has no power action " + string(action)}
	}
	started, response, err := call(ctx, server)
	if err != nil {
		return nil, c.failed(response, err)
	}
	return operationsOf(id, started), nil
}

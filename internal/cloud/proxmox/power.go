// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// PowerActions are the actions that Power knows.
func (c *cloud) PowerActions() []driver.PowerAction {
	return []driver.PowerAction{
		driver.PowerOn, driver.PowerOff, driver.GracefulOff, driver.Reset, driver.GracefulRestart, driver.Cycle,
	}
}

// Power starts a task. Whether a guest that was asked to stop does so shows in the machine, not in the task, which ends
// only then: it is not waited for.
func (c *cloud) Power(ctx context.Context, id string, action driver.PowerAction) ([]driver.Operation, error) {
	verbs := map[driver.PowerAction]string{
		driver.PowerOn: "start", driver.GracefulOff: "shutdown", driver.Reset: "reset", driver.GracefulRestart: "reboot",
	}
	verb, known := verbs[action]
	if !known && action != driver.PowerOff && action != driver.Cycle {
		return nil, &failure.Unsupported{Message: "Proxmox VE has no power action " + string(action)}
	}
	found, err := c.changeable(ctx, id)
	if err != nil {
		return nil, err
	}
	switch action {
	case driver.PowerOff:
		return c.stop(ctx, found)
	case driver.Cycle:
		return c.cycle(ctx, found)
	default:
	}
	operations, err := c.powerTask(ctx, found, verb, nil)
	if action == driver.GracefulOff {
		return nil, err
	}
	return operations, err
}

func (c *cloud) powerTask(ctx context.Context, found vm, verb string, form url.Values) ([]driver.Operation, error) {
	var upid string
	err := c.client.post(ctx, vmPath(found.node, found.vmid, "/status/"+verb), form, &upid)
	return operationsOf(upid, found.vmid), err
}

// stop cuts the power, in the middle of a shutdown too, where the server knows how (Proxmox VE 8.2 and later); an older one
// answers that it is locked until the shutdown has ended.
func (c *cloud) stop(ctx context.Context, found vm) ([]driver.Operation, error) {
	operations, err := c.powerTask(ctx, found, "stop", url.Values{"overrule-shutdown": {"1"}})
	if answer, ok := errors.AsType[*answerError](err); ok && answer.status == http.StatusBadRequest && answer.errors["overrule-shutdown"] != "" {
		return c.powerTask(ctx, found, "stop", nil)
	}
	return operations, err
}

// cycle cuts the power and starts the machine again once that is done.
func (c *cloud) cycle(ctx context.Context, found vm) ([]driver.Operation, error) {
	operations, err := c.stop(ctx, found)
	if err != nil {
		return nil, err
	}
	for _, operation := range operations {
		if err := c.await(ctx, operation); err != nil {
			return nil, err
		}
	}
	return c.powerTask(ctx, found, "start", nil)
}

// await waits for a short task that a further request depends on, which must not be left out: an interrupt does not end it.
func (c *cloud) await(ctx context.Context, operation driver.Operation) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		progress, there, err := c.task(ctx, operation)
		if err != nil {
			return err
		}
		if there && progress.Done {
			return progress.Err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

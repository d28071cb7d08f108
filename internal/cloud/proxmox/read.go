// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// readsAtOnce is how many machines a list asks for at a time.
const readsAtOnce = 8

// Get reads a machine's config, its live status, and, while it runs, its guest's addresses.
func (c *cloud) Get(ctx context.Context, id string) (driver.Machine, error) {
	vmid, err := parseVMID(id)
	if err != nil {
		return driver.Machine{}, err
	}
	found, err := c.look(ctx, vmid)
	if err != nil {
		return driver.Machine{}, err
	}
	if found.config.template() {
		return driver.Machine{}, &failure.Input{Message: "VM " + id + " is a template, not a machine"}
	}
	return c.read(ctx, found)
}

// read answers a machine as it is now.
func (c *cloud) read(ctx context.Context, found vm) (driver.Machine, error) {
	if found.container {
		return c.machine(found, "", nil), nil
	}
	status, err := c.status(ctx, found)
	if err != nil || status != statusRunning {
		return c.machine(found, status, nil), err
	}
	addresses, _, _ := c.ask(ctx, found)
	return c.machine(found, status, addresses), nil
}

const (
	statusRunning = "running"
	statusStopped = "stopped"
)

// status answers "running" or "stopped", live.
func (c *cloud) status(ctx context.Context, found vm) (string, error) {
	var current struct {
		Status string `json:"status"`
	}
	err := c.client.get(ctx, vmPath(found.node, found.vmid, "/status/current"), nil, &current)
	if elsewhere(err, found.vmid) {
		if gone := c.exists(ctx, found.vmid); gone != nil {
			return "", gone
		}
	}
	return current.Status, err
}

// List answers the machines with our tag: the cluster's list, the config of each, and for each that runs what its guest
// tells. One that cannot be read now is left out: whoever needs it asks for it and gets the reason.
func (c *cloud) List(ctx context.Context) ([]driver.Machine, error) {
	return c.listRows(ctx, func(row row) bool {
		_, managed := splitTags(row.Tags)
		return managed
	})
}

// ListAll answers all machines that the token may see, each read as List does: two requests for one that runs.
func (c *cloud) ListAll(ctx context.Context) ([]driver.Machine, error) {
	return c.listRows(ctx, func(row) bool { return true })
}

func (c *cloud) listRows(ctx context.Context, wanted func(row) bool) ([]driver.Machine, error) {
	rows, err := c.rows(ctx)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row row) bool { return row.Type != typeVM || row.Template != 0 || !wanted(row) })
	return c.readRows(ctx, rows, func(vm) bool { return true })
}

// readRows reads the machines of rows, several at a time; wanted is asked once the config is there.
func (c *cloud) readRows(ctx context.Context, rows []row, wanted func(vm) bool) ([]driver.Machine, error) {
	machines := make([]*driver.Machine, len(rows))
	places := make(chan struct{}, readsAtOnce)
	var group sync.WaitGroup
	for i, row := range rows {
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			found, err := c.readConfig(ctx, row.Node, row.VMID.int())
			if err == nil && wanted(found) {
				machine := c.listed(ctx, found)
				machines[i] = &machine
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var read []driver.Machine
	for _, machine := range machines {
		if machine != nil {
			read = append(read, *machine)
		}
	}
	return read, nil
}

// listed answers a machine of the list. The list's own status is old, and missing at first: the guest agent tells whether a
// machine runs, and one without an agent is asked itself.
func (c *cloud) listed(ctx context.Context, found vm) driver.Machine {
	if addresses, running, answered := c.ask(ctx, found); answered && running {
		return c.machine(found, statusRunning, addresses)
	} else if answered {
		return c.machine(found, statusStopped, nil)
	}
	status, err := c.status(ctx, found)
	if err != nil {
		status = ""
	}
	return c.machine(found, status, nil)
}

// Find answers the machines with the key among those that have one of its VMIDs. A clone that does not show yet whose it
// is makes the question busy, unless this process has begun it for another key.
func (c *cloud) Find(ctx context.Context, key string) ([]driver.Machine, error) {
	rows, err := c.rows(ctx)
	if err != nil {
		return nil, err
	}
	places := slots(key, c.vmidMin, c.vmidMax)
	rows = slices.DeleteFunc(rows, func(row row) bool {
		return row.Type != typeVM || row.Template != 0 || !slices.Contains(places, row.VMID.int()) || c.memory.others(row.VMID.int(), key)
	})
	var found []driver.Machine
	for _, row := range rows {
		one, err := c.readConfig(ctx, row.Node, row.VMID.int())
		switch {
		case elsewhere(err, row.VMID.int()):
			continue
		case err != nil:
			return nil, err
		case one.unreadable():
			return nil, lockedBy(one)
		case one.record().key != key:
			continue
		}
		machine, err := c.read(ctx, one)
		if _, gone := errors.AsType[*missingError](err); gone {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, machine)
	}
	return found, nil
}

// FindName answers machines of the name. Fresh machines have none in the cluster's list: they are asked themselves.
func (c *cloud) FindName(ctx context.Context, name string) ([]driver.Machine, error) {
	rows, err := c.rows(ctx)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row row) bool {
		return row.Type != typeVM || row.Template != 0 || row.Name != name && row.Name != "" && !c.memory.named(row.VMID.int(), name)
	})
	return c.readRows(ctx, rows, func(found vm) bool { return found.config["name"] == name && !found.config.template() })
}

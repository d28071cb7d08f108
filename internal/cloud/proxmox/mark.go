// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"net/url"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Mark writes the description's lines and the tags. What people have written in the description stays.
func (c *cloud) Mark(ctx context.Context, machine driver.Machine, marks driver.Marks, labels map[string]string) (driver.Machine, error) {
	found, err := c.changeable(ctx, machine.ID)
	if err != nil {
		return driver.Machine{}, err
	}
	own := found.record().withMarks(marks)
	change := change{set: url.Values{}}
	for name, value := range map[string]string{"description": own.String(), "tags": joinTags(labels, marks.Managed)} {
		if value != "" {
			change.set.Set(name, value)
		} else if found.config[name] != "" {
			change.remove(name)
		}
	}
	if err := c.put(ctx, found, change); err != nil {
		return driver.Machine{}, err
	}
	machine.Marks, machine.Labels = marks, labels
	return machine, nil
}

// Rename changes the name; the vendor lets several machines have one.
func (c *cloud) Rename(ctx context.Context, id, name string) error {
	found, err := c.changeable(ctx, id)
	if err != nil {
		return err
	}
	if err := c.put(ctx, found, change{set: url.Values{"name": {name}}}); err != nil {
		return err
	}
	c.memory.setName(found.vmid, name)
	return nil
}

// put sends a change that is done at once.
func (c *cloud) put(ctx context.Context, found vm, change change) error {
	form := change.form(found)
	if len(form) == 1 {
		return nil
	}
	return c.client.put(ctx, vmPath(found.node, found.vmid, "/config"), form, nil)
}

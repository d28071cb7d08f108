// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"fmt"
	"strconv"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// SetOption starts the action that brings an option which can be changed: one action brings each.
func (c *cloud) SetOption(ctx context.Context, machine driver.Machine, setting driver.Setting) ([]driver.Operation, error) {
	if machine.Options[setting.Name] == setting.Value {
		return nil, nil
	}
	number, err := parseID(machine.ID)
	if err != nil {
		return nil, err
	}
	var start func(context.Context, int) (*godo.Action, *godo.Response, error)
	switch {
	case setting.Name == driver.OptionBackups && setting.Value == true:
		start = c.client.DropletActions.EnableBackups
	case setting.Name == driver.OptionBackups:
		start = c.client.DropletActions.DisableBackups
	case setting.Name == driver.OptionPublicIPv6 && setting.Value == true:
		start = c.client.DropletActions.EnableIPv6
	default:
		return nil, &failure.Input{Field: setting.Name, Message: "DigitalOcean cannot change " + setting.Name + " of a droplet that is there"}
	}
	action, _, err := start(ctx, number)
	return operationsOf(machine.ID, action), c.failed(err)
}

// Objects answers the VPCs, or the SSH keys or projects of the team. A VPC of another region is of no use to a droplet.
func (c *cloud) Objects(ctx context.Context, option, region string) ([]driver.Object, error) {
	switch option {
	case optionSSHKeys:
		return c.keys(ctx)
	case projectField:
		return c.projects(ctx)
	}
	vpcs, err := c.vpcs(ctx)
	if err != nil {
		return nil, err
	}
	objects := make([]driver.Object, len(vpcs))
	for i, vpc := range vpcs {
		objects[i] = driver.Object{ID: vpc.ID, Name: vpc.Name}
		if wanted := c.regionOf(region); vpc.RegionSlug != wanted {
			objects[i].Unfit = fmt.Sprintf("is in region %s, not in %s", vpc.RegionSlug, wanted)
		}
	}
	return objects, nil
}

func (c *cloud) keys(ctx context.Context) ([]driver.Object, error) {
	keys, err := pages(c, func(page *godo.ListOptions) ([]godo.Key, *godo.Response, error) {
		return c.client.Keys.List(ctx, page)
	}, func(key godo.Key) int { return key.ID })
	if err != nil {
		return nil, err
	}
	objects := make([]driver.Object, len(keys))
	for i, key := range keys {
		objects[i] = driver.Object{ID: strconv.Itoa(key.ID), Name: key.Name}
	}
	return objects, nil
}

// namedVPC keeps with the refusal of an order which option has named its VPC.
type namedVPC struct {
	error
	option string
}

func (e *namedVPC) Unwrap() error { return e.error }

// aboutVPC notes it; nil stays nil.
func aboutVPC(err error, spec driver.Spec) error {
	if err == nil || spec.Options.String(driver.OptionNetwork) == "" {
		return err
	}
	return &namedVPC{error: err, option: driver.OptionNetwork}
}

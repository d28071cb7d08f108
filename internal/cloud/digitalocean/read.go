// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// maxPages bounds a list; no team has that many objects.
const maxPages = 1000

// pages reads all pages of a list. Objects that move between pages while it reads are given once.
func pages[T any, ID comparable](c *cloud, read func(*godo.ListOptions) ([]T, *godo.Response, error), id func(T) ID) ([]T, error) {
	var all []T
	var none ID
	seen := map[ID]bool{}
	for page := 1; page <= maxPages; page++ {
		part, response, err := read(&godo.ListOptions{Page: page, PerPage: pageSize})
		if err != nil {
			return nil, c.failed(err)
		}
		for _, object := range part {
			// An element of a list of pointers may be null.
			if reflect.ValueOf(&object).Elem().IsZero() || id(object) == none {
				return nil, errNoID
			}
			if !seen[id(object)] {
				seen[id(object)] = true
				all = append(all, object)
			}
		}
		if response.Links == nil || response.Links.IsLastPage() {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%s lists more than %d pages", c.host, maxPages)
}

func (c *cloud) droplets(read func(*godo.ListOptions) ([]godo.Droplet, *godo.Response, error)) ([]driver.Machine, error) {
	droplets, err := pages(c, read, func(droplet godo.Droplet) int { return droplet.ID })
	if err != nil {
		return nil, err
	}
	machines := make([]driver.Machine, len(droplets))
	for i := range droplets {
		machines[i] = machineOf(&droplets[i])
	}
	return machines, nil
}

func (c *cloud) byTag(ctx context.Context, tag string) ([]driver.Machine, error) {
	return c.droplets(func(page *godo.ListOptions) ([]godo.Droplet, *godo.Response, error) {
		return c.client.Droplets.ListByTag(ctx, tag, page)
	})
}

// Find answers the droplets with the key's tag. Lists leave droplets with GPUs out unless they are asked for these alone
// (DigitalOcean API document, GET /v2/droplets, type).
func (c *cloud) Find(ctx context.Context, key string) ([]driver.Machine, error) {
	found, err := c.byTag(ctx, tagKey+key)
	if err != nil || len(found) > 0 {
		return found, err
	}
	withGPUs, err := c.droplets(func(page *godo.ListOptions) ([]godo.Droplet, *godo.Response, error) {
		return c.client.Droplets.ListWithGPUs(ctx, page)
	})
	return slices.DeleteFunc(withGPUs, func(machine driver.Machine) bool { return machine.Marks.Key != key }), err
}

// List answers the droplets with the managed mark, as one list by tag. Those with GPUs are missing and have to be asked
// for by their ids.
func (c *cloud) List(ctx context.Context) ([]driver.Machine, error) {
	return c.byTag(ctx, tagManaged)
}

// ListAll answers all droplets of the team.
func (c *cloud) ListAll(ctx context.Context) ([]driver.Machine, error) {
	return c.droplets(func(page *godo.ListOptions) ([]godo.Droplet, *godo.Response, error) {
		return c.client.Droplets.List(ctx, page)
	})
}

// FindName answers the droplets with the name; the vendor's filter does not tell large letters from small ones.
func (c *cloud) FindName(ctx context.Context, name string) ([]driver.Machine, error) {
	found, err := c.droplets(func(page *godo.ListOptions) ([]godo.Droplet, *godo.Response, error) {
		return c.client.Droplets.ListByName(ctx, name, page)
	})
	return slices.DeleteFunc(found, func(machine driver.Machine) bool { return machine.Name != name }), err
}

// Get answers one droplet.
func (c *cloud) Get(ctx context.Context, id string) (driver.Machine, error) {
	number, err := parseID(id)
	if err != nil {
		return driver.Machine{}, err
	}
	droplet, _, err := c.client.Droplets.Get(ctx, number)
	if err != nil {
		return driver.Machine{}, c.failed(err)
	}
	if droplet == nil || droplet.ID == 0 {
		return driver.Machine{}, errNoID
	}
	return machineOf(droplet), nil
}

// parseID reads an id of this vendor, a whole number greater than 0.
func parseID(id string) (int, error) {
	number, err := strconv.Atoi(id)
	if err != nil || number <= 0 {
		return 0, &failure.Input{Message: fmt.Sprintf("%q is not an id of DigitalOcean, which are whole numbers", id)}
	}
	return number, nil
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// maxPages bounds a list; no project has that many objects.
const maxPages = 1000

// pages reads all pages of a list. Objects that move between pages while it reads are given once.
func pages[T any](c *cloud, read func(hcloud.ListOpts) ([]*T, *hcloud.Response, error), id func(*T) int64) ([]*T, error) {
	var all []*T
	seen := map[int64]bool{}
	for page := 1; page <= maxPages; {
		part, response, err := read(hcloud.ListOpts{Page: page, PerPage: pageSize})
		if err != nil {
			return nil, c.failed(response, err)
		}
		for _, object := range part {
			if id(object) == 0 {
				return nil, c.failed(response, errNoID)
			}
			if !seen[id(object)] {
				seen[id(object)] = true
				all = append(all, object)
			}
		}
		if response.Meta.Pagination == nil || response.Meta.Pagination.NextPage <= page {
			return all, nil
		}
		page = response.Meta.Pagination.NextPage
	}
	return nil, fmt.Errorf("%s lists more than %d pages", c.host, maxPages)
}

// servers reads all servers that a filter lets through.
func (c *cloud) servers(ctx context.Context, filter hcloud.ServerListOpts) ([]driver.Machine, error) {
	servers, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.Server, *hcloud.Response, error) {
		page.LabelSelector = filter.LabelSelector
		return c.client.Server.List(ctx, hcloud.ServerListOpts{ListOpts: page, Name: filter.Name})
	}, func(server *hcloud.Server) int64 { return server.ID })
	if err != nil {
		return nil, err
	}
	machines := make([]driver.Machine, len(servers))
	for i, server := range servers {
		machines[i] = machineOf(server)
	}
	return machines, nil
}

// Find answers the servers with the key. The vendor's labels are searched without a lag.
func (c *cloud) Find(ctx context.Context, key string) ([]driver.Machine, error) {
	return c.servers(ctx, hcloud.ServerListOpts{ListOpts: hcloud.ListOpts{LabelSelector: labelKey + "==" + key}})
}

// List answers the servers with the managed mark.
func (c *cloud) List(ctx context.Context) ([]driver.Machine, error) {
	return c.servers(ctx, hcloud.ServerListOpts{ListOpts: hcloud.ListOpts{LabelSelector: labelManaged + "=true"}})
}

// ListAll answers all servers of the project.
func (c *cloud) ListAll(ctx context.Context) ([]driver.Machine, error) {
	return c.servers(ctx, hcloud.ServerListOpts{})
}

// FindName answers the servers with the name; the vendor matches exactly, and names are unique in a project.
func (c *cloud) FindName(ctx context.Context, name string) ([]driver.Machine, error) {
	return c.servers(ctx, hcloud.ServerListOpts{Name: name})
}

// Get answers one server.
func (c *cloud) Get(ctx context.Context, id string) (driver.Machine, error) {
	server, err := c.server(ctx, id)
	if err != nil {
		return driver.Machine{}, err
	}
	return machineOf(server), nil
}

// server answers one server as the library has it.
func (c *cloud) server(ctx context.Context, id string) (*hcloud.Server, error) {
	wanted, err := serverOf(id)
	if err != nil {
		return nil, err
	}
	found, response, err := c.client.Server.GetByID(ctx, wanted.ID)
	switch {
	case err != nil:
		return nil, c.failed(response, err)
	case found == nil:
		return nil, c.failed(response, notFound(response))
	case found.ID == 0:
		return nil, c.failed(response, errNoID)
	}
	return found, nil
}

// serverOf answers a server with nothing but its id, as the library's calls take it.
func serverOf(id string) (*hcloud.Server, error) {
	number, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return &hcloud.Server{ID: number}, nil
}

// parseID reads an id of this vendor, a whole number greater than 0.
func parseID(id string) (int64, error) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil || number <= 0 {
		return 0, &failure.Input{Message: fmt.Sprintf("%q is not an id of Hetzner Cloud, which are whole numbers", id)}
	}
	return number, nil
}

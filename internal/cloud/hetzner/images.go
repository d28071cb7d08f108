// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"strconv"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Images answers images of the vendor and of the project, deprecated ones included; one that is not usable now is left
// out. Snapshots have no name. Images are the same in every region.
func (c *cloud) Images(ctx context.Context, query driver.ImageQuery) ([]driver.Image, error) {
	found, err := c.images(ctx, query)
	if err != nil {
		return nil, err
	}
	images := []driver.Image{}
	for _, image := range found {
		usable := image.Status == hcloud.ImageStatusAvailable && !image.IsDeleted()
		if usable && (query.Architecture == "" || query.Architecture == string(image.Architecture)) {
			images = append(images, driver.Image{
				ID:           strconv.FormatInt(image.ID, 10),
				Name:         image.Name,
				Architecture: string(image.Architecture),
				MinDiskGiB:   exact(image.DiskSize),
				Deprecated:   deprecatedAt(image),
			})
		}
	}
	return images, nil
}

// images reads one image by its id, or those that the vendor's own filters let through.
func (c *cloud) images(ctx context.Context, query driver.ImageQuery) ([]*hcloud.Image, error) {
	if id, err := strconv.ParseInt(query.Name, 10, 64); err == nil {
		image, response, err := c.client.Image.GetByID(ctx, id)
		if err != nil || image == nil {
			return nil, c.failed(response, err)
		}
		if image.ID == 0 {
			return nil, c.failed(response, errNoID)
		}
		return []*hcloud.Image{image}, nil
	}
	filter := hcloud.ImageListOpts{Name: query.Name, IncludeDeprecated: true}
	if query.Architecture != "" {
		filter.Architecture = []hcloud.Architecture{hcloud.Architecture(query.Architecture)}
	}
	return pages(c, func(page hcloud.ListOpts) ([]*hcloud.Image, *hcloud.Response, error) {
		filter.ListOpts = page
		return c.client.Image.List(ctx, filter)
	}, func(image *hcloud.Image) int64 { return image.ID })
}

func deprecatedAt(image *hcloud.Image) time.Time {
	if image.Deprecation != nil {
		return image.Deprecation.Announced
	}
	return time.Time{}
}

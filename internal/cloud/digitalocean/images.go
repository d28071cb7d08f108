// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// slugPattern is what can stand in a path for an image; anything else can only be the name of one.
var slugPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// Images answers the vendor's distributions and the team's own images that can be used in the region now. One is looked
// up by its id or slug; what is no slug of the vendor's may be the name of an image of the team, the newest first.
func (c *cloud) Images(ctx context.Context, query driver.ImageQuery) ([]driver.Image, error) {
	found, err := c.images(ctx, query.Name)
	if err != nil {
		return nil, err
	}
	images := []driver.Image{}
	for _, image := range found {
		if image.Status != "available" || query.Region != "" && !slices.Contains(image.Regions, query.Region) {
			continue
		}
		images = append(images, driver.Image{
			ID: strconv.Itoa(image.ID), Name: cmp.Or(image.Slug, image.Name), Architecture: architecture,
			MinDiskGiB: float64(image.MinDiskSize),
		})
	}
	return images, nil
}

func (c *cloud) images(ctx context.Context, name string) ([]godo.Image, error) {
	if name == "" {
		public, err := c.imagePages(func(page *godo.ListOptions) ([]godo.Image, *godo.Response, error) {
			return c.client.Images.ListDistribution(ctx, page)
		})
		if err != nil {
			return nil, err
		}
		own, err := c.ownImages(ctx)
		return append(public, own...), err
	}
	if slugPattern.MatchString(name) {
		image, err := c.image(ctx, name)
		switch {
		case err == nil:
			return []godo.Image{*image}, nil
		case !missing(err):
			return nil, err
		}
	}
	own, err := c.ownImages(ctx)
	return slices.DeleteFunc(own, func(image godo.Image) bool { return image.Name != name }), err
}

// image answers one image by its id or slug.
func (c *cloud) image(ctx context.Context, name string) (image *godo.Image, err error) {
	if id, parsed := strconv.Atoi(name); parsed == nil {
		image, _, err = c.client.Images.GetByID(ctx, id)
	} else {
		image, _, err = c.client.Images.GetBySlug(ctx, name)
	}
	if err == nil && (image == nil || image.ID == 0) {
		return nil, errNoID
	}
	return image, c.failed(err)
}

// ownImages answers the team's snapshots, backups and uploaded images, the newest first.
func (c *cloud) ownImages(ctx context.Context) ([]godo.Image, error) {
	own, err := c.imagePages(func(page *godo.ListOptions) ([]godo.Image, *godo.Response, error) {
		return c.client.Images.ListUser(ctx, page)
	})
	slices.SortFunc(own, func(a, b godo.Image) int { return strings.Compare(b.Created, a.Created) })
	return own, err
}

func (c *cloud) imagePages(read func(*godo.ListOptions) ([]godo.Image, *godo.Response, error)) ([]godo.Image, error) {
	return pages(c, read, func(image godo.Image) int { return image.ID })
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"slices"
	"strconv"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

const (
	kindVPS  = "vps"
	currency = "USD"
)

// market is what the vendor sells, and where.
type market struct {
	sizes   []godo.Size
	regions []godo.Region
}

func (c *cloud) catalogue(ctx context.Context) (market, error) {
	return c.market.Get(ctx, func(ctx context.Context) (market, error) {
		sizes, err := pages(c, func(page *godo.ListOptions) ([]godo.Size, *godo.Response, error) {
			return c.client.Sizes.List(ctx, page)
		}, func(size godo.Size) string { return size.Slug })
		if err != nil {
			return market{}, err
		}
		regions, err := pages(c, func(page *godo.ListOptions) ([]godo.Region, *godo.Response, error) {
			return c.client.Regions.List(ctx, page)
		}, func(region godo.Region) string { return region.Slug })
		return market{sizes, regions}, err
	})
}

// Offers answers the sizes that the region sells; one that the region does not name itself is there with Available false.
// Sizes that the vendor lists and makes no new droplets of are left out, and a region that is closed for new droplets sells
// nothing.
func (c *cloud) Offers(ctx context.Context, query driver.OfferQuery) ([]driver.Offer, error) {
	if query.Kind != "" && query.Kind != kindVPS {
		return nil, nil
	}
	known, err := c.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	slug := c.regionOf(query.Region)
	at := slices.IndexFunc(known.regions, func(region godo.Region) bool { return region.Slug == slug })
	if at < 0 || !known.regions[at].Available {
		return nil, nil
	}
	offers := []driver.Offer{}
	for _, size := range known.sizes {
		if size.Available && slices.Contains(size.Regions, slug) {
			offers = append(offers, offerOf(size, known.regions[at]))
		}
	}
	return slices.DeleteFunc(offers, func(offer driver.Offer) bool {
		return offer.VCPU < query.MinVCPU || offer.MemoryGiB < query.MinMemoryGiB || offer.GPUs < query.MinGPUs ||
			query.GPUModel != "" && offer.GPUModel != query.GPUModel
	}), nil
}

// offerOf answers a size as a region sells it. It can be ordered when both name each other (DigitalOcean API document,
// sizes and regions).
func offerOf(size godo.Size, region godo.Region) driver.Offer {
	offer := driver.Offer{
		ID:           size.Slug,
		Kind:         kindVPS,
		Region:       region.Slug,
		VCPU:         size.Vcpus,
		MemoryGiB:    float64(size.Memory) / 1024,
		DiskGiB:      new(float64(size.Disk)),
		Available:    slices.Contains(region.Sizes, size.Slug),
		Architecture: architecture,
	}
	if size.PriceHourly > 0 {
		offer.PricePerHour, offer.Currency = strconv.FormatFloat(size.PriceHourly, 'f', -1, 64), currency
	}
	if size.GPUInfo != nil {
		offer.GPUs, offer.GPUModel = size.GPUInfo.Count, size.GPUInfo.Model
	}
	return offer
}

// Regions answers the slugs of all regions, closed ones included.
func (c *cloud) Regions(ctx context.Context) ([]string, error) {
	known, err := c.catalogue(ctx)
	names := make([]string, len(known.regions))
	for i, region := range known.regions {
		names[i] = region.Slug
	}
	return names, err
}

// regionOf answers the account's own region when none is asked for.
func (c *cloud) regionOf(asked string) string {
	if asked == "" {
		return c.region
	}
	return asked
}

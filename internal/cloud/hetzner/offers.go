// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

const kindVPS = "vps"

// Offers answers the server types that the region sells. A type that is deprecated there is left out; one that is out of
// stock is there with Available false. The price list does not name its currency, /pricing does.
func (c *cloud) Offers(ctx context.Context, query driver.OfferQuery) ([]driver.Offer, error) {
	if query.Kind != "" && query.Kind != kindVPS || query.GPUModel != "" || query.MinGPUs > 0 {
		return nil, nil
	}
	known, err := c.market.Get(ctx, c.readMarket)
	if err != nil {
		return nil, err
	}
	offers := []driver.Offer{}
	for _, serverType := range known.types {
		offer, sold := offerOf(serverType, c.region(query.Region), known.currency)
		if sold && offer.VCPU >= query.MinVCPU && offer.MemoryGiB >= query.MinMemoryGiB {
			offers = append(offers, offer)
		}
	}
	return offers, nil
}

// market is what the vendor sells in all regions.
type market struct {
	types    []*hcloud.ServerType
	currency string
}

func (c *cloud) readMarket(ctx context.Context) (market, error) {
	types, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.ServerType, *hcloud.Response, error) {
		return c.client.ServerType.List(ctx, hcloud.ServerTypeListOpts{ListOpts: page})
	}, func(serverType *hcloud.ServerType) int64 { return serverType.ID })
	if err != nil {
		return market{}, err
	}
	currency, err := c.prices.Get(ctx, c.currency)
	return market{types, currency}, err
}

// currency reads the currency of all prices. The library's own conversion of /pricing panics on an empty price list.
func (c *cloud) currency(ctx context.Context) (string, error) {
	request, err := c.client.NewRequest(ctx, http.MethodGet, "/pricing", nil)
	if err != nil {
		return "", c.failed(nil, err)
	}
	var answer struct {
		Pricing struct {
			Currency string `json:"currency"`
		} `json:"pricing"`
	}
	response, err := c.client.Do(request, &answer)
	return answer.Pricing.Currency, c.failed(response, err)
}

// Regions answers the names of all locations, as the server types have them.
func (c *cloud) Regions(ctx context.Context) ([]string, error) {
	known, err := c.market.Get(ctx, c.readMarket)
	names := map[string]bool{}
	for _, serverType := range known.types {
		for _, location := range serverType.Locations {
			if location.Location != nil {
				names[location.Location.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), err
}

// offerOf answers a server type as the region sells it, and whether it does.
func offerOf(serverType *hcloud.ServerType, region, currency string) (driver.Offer, bool) {
	for _, location := range serverType.Locations {
		if location.Location == nil || location.Location.Name != region || location.IsDeprecated() {
			continue
		}
		offer := driver.Offer{
			ID:           serverType.Name,
			Kind:         kindVPS,
			Region:       region,
			VCPU:         serverType.Cores,
			MemoryGiB:    exact(serverType.Memory),
			DiskGiB:      new(float64(serverType.Disk)),
			PricePerHour: priceOf(serverType, region),
			Available:    location.Available,
			Architecture: string(serverType.Architecture),
		}
		if offer.PricePerHour != "" && currency != "" {
			offer.Currency = currency
			return offer, true
		}
		offer.PricePerHour = ""
		return offer, true
	}
	return driver.Offer{}, false
}

func priceOf(serverType *hcloud.ServerType, region string) string {
	for _, pricing := range serverType.Pricings {
		if pricing.Location != nil && pricing.Location.Name == region {
			return decimal(pricing.Hourly.Gross)
		}
	}
	return ""
}

var decimalPattern = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// decimal takes the trailing zeros off the vendor's amounts, such as 0.0071400000000000; empty for what is no amount.
func decimal(amount string) string {
	if !decimalPattern.MatchString(amount) {
		return ""
	}
	if strings.Contains(amount, ".") {
		amount = strings.TrimRight(strings.TrimRight(amount, "0"), ".")
	}
	return amount
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// catalogue keeps what the vendor sells for as long as the process lives; callers at the same time share one fetch.
type catalogue struct {
	offers   memo[[]driver.Offer]
	images   memo[[]driver.Image]
	regions  memo[[]string]
	objects  memo[[]driver.Object]
	prefixes memo[[]driver.Prefix]
}

func newCatalogue() *catalogue { return &catalogue{} }

// failureKept is how long a failed fetch answers for the next ones: long enough that a plan of many machines does not wait
// for an unreachable vendor once for each, short enough that a passing failure does not outlive its cause.
const failureKept = 15 * time.Second

// memo keeps one value for each name.
type memo[T any] struct {
	flight singleflight.Group
	kept   sync.Map
}

// fetched is what a fetch has given.
type fetched[T any] struct {
	value T
	err   error
	ended time.Time
}

func (f fetched[T]) usable() bool { return f.err == nil || time.Since(f.ended) < failureKept }

func (m *memo[T]) get(ctx context.Context, name string, fetch func(context.Context) (T, error)) (T, error) {
	return m.since(ctx, name, time.Time{}, fetch)
}

// since is get for a value that was not fetched before a time.
func (m *memo[T]) since(ctx context.Context, name string, oldest time.Time, fetch func(context.Context) (T, error)) (T, error) {
	answer := m.flight.DoChan(name, func() (any, error) {
		last, _ := m.kept.Load(name)
		kept, there := last.(fetched[T])
		if there && kept.usable() && !kept.ended.Before(oldest) {
			return kept, nil
		}
		shared, done := detached(ctx)
		defer done()
		value, err := fetch(shared)
		got := fetched[T]{value, err, time.Now()}
		if err == nil || !there || kept.err != nil { // a failure takes the place of nothing that is known
			m.kept.Store(name, got)
		}
		return got, nil
	})
	select {
	case got := <-answer:
		known := got.Val.(fetched[T]) //nolint:forcetypeassert // the function above answers these
		return known.value, known.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Offers answers what can be ordered in the query's region, the account's own when it names none: cheapest first, unpriced
// last, then by id. An impossible query gives none.
func (a *Account) Offers(ctx context.Context, query driver.OfferQuery) ([]driver.Offer, error) {
	region := cmp.Or(query.Region, a.Region())
	all, err := a.catalogue.offers.get(ctx, region, func(ctx context.Context) ([]driver.Offer, error) {
		return a.driver.Offers(ctx, driver.OfferQuery{Region: region})
	})
	if err != nil {
		return nil, a.explain(ctx, err, "list the offers of region "+region, "")
	}
	found := slices.DeleteFunc(slices.Clone(all), func(offer driver.Offer) bool { return !matches(offer, query) })
	slices.SortFunc(found, compareOffers)
	return found, nil
}

func matches(offer driver.Offer, query driver.OfferQuery) bool {
	return (query.Kind == "" || offer.Kind == query.Kind) &&
		(query.GPUModel == "" || strings.EqualFold(offer.GPUModel, query.GPUModel)) &&
		offer.GPUs >= query.MinGPUs && offer.VCPU >= query.MinVCPU && offer.MemoryGiB >= query.MinMemoryGiB
}

func compareOffers(a, b driver.Offer) int {
	return cmp.Or(ComparePrices(a.PricePerHour, b.PricePerHour), cmp.Compare(a.ID, b.ID))
}

// ComparePrices orders decimal prices; one that is missing or unreadable comes last.
func ComparePrices(a, b string) int {
	first, hasFirst := new(big.Rat).SetString(a)
	second, hasSecond := new(big.Rat).SetString(b)
	switch {
	case hasFirst && hasSecond:
		return first.Cmp(second)
	case hasFirst:
		return -1
	case hasSecond:
		return 1
	}
	return 0
}

// Regions answers the names of all regions; none where the vendor does not name them.
func (a *Account) Regions(ctx context.Context) ([]string, error) {
	regions, ok := a.driver.(driver.Regions)
	if !ok {
		return nil, nil
	}
	all, err := a.catalogue.regions.get(ctx, "", regions.Regions)
	return slices.Clone(all), a.explain(ctx, err, "list the regions", "")
}

// Images answers images by the query, deprecated ones included.
func (a *Account) Images(ctx context.Context, query driver.ImageQuery) ([]driver.Image, error) {
	images, err := capability[driver.Images](a, CapabilityImages, "look images up")
	if err != nil {
		return nil, err
	}
	name := strings.Join([]string{query.Region, query.Name, query.Architecture}, "\x00")
	found, err := a.catalogue.images.get(ctx, name, func(ctx context.Context) ([]driver.Image, error) {
		return images.Images(ctx, query)
	})
	if err != nil {
		return nil, a.explain(ctx, err, "look images up", "")
	}
	return slices.Clone(found), nil
}

// offer answers one offer of a region; false when it is not sold there.
func (a *Account) offer(ctx context.Context, id, region string) (driver.Offer, bool, error) {
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: region})
	if err != nil {
		return driver.Offer{}, false, err
	}
	at := slices.IndexFunc(offers, func(offer driver.Offer) bool { return offer.ID == id })
	if at < 0 {
		return driver.Offer{}, false, nil
	}
	return offers[at], true, nil
}

// image answers the image that is written as name or id, for the architecture. INVALID_INPUT with the nearest ones when
// there is none.
func (a *Account) image(ctx context.Context, written, region, architecture string) (driver.Image, error) {
	found, err := a.Images(ctx, driver.ImageQuery{Region: region, Name: written, Architecture: architecture})
	if err != nil {
		return driver.Image{}, err
	}
	if len(found) > 0 {
		return found[0], nil
	}
	return driver.Image{}, a.noImage(ctx, written, region, architecture)
}

// ListImages answers all images by the query, by name, then architecture, then id; those without a name last. INVALID_INPUT
// for a region that there is not.
func (a *Account) ListImages(ctx context.Context, query driver.ImageQuery) ([]driver.Image, error) {
	if err := a.checkRegion(ctx, query.Region); err != nil {
		return nil, err
	}
	found, err := a.Images(ctx, query)
	found = slices.DeleteFunc(found, func(image driver.Image) bool {
		return query.Architecture != "" && image.Architecture != "" && image.Architecture != query.Architecture
	})
	slices.SortFunc(found, func(a, b driver.Image) int {
		named := func(image driver.Image) int { return min(len(image.Name), 1) }
		return cmp.Or(cmp.Compare(named(b), named(a)), strings.Compare(a.Name, b.Name), strings.Compare(a.Architecture, b.Architecture), compareIDs(a.ID, b.ID))
	})
	return found, err
}

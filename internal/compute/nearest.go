// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// nearestShown is how many valid choices an error offers.
const nearestShown = 3

// noOffer says that an offer is not sold in a region, with the regions that have it and the nearest ones that are sold
// there with their prices.
func (a *Account) noOffer(ctx context.Context, id, region string, offers []driver.Offer) *Error {
	elsewhere := a.soldIn(ctx, id, region)
	if len(offers) == 0 {
		return a.fault(driver.InvalidInput, "region", "find offer "+id,
			fmt.Sprintf("Nothing is sold in region %q of this account: there is no such region, or it is closed for new machines.", region),
			"Choose another region."+elsewhere)
	}
	byID := map[string]driver.Offer{}
	for _, offer := range inStock(offers) {
		byID[offer.ID] = offer
	}
	var shown []string
	for _, near := range nearest(id, slices.Collect(maps.Keys(byID))) {
		shown = append(shown, describeOffer(byID[near]))
	}
	return a.fault(driver.InvalidInput, "offer_id", "find offer "+id,
		fmt.Sprintf("%s sells no offer %q in region %s.", a.title(), id, region),
		"Choose one that is sold there. The nearest: "+strings.Join(shown, "; ")+
			". The data source bettercompute_offers lists all of them."+elsewhere)
}

// inStock answers the offers that are in stock; all of them where none is.
func inStock(offers []driver.Offer) []driver.Offer {
	available := slices.DeleteFunc(slices.Clone(offers), func(offer driver.Offer) bool { return !offer.Available })
	if len(available) == 0 {
		return offers
	}
	return available
}

// soldIn is a sentence that names the regions which have an offer; empty: none, or it cannot be told.
func (a *Account) soldIn(ctx context.Context, id, except string) string {
	regions := a.regionsWith(ctx, id, except, func(driver.Offer) bool { return true })
	if len(regions) == 0 {
		return ""
	}
	return " Offer " + id + " is sold in: " + strings.Join(regions, ", ") + "."
}

// regionsWith names the other regions that sell an offer as wanted, as far as one more look tells.
func (a *Account) regionsWith(ctx context.Context, id, except string, wanted func(driver.Offer) bool) []string {
	all, err := a.Regions(ctx)
	if err != nil {
		return nil
	}
	var found []string
	for _, region := range all {
		offer, sold, err := a.offer(ctx, id, region)
		if region != except && err == nil && sold && wanted(offer) {
			found = append(found, region)
		}
	}
	slices.Sort(found)
	return found
}

func describeOffer(offer driver.Offer) string {
	text := fmt.Sprintf("%s (%d vCPU, %g GiB", offer.ID, offer.VCPU, offer.MemoryGiB)
	if offer.PricePerHour != "" {
		text += ", " + offer.PricePerHour + " " + offer.Currency + " an hour"
	}
	if !offer.Available {
		text += ", not in stock now"
	}
	return text + ")"
}

// noImage says that no machine can be made from an image, with the nearest ones that there are: nearest by name, which is
// the image's own where it is there for another architecture.
func (a *Account) noImage(ctx context.Context, written, region, architecture string) error {
	all, err := a.Images(ctx, driver.ImageQuery{Region: region})
	if err != nil {
		return err
	}
	like, names := written, map[string]bool{}
	message := fmt.Sprintf("%s has no image %q", a.title(), written)
	if architecture != "" {
		message += " for the offer's architecture " + architecture
	}
	for _, image := range all {
		switch fits := architecture == "" || image.Architecture == "" || image.Architecture == architecture; {
		case fits && image.Name != "" && image.Deprecated.IsZero():
			names[image.Name] = true
		case !fits && (image.ID == written || image.Name == written):
			like = cmp.Or(image.Name, written)
			message = fmt.Sprintf("Image %s is for the architecture %s, and the offer has %s", imageText(written, image), image.Architecture, architecture)
		}
	}
	next := "The account shows no image that could be used."
	if near := nearest(like, slices.Collect(maps.Keys(names))); len(near) > 0 {
		next = "Choose one that can be used. The nearest: " + strings.Join(near, ", ") + ". The data source bettercompute_images lists all of them."
	}
	return a.fault(driver.InvalidInput, "image", "find image "+written, message+".", next)
}

// imageText is an image as it is written, with its name where that is not what is written.
func imageText(written string, image driver.Image) string {
	if image.Name == "" || image.Name == written {
		return written
	}
	return written + " (" + image.Name + ")"
}

func (a *Account) noRegion(region string, regions []string) *Error {
	return a.fault(driver.InvalidInput, "region", "find region "+region,
		fmt.Sprintf("%s has no region %q.", a.title(), region),
		"Choose one of: "+strings.Join(slices.Sorted(slices.Values(regions)), ", ")+".")
}

// nearest answers the choices that are spelled most like a text, the likest first.
func nearest(text string, choices []string) []string {
	slices.SortFunc(choices, func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(text, a), distance(text, b)), cmp.Compare(a, b))
	})
	return choices[:min(nearestShown, len(choices))]
}

// distance is the Levenshtein distance: how many letters to add, drop or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range row {
		row[i] = i
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, cost)
		}
	}
	return row[len(b)]
}

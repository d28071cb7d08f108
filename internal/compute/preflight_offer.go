// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// preflightOffer answers the offer, so that the image can be looked up for its architecture. An offer that is not to be
// checked may have gone from the catalogue.
func (a *Account) preflightOffer(ctx context.Context, p Preflight, region string) (offer driver.Offer, sold bool, findings []Finding) {
	if p.OfferID == "" || !p.CheckOffer && !p.CheckImage {
		return offer, false, nil
	}
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: region})
	if err != nil {
		return offer, false, appendFinding(nil, err)
	}
	at := slices.IndexFunc(offers, func(offer driver.Offer) bool { return offer.ID == p.OfferID })
	switch {
	case at >= 0:
		return offers[at], true, a.checkOffer(ctx, offers[at], offers, p)
	case !p.CheckOffer:
		return offer, false, nil
	case len(offers) == 0:
		if err := a.checkRegion(ctx, region); err != nil {
			return offer, false, appendFinding(nil, err)
		}
	}
	return offer, false, appendFinding(nil, a.noOffer(ctx, p.OfferID, region, offers))
}

func (a *Account) checkRegion(ctx context.Context, region string) error {
	all, err := a.Regions(ctx)
	if err != nil || len(all) == 0 || slices.Contains(all, region) {
		return err
	}
	return a.noRegion(region, all)
}

// checkOffer judges an offer that the region sells, by what else it sells.
func (a *Account) checkOffer(ctx context.Context, offer driver.Offer, offers []driver.Offer, p Preflight) []Finding {
	if !p.CheckOffer {
		return nil
	}
	findings := appendFinding(nil, a.checkPrice(offer, offers, p.MaxPricePerHour))
	return appendFinding(findings, a.checkStock(ctx, offer, offers, p.MaxPricePerHour))
}

// checkPrice refuses an offer that costs more than is allowed; one without a price passes.
func (a *Account) checkPrice(offer driver.Offer, offers []driver.Offer, most string) error {
	if allowedPrice(offer, most) {
		return nil
	}
	return a.fault(driver.InvalidInput, "offer_id", "use offer "+offer.ID,
		fmt.Sprintf("Offer %s costs %s %s an hour in region %s, more than max_price_per_hour allows (%s).",
			offer.ID, offer.PricePerHour, offer.Currency, offer.Region, most),
		cheaper(offer, offers, most))
}

// allowedPrice says whether an offer costs no more than a limit; an empty limit allows everything.
func allowedPrice(offer driver.Offer, most string) bool {
	return most == "" || offer.PricePerHour == "" || ComparePrices(offer.PricePerHour, most) <= 0
}

// cheaper says what can be had for a price: the offers nearest in size to one that is dearer, else the cheapest that there
// are.
func cheaper(wanted driver.Offer, offers []driver.Offer, most string) string {
	others := slices.DeleteFunc(slices.Clone(offers), func(offer driver.Offer) bool {
		return !offer.Available || offer.Architecture != wanted.Architecture || offer.ID == wanted.ID
	})
	allowed := slices.DeleteFunc(slices.Clone(others), func(offer driver.Offer) bool { return !allowedPrice(offer, most) })
	switch {
	case len(allowed) > 0:
		return "Choose a cheaper offer, such as " + describeOffers(nearestInSize(wanted, allowed)) + ", or raise max_price_per_hour."
	case len(others) > 0:
		return "Nothing in this region costs so little: raise max_price_per_hour. The cheapest: " + describeOffers(others[:min(nearestShown, len(others))]) + "."
	}
	return "Raise max_price_per_hour, or choose another region."
}

// checkStock refuses an offer that is out of stock, and names those nearest in size that are not and may be paid for.
func (a *Account) checkStock(ctx context.Context, offer driver.Offer, offers []driver.Offer, most string) error {
	if offer.Available {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(offers), func(other driver.Offer) bool {
		return !other.Available || other.Architecture != offer.Architecture || !allowedPrice(other, most)
	})
	next := "Nothing else is in stock in this region. Choose another one, or try again later."
	if len(others) > 0 {
		next = "Choose another region, or an offer that is in stock here, such as " + describeOffers(nearestInSize(offer, others)) + ", or try again later."
	}
	return a.fault(driver.CapacityUnavailable, "offer_id", "use offer "+offer.ID, outOfStock(offer), next+a.inStockIn(ctx, offer))
}

// outOfStock says it in a sentence, with the vendor's reason where there is one.
func outOfStock(offer driver.Offer) string {
	text := fmt.Sprintf("Offer %s is out of stock in region %s now", offer.ID, offer.Region)
	if offer.Shortage != "" {
		text += ": " + offer.Shortage
	}
	return text + "."
}

// inStockIn is a sentence that names the other regions which have an offer in stock; empty: none.
func (a *Account) inStockIn(ctx context.Context, wanted driver.Offer) string {
	regions := a.regionsWith(ctx, wanted.ID, wanted.Region, func(offer driver.Offer) bool { return offer.Available })
	if len(regions) == 0 {
		return ""
	}
	return " Offer " + wanted.ID + " is in stock in: " + strings.Join(regions, ", ") + "."
}

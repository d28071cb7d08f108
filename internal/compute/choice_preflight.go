// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// PreflightChoices is Preflight for lists of offers and regions, of which the first that has room is made: one that is sold
// nowhere is an error, as is one that is dearer than allowed; one that has no stock or is sold in other regions only is
// passed over, with a warning, unless there is no other.
func (a *Account) PreflightChoices(ctx context.Context, wish Wish, p Preflight) []Finding {
	p.regions = regionsOf(wish, a.Region())
	look := &choiceLook{account: a, wish: wish, preflight: p, offers: map[string][]driver.Offer{}}
	return a.answers(ctx, p, func() []Finding { return look.catalogue(ctx) }, func() []Finding { return look.images(ctx) })
}

// catalogue reads what each region sells, and judges the choices by it.
func (l *choiceLook) catalogue(ctx context.Context) []Finding {
	for _, region := range regionsOf(l.wish, l.account.Region()) {
		offers, err := l.account.offersOfRegion(ctx, region)
		if err != nil {
			return appendFinding(nil, err)
		}
		l.offers[region] = offers
	}
	for _, choice := range l.wish.each() {
		l.add(cmp.Or(choice.Region, l.account.Region()), choice.OfferID)
	}
	findings := l.notSold(ctx)
	for _, offer := range l.sold {
		findings = appendFinding(findings, l.account.checkPrice(offer, l.offers[offer.Region], l.preflight.MaxPricePerHour))
	}
	return append(findings, l.stock()...)
}

// offersOfRegion answers what a region sells; a region that there is not is an error.
func (a *Account) offersOfRegion(ctx context.Context, region string) ([]driver.Offer, error) {
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: region})
	if err != nil || len(offers) > 0 {
		return offers, err
	}
	return nil, a.checkRegion(ctx, region)
}

func regionsOf(wish Wish, standard string) []string {
	if len(wish.Regions) == 0 {
		return []string{cmp.Or(wish.Region, standard)}
	}
	return wish.Regions
}

// choiceLook is what the catalogue says of the choices of one machine.
type choiceLook struct {
	account   *Account
	wish      Wish
	preflight Preflight
	// offers are what each region sells, sold the choices among them in their order.
	offers map[string][]driver.Offer
	sold   []driver.Offer
}

func (l *choiceLook) add(region, id string) {
	at := slices.IndexFunc(l.offers[region], func(offer driver.Offer) bool { return offer.ID == id })
	if at >= 0 {
		l.sold = append(l.sold, l.offers[region][at])
	}
}

// notSold finds the offers that none of the regions sells. One that is sold elsewhere may come back: some vendors take what
// is out of stock in a region out of their catalogue.
func (l *choiceLook) notSold(ctx context.Context) []Finding {
	var findings []Finding
	offers := l.wish.OfferIDs
	if len(offers) == 0 {
		offers = []string{l.wish.OfferID}
	}
	for _, id := range offers {
		if slices.ContainsFunc(l.sold, func(offer driver.Offer) bool { return offer.ID == id }) {
			continue
		}
		region := regionsOf(l.wish, l.account.Region())[0]
		missing := l.account.noOffer(ctx, id, region, l.offers[region])
		passing := len(l.sold) > 0 && l.account.soldIn(ctx, id, "") != ""
		if passing {
			missing.Advice = "It is passed over for as long as that is so." + l.account.soldIn(ctx, id, "")
		}
		findings = append(findings, Finding{Field: missing.Field, Err: missing, Warning: passing})
	}
	return findings
}

// stock finds the choices that are out of stock now.
func (l *choiceLook) stock() []Finding {
	out := slices.DeleteFunc(slices.Clone(l.sold), func(offer driver.Offer) bool { return offer.Available })
	if len(out) == 0 {
		return nil
	}
	var findings []Finding
	for _, offer := range out {
		what, next := "use offer "+offer.ID+" in region "+offer.Region, "It is passed over for as long as that is so: the next of the list is made."
		if len(out) == len(l.sold) {
			next = "None of the choices is in stock. Add other offers or regions to the lists, or try again later."
		}
		findings = append(findings, Finding{
			Field: "offer_id", Warning: len(out) < len(l.sold),
			Err: l.account.fault(driver.CapacityUnavailable, "offer_id", what, outOfStock(offer), next),
		})
	}
	return findings
}

// images looks whether the image is there for each choice, once for each fault.
func (l *choiceLook) images(ctx context.Context) []Finding {
	var findings []Finding
	for _, offer := range l.sold {
		p := l.preflight
		p.OfferID, p.Region = offer.ID, offer.Region
		findings = appendNew(findings, l.account.preflightImage(ctx, p, offer, true)...)
	}
	return findings
}

// appendNew leaves out what is there already in the same words.
func appendNew(findings []Finding, more ...Finding) []Finding {
	for _, found := range more {
		said := func(other Finding) bool { return other.Err.Error() == found.Err.Error() }
		if !slices.ContainsFunc(findings, said) {
			findings = append(findings, found)
		}
	}
	return findings
}

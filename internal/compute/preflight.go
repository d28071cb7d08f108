// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Preflight is what a plan wants to know of the vendor before anything is made. Empty values are unknown or not wanted and
// are not looked at.
type Preflight struct {
	OfferID, Image, Region string
	CheckOffer, CheckImage bool
	// Creates says that one more machine is made, and not in the place of another one; Key is its id, empty while unknown.
	Creates bool
	Key     string
	// UserDataBytes is the size with the keys merged in.
	UserDataBytes int
	// HasUserData says that there is more to it than keys.
	HasUserData bool
	Labels      map[string]string
	// MaxPricePerHour is decimal; an offer that costs more is refused, an unpriced one passes.
	MaxPricePerHour string
	// Options are those of a machine that is made, or those that change, as they are written.
	Options manifest.Values
}

// Finding is something that would make the apply fail, or a warning.
type Finding struct {
	// Field is the argument at fault.
	Field   string
	Err     *Error
	Warning bool
}

// Preflight looks at a plan through the catalogue, at most three requests for each region whatever the number of machines.
// A vendor that is out of reach is one warning.
func (a *Account) Preflight(ctx context.Context, p Preflight) (all []Finding) {
	var findings []Finding
	defer func() { all = append(oneOutOfReach(all), a.accountFindings()...) }()
	if p.UserDataBytes > 0 {
		findings = appendFinding(findings, a.checkUserDataSize(p.UserDataBytes))
	}
	findings = append(findings, a.labelFindings(p.Labels)...)
	if p.Creates {
		findings = append(findings, a.checkQuota(ctx, driver.CountedMachines, p.Key)...)
	}
	if p.CheckOffer {
		findings = appendFinding(findings, a.checkProject(ctx))
	}
	findings = append(findings, a.optionFindings(ctx, p.Options, cmp.Or(p.Region, a.Region()))...)
	offer, sold, err := a.preflightOffer(ctx, p)
	if err != nil {
		return appendFinding(findings, err)
	}
	if p.CheckImage && p.Image != "" {
		findings = append(findings, a.preflightImage(ctx, p, offer, sold)...)
	}
	return findings
}

func appendFinding(findings []Finding, err error) []Finding {
	known, ok := errors.AsType[*Error](err)
	if !ok {
		return findings
	}
	// A vendor that cannot be asked does not make the plan wrong.
	return append(findings, Finding{Field: cmp.Or(known.Field, "provider_account"), Err: known, Warning: outOfReach(known)})
}

func outOfReach(err *Error) bool {
	return err.Code == driver.ProviderError || err.Code == driver.RateLimited || err.Code == driver.Timeout
}

// oneOutOfReach says once that the vendor cannot be asked, whatever was to be asked.
func oneOutOfReach(findings []Finding) []Finding {
	said := false
	return slices.DeleteFunc(findings, func(finding Finding) bool {
		again := said && outOfReach(finding.Err)
		said = said || outOfReach(finding.Err)
		return again
	})
}

// accountFindings are what the account's driver has to say of the account itself.
func (a *Account) accountFindings() []Finding {
	var findings []Finding
	for _, notice := range a.warnings("") {
		findings = append(findings, Finding{
			Field: "provider_account", Warning: true,
			Err: a.fault(driver.AccessDenied, "provider_account", "see all that the plan could use", notice.Detail,
				"Nothing has failed. Give the token the right, or leave it so."),
		})
	}
	return findings
}

func (a *Account) labelFindings(labels map[string]string) []Finding {
	var findings []Finding
	faults := a.CheckLabels(labels)
	for _, key := range slices.Sorted(maps.Keys(faults)) {
		findings = append(findings, Finding{Field: "labels", Err: a.fault(driver.InvalidInput, "labels",
			fmt.Sprintf("use the label %q", key), faults[key].Error(), "Change the label.")})
	}
	return findings
}

// CheckLabels answers what the vendor would refuse, by label. No request.
func (a *Account) CheckLabels(labels map[string]string) map[string]error {
	marker, ok := a.driver.(driver.Mark)
	if !ok {
		return nil
	}
	return marker.CheckLabels(labels)
}

// preflightOffer answers the offer, so that the image can be looked up for its architecture. An offer that is not to be
// checked may have gone from the catalogue.
func (a *Account) preflightOffer(ctx context.Context, p Preflight) (driver.Offer, bool, error) {
	region := cmp.Or(p.Region, a.Region())
	if p.OfferID == "" || !p.CheckOffer && !p.CheckImage {
		return driver.Offer{}, false, nil
	}
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: region})
	if err != nil {
		return driver.Offer{}, false, err
	}
	at := slices.IndexFunc(offers, func(offer driver.Offer) bool { return offer.ID == p.OfferID })
	switch {
	case at >= 0:
		return offers[at], true, a.checkOffer(ctx, offers[at], offers, p)
	case !p.CheckOffer:
		return driver.Offer{}, false, nil
	case len(offers) == 0:
		if err := a.checkRegion(ctx, region); err != nil {
			return driver.Offer{}, false, err
		}
	}
	return driver.Offer{}, false, a.noOffer(ctx, p.OfferID, region, offers)
}

func (a *Account) checkRegion(ctx context.Context, region string) error {
	all, err := a.Regions(ctx)
	if err != nil || len(all) == 0 || slices.Contains(all, region) {
		return err
	}
	return a.noRegion(region, all)
}

func (a *Account) checkOffer(ctx context.Context, offer driver.Offer, offers []driver.Offer, p Preflight) error {
	if !p.CheckOffer {
		return nil
	}
	if p.MaxPricePerHour != "" && offer.PricePerHour != "" && ComparePrices(offer.PricePerHour, p.MaxPricePerHour) > 0 {
		return a.fault(driver.InvalidInput, "offer_id", "use offer "+offer.ID,
			fmt.Sprintf("Offer %s costs %s %s an hour in region %s, more than max_price_per_hour allows (%s).",
				offer.ID, offer.PricePerHour, offer.Currency, offer.Region, p.MaxPricePerHour),
			"Choose a cheaper offer or raise max_price_per_hour.")
	}
	if !offer.Available {
		return a.fault(driver.CapacityUnavailable, "offer_id", "use offer "+offer.ID,
			fmt.Sprintf("Offer %s is out of stock in region %s now.", offer.ID, offer.Region),
			"Choose another region or an offer that is in stock there, such as "+inStock(offer, offers)+", or try again later."+
				a.inStockIn(ctx, offer))
	}
	return nil
}

// inStockIn is a sentence that names the other regions which have an offer in stock; empty: none.
func (a *Account) inStockIn(ctx context.Context, wanted driver.Offer) string {
	regions := a.regionsWith(ctx, wanted.ID, wanted.Region, func(offer driver.Offer) bool { return offer.Available })
	if len(regions) == 0 {
		return ""
	}
	return " It is in stock in: " + strings.Join(regions, ", ") + "."
}

// inStock names the offers in stock that are closest to one in size.
func inStock(wanted driver.Offer, offers []driver.Offer) string {
	available := slices.DeleteFunc(slices.Clone(offers), func(offer driver.Offer) bool {
		return !offer.Available || offer.Architecture != wanted.Architecture || offer.VCPU < wanted.VCPU || offer.MemoryGiB < wanted.MemoryGiB
	})
	text := "none of this size"
	for i, offer := range available[:min(nearestShown, len(available))] {
		if i == 0 {
			text = describeOffer(offer)
			continue
		}
		text += "; " + describeOffer(offer)
	}
	return text
}

// checkReady asks what else the vendor would refuse a machine for.
func (a *Account) checkReady(ctx context.Context, p Preflight, imageID string) (findings []Finding) {
	vendor, ok := a.driver.(driver.Ready)
	if !ok || !p.CheckOffer {
		return nil
	}
	spec := driver.Spec{OfferID: p.OfferID, ImageID: imageID, Region: cmp.Or(p.Region, a.Region()), KeysOnly: !p.HasUserData}
	if p.UserDataBytes > 0 {
		spec.UserData = make([]byte, p.UserDataBytes)
	}
	for _, err := range vendor.CheckReady(ctx, spec) {
		findings = appendFinding(findings, a.explain(ctx, err, "make a machine", ""))
	}
	return findings
}

func (a *Account) preflightImage(ctx context.Context, p Preflight, offer driver.Offer, sold bool) []Finding {
	architecture := ""
	if sold {
		architecture = offer.Architecture
	}
	image, err := a.image(ctx, p.Image, cmp.Or(p.Region, a.Region()), architecture)
	if err != nil {
		return appendFinding(nil, err)
	}
	if checker, ok := a.driver.(driver.UserData); ok && p.HasUserData {
		if err := checker.CheckUserData(ctx, image.ID); err != nil {
			return appendFinding(nil, a.explain(ctx, err, "give user data to a machine", ""))
		}
	}
	if faults := a.checkReady(ctx, p, image.ID); len(faults) > 0 {
		return faults
	}
	if sold && offer.DiskGiB != nil && image.MinDiskGiB > *offer.DiskGiB {
		return appendFinding(nil, a.fault(driver.InvalidInput, "image", "use image "+p.Image,
			fmt.Sprintf("Image %s needs a disk of %g GiB; offer %s has %g GiB.", p.Image, image.MinDiskGiB, offer.ID, *offer.DiskGiB),
			"Choose a larger offer or another image."))
	}
	if !image.Deprecated.IsZero() {
		return []Finding{{Field: "image", Warning: true, Err: a.fault(driver.InvalidInput, "image", "rely on image "+p.Image,
			fmt.Sprintf("Image %s is deprecated since %s and will go away.", p.Image, image.Deprecated.Format("2006-01-02")),
			"Machines made from it go on running. Choose a newer image for new ones.")}}
	}
	return nil
}

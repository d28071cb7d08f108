// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

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
	// regions are those that may be chosen, where there are several.
	regions []string
}

// Preflight looks at a plan through the catalogue, at most three requests for each region whatever the number of machines.
// A vendor that is out of reach is one warning, for all that is planned on the account.
func (a *Account) Preflight(ctx context.Context, p Preflight) []Finding {
	region := cmp.Or(p.Region, a.Region())
	var offer driver.Offer
	var sold bool
	return a.answers(ctx, p, func() (findings []Finding) {
		offer, sold, findings = a.preflightOffer(ctx, p, region)
		return findings
	}, func() []Finding {
		return a.preflightImage(ctx, p, offer, sold)
	})
}

// answers puts all questions about a plan; offers and images are those about the catalogue. Of a region that there is not
// no image is looked up.
func (a *Account) answers(ctx context.Context, p Preflight, offers, images func() []Finding) []Finding {
	findings := appendFinding(nil, a.checkUserDataSize(p.UserDataBytes))
	findings = append(findings, a.labelFindings(p.Labels)...)
	nowhere := false
	findings = append(findings, ask(
		func() []Finding {
			found := offers()
			nowhere = slices.ContainsFunc(found, func(finding Finding) bool { return finding.Field == "region" && !finding.Warning })
			return found
		},
		func() []Finding {
			if !p.CheckImage || p.Image == "" || nowhere {
				return nil
			}
			return images()
		},
		func() []Finding {
			if nowhere {
				return nil
			}
			return a.optionFindings(ctx, p)
		},
		func() []Finding { return a.checkRoom(ctx, p) },
	)...)
	return a.report(append(findings, a.accountFindings()...))
}

// checkRoom asks whether the account has room for one more machine, and a place to put it.
func (a *Account) checkRoom(ctx context.Context, p Preflight) []Finding {
	var findings []Finding
	if p.Creates {
		findings = a.checkQuota(ctx, driver.CountedMachines, p.Key)
	}
	if p.CheckOffer && a.ownProject(p.Options) == "" {
		findings = appendFinding(findings, a.checkProject(ctx))
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

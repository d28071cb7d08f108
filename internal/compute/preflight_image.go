// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// preflightImage looks whether a machine of the offer can be made from the image, in the region of the preflight.
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
	if sold {
		if err := a.checkDisk(ctx, p.Image, image, offer); err != nil {
			return appendFinding(nil, err)
		}
	}
	if !image.Deprecated.IsZero() {
		return []Finding{{Field: "image", Warning: true, Err: a.fault(driver.InvalidInput, "image", "rely on image "+p.Image,
			fmt.Sprintf("Image %s is deprecated since %s and will go away.", p.Image, image.Deprecated.Format("2006-01-02")),
			"Machines made from it go on running. Choose a newer image for new ones.")}}
	}
	return nil
}

// checkDisk refuses an image that needs a larger disk than the offer has, and names offers that have one.
func (a *Account) checkDisk(ctx context.Context, written string, image driver.Image, offer driver.Offer) error {
	if offer.DiskGiB == nil || image.MinDiskGiB <= *offer.DiskGiB {
		return nil
	}
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: offer.Region})
	if err != nil {
		return err
	}
	large := slices.DeleteFunc(offers, func(other driver.Offer) bool {
		return !other.Available || other.Architecture != offer.Architecture || other.DiskGiB == nil || *other.DiskGiB < image.MinDiskGiB
	})
	next := "No offer of this region has such a disk: choose another image."
	if len(large) > 0 {
		next = "Choose an offer with a larger disk, such as " + describeOffers(nearestInSize(offer, large)) + ", or another image."
	}
	return a.fault(driver.InvalidInput, "image", "use image "+written,
		fmt.Sprintf("Image %s needs a disk of %g GiB; offer %s has %g GiB.", written, image.MinDiskGiB, offer.ID, *offer.DiskGiB), next)
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

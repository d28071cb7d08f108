// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// order is a wish with everything looked up that the vendor wants to be told.
type order struct {
	wish  Wish
	spec  driver.Spec
	offer driver.Offer
	// intended is when this create has made the key's entry in an index that lags; zero: it was there, or there is none.
	intended time.Time
	// choices are all orders that the wish may be met by, in the order in which they are tried, this one among them.
	choices []order
}

// prepareChoice resolves offer, image and user data of a machine that is to be made. Nothing is made when it fails.
func (a *Account) prepareChoice(ctx context.Context, wish Wish) (order, error) {
	region := cmp.Or(wish.Region, a.Region())
	offers, err := a.Offers(ctx, driver.OfferQuery{Region: region})
	if err != nil {
		return order{}, err
	}
	at := slices.IndexFunc(offers, func(offer driver.Offer) bool { return offer.ID == wish.OfferID })
	if at < 0 {
		return order{}, a.noOffer(ctx, wish.OfferID, region, offers)
	}
	prepared, err := a.prepareDisk(ctx, wish, region, offers[at].Architecture)
	prepared.offer = offers[at]
	return prepared, err
}

// prepareAgain is prepare for a machine that is there: its offer may not be sold any more.
func (a *Account) prepareAgain(ctx context.Context, wish Wish, machine driver.Machine) (order, error) {
	prepared, err := a.prepareDisk(ctx, wish, machine.Region, machine.Architecture)
	if err != nil {
		return order{}, err
	}
	prepared.offer, _, err = a.offer(ctx, machine.OfferID, machine.Region)
	return prepared, err
}

// prepareDisk resolves what is put on the disk.
func (a *Account) prepareDisk(ctx context.Context, wish Wish, region, architecture string) (order, error) {
	image, err := a.image(ctx, wish.Image, region, architecture)
	if err != nil {
		return order{}, err
	}
	userData, err := MergeUserData(wish.UserData, wish.SSHAuthorizedKeys)
	if err != nil {
		return order{}, err
	}
	return order{wish: wish, spec: driver.Spec{
		Name: wish.Name, OfferID: wish.OfferID, ImageID: image.ID, Region: region, UserData: userData,
		SSHAuthorizedKeys: wish.SSHAuthorizedKeys, KeysOnly: len(wish.UserData) == 0,
		Labels: wish.Labels, Off: wish.Power == "off",
	}}, a.checkUserDataSize(len(userData))
}

func (a *Account) checkUserDataSize(size int) error {
	most := a.Limits().UserDataBytes
	if size <= most {
		return nil
	}
	return a.fault(driver.InvalidInput, "user_data", "use the user data",
		fmt.Sprintf("The user data, SSH keys included, is %d bytes long; %s takes at most %d.", size, a.title(), most),
		"Shorten it, for instance by having cloud-init fetch the rest (#include).")
}

// marks answers what a machine bears while it is created under a claim.
func (a *Account) marks(key, claim string, creating bool) driver.Marks {
	return driver.Marks{Managed: true, Key: key, Account: a.settings.Reference.ID, Claim: claim, Creating: creating}
}

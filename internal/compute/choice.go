// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// each answers the wish for one offer in one region each, in the order in which they are tried.
func (w Wish) each() []Wish {
	offers, regions := w.OfferIDs, w.Regions
	if len(offers) == 0 {
		offers = []string{w.OfferID}
	}
	if len(regions) == 0 {
		regions = []string{w.Region}
	}
	var all []Wish
	for _, offer := range offers {
		for _, region := range regions {
			one := w
			one.OfferID, one.Region = offer, region
			all = append(all, one)
		}
	}
	return all
}

// prepare resolves every choice of a machine that is to be made and answers the first. A choice that is not sold is no
// choice, as long as there is another one.
func (a *Account) prepare(ctx context.Context, wish Wish) (order, error) {
	var choices []order
	var missing error
	for _, one := range wish.each() {
		prepared, err := a.prepareChoice(ctx, one)
		if isNotSold(err) {
			missing = cmp.Or(missing, err)
			continue
		}
		if err != nil {
			return order{}, err
		}
		choices = append(choices, prepared)
	}
	if len(choices) == 0 {
		return order{}, missing
	}
	first := choices[0]
	first.choices = choices
	return first, nil
}

// isNotSold says whether an offer is not sold in a region, or nothing is.
func isNotSold(err error) bool {
	known, ok := errors.AsType[*Error](err)
	return ok && known.Code == driver.InvalidInput && (known.Field == "offer_id" || known.Field == "region")
}

// like answers the choice that a machine was made by; the order itself where it is none of them.
func (o order) like(machine driver.Machine) order {
	for _, choice := range o.choices {
		if choice.spec.OfferID == machine.OfferID && choice.spec.Region == machine.Region {
			return o.as(choice)
		}
	}
	return o
}

// as answers another choice of the same order.
func (o order) as(choice order) order {
	choice.choices, choice.spec.Marks, choice.intended = o.choices, o.spec.Marks, o.intended
	return choice
}

func (o order) place() string { return "offer " + o.spec.OfferID + " in region " + o.spec.Region }

// tries answers the choices in the order in which they are asked for: those that the catalogue has in stock; all of them
// where it has none.
func (o order) tries() []order {
	inStock := slices.DeleteFunc(slices.Clone(o.choices), func(choice order) bool { return !choice.offer.Available })
	if len(inStock) == 0 {
		return o.choices
	}
	return inStock
}

// postFirst orders the first choice that the vendor has room for. Only its word that it has none, with nothing made, leads
// on to the next one.
func (a *Account) postFirst(ctx context.Context, wanted order) (chosen order, created driver.Created, err error) {
	tries := wanted.tries()
	for n, choice := range tries {
		chosen = wanted.as(choice)
		created, err = a.post(ctx, chosen)
		if err == nil || n == len(tries)-1 || !a.hasNoRoom(err) {
			break
		}
	}
	return chosen, created, err
}

func (a *Account) hasNoRoom(err error) bool {
	failure := a.describe(err)
	return failure.Code == driver.CapacityUnavailable && failure.Outcome == driver.NotDone
}

// passedOver tells of a machine that was not made by the first of several choices.
func (o order) passedOver() []Notice {
	at := slices.IndexFunc(o.choices, func(choice order) bool { return choice.place() == o.place() })
	if at <= 0 {
		return nil
	}
	return []Notice{{
		Field: "offer_id", Summary: "The machine was not made by the first choice",
		Detail: fmt.Sprintf("It was made by %s. There was no room for %s. What was chosen stays for as long as the lists name it.",
			o.place(), places(o.choices[:at])),
	}}
}

func places(choices []order) string {
	texts := make([]string, len(choices))
	for i, choice := range choices {
		texts[i] = choice.place()
	}
	return strings.Join(texts, ", ")
}

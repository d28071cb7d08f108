// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"context"
	"fmt"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Verify reads the account that the token belongs to.
func (c *cloud) Verify(ctx context.Context) error {
	_, err := c.team(ctx)
	return err
}

// Prove compares the team's uuid with the one that the machine was made in. The account of a person without a team has
// an uuid of its own.
func (c *cloud) Prove(ctx context.Context, proof string) (bool, error) {
	place, err := c.team(ctx)
	return err == nil && place == proof, err
}

// team answers what identifies the place that the token sees.
func (c *cloud) team(ctx context.Context) (string, error) {
	account, err := c.account(ctx)
	switch {
	case err != nil:
		return "", err
	case account.Team != nil && account.Team.UUID != "":
		return account.Team.UUID, nil
	case account.UUID != "":
		return account.UUID, nil
	}
	return "", errNoID
}

// account reads the account with its limits, once.
func (c *cloud) account(ctx context.Context) (godo.Account, error) {
	return c.place.Get(ctx, func(ctx context.Context) (godo.Account, error) {
		account, _, err := c.client.Account.Get(ctx)
		switch {
		case err != nil:
			return godo.Account{}, c.failed(err)
		case account == nil:
			return godo.Account{}, errNoID
		}
		return *account, nil
	})
}

// QuotaOf answers the account's limits of droplets and of reserved IPv4 addresses (DigitalOcean API document, GET
// /v2/account; the newer word for the latter is only in the vendor's own client).
func (c *cloud) QuotaOf(ctx context.Context, sort driver.Counted) (int, error) {
	account, err := c.account(ctx)
	if sort == driver.CountedAddresses {
		return cmp.Or(account.ReservedIPLimit, account.FloatingIPLimit), err
	}
	return account.DropletLimit, err
}

// CountOf answers how many there are, by the total that comes with a page of one.
func (c *cloud) CountOf(ctx context.Context, sort driver.Counted) (int, error) {
	one := &godo.ListOptions{Page: 1, PerPage: 1}
	if sort == driver.CountedAddresses {
		_, response, err := c.client.ReservedIPs.List(ctx, one)
		return c.total(response, err)
	}
	_, response, err := c.client.Droplets.List(ctx, one)
	return c.total(response, err)
}

func (c *cloud) total(response *godo.Response, err error) (int, error) {
	if err != nil {
		return 0, c.failed(err)
	}
	if response.Meta == nil {
		return 0, errNoID
	}
	return response.Meta.Total, nil
}

// proof is what Prove takes later; a token that may not read the account gives none, and makes machines all the same.
func (c *cloud) proof(ctx context.Context) string {
	place, err := c.team(ctx)
	if err != nil {
		return ""
	}
	return place
}

// PlaceProof answers the team of the token. One that may not read the account is asked no second time.
func (c *cloud) PlaceProof(ctx context.Context) (string, error) {
	return c.placeProof.Get(ctx, func(ctx context.Context) (string, error) { return c.proof(ctx), ctx.Err() })
}

// withLimit adds the account's limit to the error of an order that exceeds it.
func (c *cloud) withLimit(ctx context.Context, refused error, limitOf func(*godo.Account) int, what string) error {
	if c.Describe(refused).Code != driver.QuotaExceeded {
		return refused
	}
	account, _, err := c.client.Account.Get(ctx)
	if err != nil || account == nil || limitOf(account) == 0 {
		return refused
	}
	return fmt.Errorf("%w (the account's limit is %d %s)", refused, limitOf(account), what)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"fmt"
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
	return c.place.Get(ctx, func(ctx context.Context) (string, error) {
		account, _, err := c.client.Account.Get(ctx)
		if err != nil {
			return "", c.failed(err)
		}
		switch {
		case account != nil && account.Team != nil && account.Team.UUID != "":
			return account.Team.UUID, nil
		case account != nil && account.UUID != "":
			return account.UUID, nil
		}
		return "", errNoID
	})
}

// proof is what Prove takes later; a token that may not read the account gives none, and makes machines all the same.
func (c *cloud) proof(ctx context.Context) string {
	place, err := c.team(ctx)
	if err != nil {
		return ""
	}
	return place
}

// withLimit adds the account's limit to the error of an order that exceeds it.
func (c *cloud) withLimit(ctx context.Context, refused error) error {
	account, _, err := c.client.Account.Get(ctx)
	if err != nil || account == nil || account.DropletLimit == 0 {
		return refused
	}
	return fmt.Errorf("%w (the account's limit is %d droplets)", refused, account.DropletLimit)
}

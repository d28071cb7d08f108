// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// tokenDigits are too few to find or to verify a token by, and enough to tell one from another.
const tokenDigits = 12

// PlaceProof answers a mark of the token: a token is of one project for ever (Hetzner API document, "Authentication"), and the
// vendor tells a project's name or id to nobody. An uploaded certificate is made without an action that could be asked for
// later, and there is no action that leaves it as it is.
func (c *cloud) PlaceProof(ctx context.Context) (string, error) {
	return c.mark.Get(ctx, c.markOfToken)
}

func (c *cloud) markOfToken(ctx context.Context) (string, error) {
	token, err := c.token(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{kindName, c.endpoint, token}, "\x00")))
	return driver.TokenProof + hex.EncodeToString(sum[:])[:tokenDigits], nil
}

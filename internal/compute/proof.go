// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// proofSeen answers the proof of the place that a state is to keep from now on, when the account has just shown one of the
// state's objects with its claim: the one that it holds, unless that is none, as after an import, or is that of a token. An
// object has to be seen for it: no proof is ever taken from an account that may be the wrong one.
func (a *Account) proofSeen(ctx context.Context, held string) string {
	prover, ok := a.driver.(driver.PlaceProof)
	if !ok || held != "" && !ofToken(held) {
		return held
	}
	proof, err := prover.PlaceProof(ctx)
	if err != nil || proof == "" {
		// It only makes a later answer better, and the next read tries again.
		return held
	}
	return proof
}

// ofToken says whether a proof holds only as long as the account has the token that it was taken of. Another token may be of
// the same place all the same.
func ofToken(proof string) bool { return strings.HasPrefix(proof, driver.TokenProof) }

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"slices"
)

// Only narrows a resolver to some references: whatever asks through it cannot reach any other secret. Empty ones are left
// out.
func Only(resolve func(context.Context, string) (string, error), references ...string) func(context.Context, string) (string, error) {
	return func(ctx context.Context, reference string) (string, error) {
		if reference == "" || !slices.Contains(references, reference) {
			return "", &Error{Message: "a reference was asked for that the resource does not name"}
		}
		return resolve(ctx, reference)
	}
}

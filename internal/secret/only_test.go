// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret_test

import (
	"context"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

func TestANarrowResolverKnowsItsReferencesAlone(t *testing.T) {
	asked := 0
	resolve := secret.Only(func(context.Context, string) (string, error) {
		asked++
		return "value", nil
	}, "env://KEY", "")
	if value, err := resolve(t.Context(), "env://KEY"); err != nil || value != "value" {
		t.Errorf("%q, %v", value, err)
	}
	for _, other := range []string{"env://OTHER", ""} {
		if value, err := resolve(t.Context(), other); err == nil || value != "" {
			t.Errorf("%q: %q, %v", other, value, err)
		}
	}
	if asked != 1 {
		t.Errorf("the store was asked %d times", asked)
	}
}

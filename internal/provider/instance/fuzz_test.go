// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
)

// An import id is whole or refused.
func FuzzImportID(f *testing.F) {
	for _, seed := range []string{
		`{"provider_account":{"id":"pacct_x","tenant_id":"root","kind":"hetzner-cloud","config":"{}"},"id":"42"}`,
		`{"provider_account":null,"id":"42"}`, `{"id":42}`, "42", "inst_x", "{", `{}{}`, "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		account, object, err := importid.Parse(text)
		whole := account.ID != "" && account.TenantID != "" && account.Kind != "" && account.Config != "" && object != ""
		if err == nil && !whole {
			t.Errorf("%q is taken for %+v, %q", text, account, object)
		}
	})
}

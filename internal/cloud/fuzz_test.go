// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud_test

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// A config is read, judged and opened, or refused; what was read is written back as the same config.
func FuzzAccountConfig(f *testing.F) {
	for _, seed := range []string{
		`{"config":{"token":"env://HCLOUD_TOKEN"},"format":1}`,
		`{"config":{"region":"fra1","token":"env://DIGITALOCEAN_TOKEN"},"format":1}`,
		`{"config":{"url":"https://pve.example.com:8006","token":"env://T","vmid_min":100,"offers":["1c-2g"],"snippets":{"storage":"local"}},"format":1}`,
		`{"config":{"vmid_min":1e400,"dns_zones":{"a":null}},"format":1}`, `{"config":null,"format":1}`, `{}`, `[]`, `null`, "",
	} {
		for kind := range cloud.Kinds() {
			f.Add(kind, seed)
		}
	}
	f.Fuzz(func(t *testing.T, number int, text string) {
		kinds := cloud.Kinds()
		kind := kinds[uint(number)%uint(len(kinds))]
		values, err := kind.Manifest.Parse(text)
		if err != nil {
			return
		}
		if len(kind.Manifest.Validate(values, secret.Check)) > 0 {
			return
		}
		canonical, err := kind.Manifest.Canonical(values)
		if err != nil {
			t.Fatalf("a valid config is not written: %v", err)
		}
		again, err := kind.Manifest.Parse(canonical)
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if second, err := kind.Manifest.Canonical(again); err != nil || second != canonical {
			t.Errorf("%s becomes %s (%v)", canonical, second, err)
		}
		_, _ = kind.Open(kind.Manifest.WithDefaults(values), driver.Environment{}) // an error is an answer, a panic is not
	})
}

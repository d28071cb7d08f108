// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// TestAccALoneCertificateDeletedByHandIsMadeAgain: nothing else of the account is there, and its upload left no action that
// could be asked for. Another project's token never drops it.
func TestAccALoneCertificateDeletedByHandIsMadeAgain(t *testing.T) {
	w := newWorld(t)
	config := w.custom(w.pem.leaf, w.pem.key)
	remove := func() {
		if err := w.Vanish("hetzner", "certificates", w.certificates()[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	w.run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig:   func() { t.Setenv(tokenVariable, w.Hetzner.Tokens["foreign"]) },
			Config:      config,
			ExpectError: regexp.MustCompile(`(?s)\(ACCESS_DENIED\).*The\s+state\s+is\s+kept`),
		},
		resource.TestStep{
			PreConfig:        func() { t.Setenv(tokenVariable, w.Hetzner.Token); remove() },
			Config:           config,
			ConfigPlanChecks: does(plancheck.ResourceActionCreate),
		},
		resource.TestStep{PreConfig: remove, Config: w.config("")},
	)
	if posts := w.posts(); posts != 2 {
		t.Errorf("%d uploads, want 2", posts)
	}
}

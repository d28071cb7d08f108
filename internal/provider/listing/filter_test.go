// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package listing

import "testing"

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		name, pattern string
		fits          bool
	}{
		{"debian-13", "debian-13", true},
		{"debian-13", "debian-*", true},
		{"debian-13", "*", true},
		{"", "*", true},
		{"debian-13", "*-1?", true},
		{"debian-13", "d*b*n-1*", true},
		{"dé", "d?", true},
		{"debian-13", "debian", false},
		{"debian-13", "debian-1", false},
		{"debian-13", "?", false},
		{"debian-13", "*-12", false},
		{"a[1]", "a[1]", true},
		{"a1", "a[1]", false},
		{"", "?", false},
	} {
		if got := matches(test.name, test.pattern); got != test.fits {
			t.Errorf("%q fits %q: %t", test.name, test.pattern, got)
		}
	}
}

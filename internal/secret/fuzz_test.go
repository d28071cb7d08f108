// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"strings"
	"testing"
)

// A text is a reference or it is refused, and what is refused is never repeated: it may be the secret itself.
func FuzzReference(f *testing.F) {
	for _, seed := range []string{
		"env://HCLOUD_TOKEN", "vault://secret/hetzner#token", "secret://root/hcloud-token", "env://", "vault://a#b", "secret://a/b/c",
		"https://example.com", "plain-secret-value-1234", "env://A\x00B", strings.Repeat("a", 300),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := parse(text)
		switch {
		case err == nil && read.scheme+"://"+read.name != text:
			t.Errorf("%q is read as %+v", text, read)
		case err == nil && len(text) > MaxLength:
			t.Errorf("%d characters are a reference", len(text))
		case err != nil && len(text) > 40 && strings.Contains(err.Error(), text):
			t.Errorf("the refusal repeats the text: %v", err)
		}
	})
}

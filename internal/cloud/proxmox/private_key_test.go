// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/proxmox/snippets"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// TestThePrivateKeyOfSnippets: a key is what its file holds, over several lines; what is none is told at the key and not at
// the token, and never shown.
func TestThePrivateKeyOfSnippets(t *testing.T) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	file := string(pem.EncodeToMemory(block))
	for name, test := range map[string]struct {
		value string
		unset bool
		says  string
	}{
		"the file":                {value: file},
		"with Windows line ends":  {value: strings.ReplaceAll(file, "\n", "\r\n")},
		"in base64 on one line":   {value: base64.StdEncoding.EncodeToString([]byte(file))},
		"not set":                 {unset: true, says: "env://SNIPPETS_KEY cannot be resolved"},
		"something else":          {value: "hunter2", says: "env://SNIPPETS_KEY is no key to log in with"},
		"a file that is cut off":  {value: file[:len(file)/2], says: "env://SNIPPETS_KEY is no key to log in with"},
		"with a control sequence": {value: file[:40] + "\x1b" + file[40:], says: "control character at position 41"},
	} {
		t.Run(name, func(t *testing.T) {
			resolver := secret.Resolver{LookupEnv: func(string) (string, bool) { return test.value, !test.unset }}
			store := storeOf(manifest.Values{"storage": "local", "sftp": manifest.Values{"private_key": "env://SNIPPETS_KEY"}},
				driver.Environment{Resolve: resolver.Resolve, ResolveText: resolver.ResolveText})
			key, err := store.(snippets.SFTP).PrivateKey(t.Context())
			if test.says == "" {
				if err != nil || snippets.CheckPrivateKey(key) != nil {
					t.Errorf("%v", err)
				}
				return
			}
			if err == nil {
				t.Fatal("it is taken")
			}
			told := (&cloud{}).Describe(err)
			if told.Code != driver.InvalidInput || told.Field != "snippets.sftp.private_key" || !strings.Contains(told.Message, test.says) ||
				told.Outcome != driver.NotDone || strings.Contains(told.Message, "hunter2") {
				t.Errorf("%+v", told)
			}
		})
	}
}

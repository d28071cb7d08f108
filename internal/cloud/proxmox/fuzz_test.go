// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// An offer's name means one size, which has this name.
func FuzzOffer(f *testing.F) {
	for _, seed := range []string{"1c-2g", "4c-8g-100d", "0c-1g", "999c-99999g-999999d", "1c-2g-", "1C-2G", "1c-2g-01d", "-1c-2g"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if read, err := parseOffer(name); err == nil && read.String() != name {
			t.Errorf("%q is read as %+v", name, read)
		}
	})
}

// A description keeps what other people have written, and what was written is read again.
func FuzzDescription(f *testing.F) {
	for _, seed := range []string{
		"", "hello", "better-compute inst_x\naccount pacct_y\nclaim 0-z\ncreating\n\nnotes of others", "created yesterday",
		"claim a\nclaim b", "better-compute  two  spaces", "unfinished\r\ncreating\r\n", "\n\n# title\n",
		"notes\ncreating ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := readRecord(text)
		again := readRecord(once.String())
		if again.String() != once.String() {
			t.Errorf("%q becomes %q, then %q", text, once.String(), again.String())
		}
		if again.key != once.key || again.claim != once.claim || again.creating != once.creating {
			t.Errorf("%q: the marks were %+v and are %+v", text, once, again)
		}
	})
}

// Whatever a server or a proxy answers with an error, it is explained and nothing breaks.
func FuzzRefusal(f *testing.F) {
	for _, seed := range []string{
		`{"message":"VM 100 already exists on node 'pve1'\n","data":null}`, `{"errors":{"vmid":"invalid","x":[1]}}`, "<html>502</html>", "", "null",
		`{"message":7}`,
	} {
		f.Add(500, seed)
		f.Add(403, seed)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		response := &http.Response{StatusCode: status, Status: "500 got timeout", Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
		err := refusal(response, []byte(body))
		if described := (&cloud{}).Describe(err); described.Code == "" {
			t.Errorf("%d %q has no code", status, body)
		}
	})
}

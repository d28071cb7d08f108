// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret/command"
)

const planted = "planted-value-5d10"

// run uses the subcommand and answers its exit code, and what it printed.
func run(t *testing.T, stdin string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	code = command.Run(t.Context(), arguments, strings.NewReader(stdin), &out, &errors)
	if strings.Contains(out.String()+errors.String(), planted) {
		t.Errorf("%v shows the value:\n%s%s", arguments, out.String(), errors.String())
	}
	return code, out.String(), errors.String()
}

func must(t *testing.T, stdin string, arguments ...string) string {
	t.Helper()
	code, stdout, stderr := run(t, stdin, arguments...)
	if code != 0 || stderr != "" {
		t.Fatalf("%v ends with %d:\n%s", arguments, code, stderr)
	}
	return stdout
}

func open(t *testing.T, path, identity, reference string) string {
	t.Helper()
	resolver := secret.Resolver{Sealed: &secret.SealedFile{Path: path, Identity: func(context.Context) (string, error) { return identity, nil }}}
	value, err := resolver.ResolveText(t.Context(), reference)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestFromAnIdentityToAValue(t *testing.T) {
	folder := t.TempDir()
	sealed, out := filepath.Join(folder, "secrets.sealed"), filepath.Join(folder, "identity.txt")
	recipient := strings.TrimSpace(must(t, "", "keygen", "-out", out))
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the identity's file: %v, %v", info, err)
	}
	identity, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(identity), "# public key: "+recipient+"\nAGE-SECRET-KEY-1") {
		t.Fatalf("the identity does not begin with its recipient %s: %v", recipient, err)
	}
	if printed := must(t, planted+"\n", "put", "-file", sealed, "-recipient", recipient, "root/hcloud-token"); printed != "secret://root/hcloud-token\n" {
		t.Errorf("put printed %q", printed)
	}
	must(t, "-----BEGIN X-----\nYQ==\n-----END X-----\n", "put", "-file", sealed, "secret://root/key")
	if printed := must(t, "", "list", "-file", sealed); printed != "secret://root/hcloud-token\nsecret://root/key\n" {
		t.Errorf("list printed %q", printed)
	}
	if value := open(t, sealed, string(identity), "secret://root/hcloud-token"); value != planted {
		t.Errorf("the value is %q", value)
	}
	if value := open(t, sealed, string(identity), "secret://root/key"); value != "-----BEGIN X-----\nYQ==\n-----END X-----" {
		t.Errorf("the key is %q", value)
	}
	must(t, "", "rm", "-file", sealed, "root/key")
	if printed := must(t, "", "list", "-file", sealed); printed != "secret://root/hcloud-token\n" {
		t.Errorf("after rm, list printed %q", printed)
	}
}

func TestAnIdentityOnStandardOutput(t *testing.T) {
	code, stdout, stderr := run(t, "", "keygen")
	if code != 0 || !strings.Contains(stdout, "\nAGE-SECRET-KEY-1") || secret.CheckRecipient(strings.TrimSpace(stderr)) != nil {
		t.Errorf("%d: %q, %q", code, stdout, stderr)
	}
}

func TestWhatIsRefused(t *testing.T) {
	folder := t.TempDir()
	sealed, broken, absent := filepath.Join(folder, "secrets.sealed"), filepath.Join(folder, "broken"), filepath.Join(folder, "absent")
	_, recipient, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	_, other, _ := secret.NewIdentity()
	must(t, planted, "put", "-file", sealed, "-recipient", recipient, "root/x")
	for _, path := range []string{broken} {
		if err := os.WriteFile(path, []byte("<<<<<<< ours\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		stdin     string
		arguments []string
		code      int
		says      string
	}{
		"nothing":                    {code: 2, says: "one of keygen, put, list and rm"},
		"an unknown verb":            {arguments: []string{"get", "root/x"}, code: 2, says: `there is no "get"`},
		"help":                       {arguments: []string{"-h"}, code: 0, says: "secret put"},
		"help of a verb":             {arguments: []string{"put", "-h"}, code: 0, says: "-recipient"},
		"an unknown flag":            {arguments: []string{"put", "-value", "x"}, code: 2, says: "-value"},
		"the value as an argument":   {arguments: []string{"put", "-file", sealed, "root/x", planted}, code: 2, says: "a value is read from standard input"},
		"no name":                    {arguments: []string{"put", "-file", sealed}, code: 2, says: "1 arguments are wanted"},
		"a broken name":              {arguments: []string{"put", "-file", sealed, "x"}, code: 2, says: "secret://TENANT/NAME"},
		"an empty value":             {arguments: []string{"put", "-file", sealed, "root/x"}, code: 1, says: "the value must not be empty"},
		"a value too long":           {stdin: strings.Repeat("x", secret.MaxValue+1), arguments: []string{"put", "-file", sealed, "root/x"}, code: 1, says: "not be longer than 65536"},
		"a broken recipient":         {arguments: []string{"put", "-file", sealed, "-recipient", "age1x", "root/x"}, code: 2, says: "must be an age X25519 recipient"},
		"other recipients":           {stdin: planted, arguments: []string{"put", "-file", sealed, "-recipient", other, "root/x"}, code: 1, says: "has other recipients"},
		"a new file for nobody":      {stdin: planted, arguments: []string{"put", "-file", absent, "root/x"}, code: 2, says: "say with -recipient for whom"},
		"a broken file":              {stdin: planted, arguments: []string{"put", "-file", broken, "root/x"}, code: 1, says: "line 1"},
		"a list of no file":          {arguments: []string{"list", "-file", absent}, code: 1, says: "is not there"},
		"a secret that is not there": {arguments: []string{"rm", "-file", sealed, "root/y"}, code: 1, says: "secret://root/y is not in"},
		"rm in no file":              {arguments: []string{"rm", "-file", absent, "root/y"}, code: 1, says: "is not there"},
		"an identity that is there":  {arguments: []string{"keygen", "-out", sealed}, code: 1, says: "file exists"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, test.stdin, test.arguments...)
			if code != test.code || !strings.Contains(stderr, test.says) || stdout != "" {
				t.Errorf("%d: %q, standard error lacks %q:\n%s", code, stdout, test.says, stderr)
			}
		})
	}
	if _, err := os.Stat(absent); err == nil {
		t.Error("a file was made")
	}
}

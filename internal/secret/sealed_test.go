// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// newSealed answers a sealed file that is not there yet, with an identity, and a resolver for it.
func newSealed(t *testing.T) (secret.SealedFile, secret.Resolver) {
	t.Helper()
	identity, _, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	file := secret.SealedFile{Path: filepath.Join(t.TempDir(), "secrets.sealed"), Identity: token("# a comment\n" + identity + "\n")}
	return file, secret.Resolver{Sealed: &file}
}

func put(t *testing.T, file secret.SealedFile, reference, value string) {
	t.Helper()
	if err := file.Put(t.Context(), entry(t, reference), value); err != nil {
		t.Fatal(err)
	}
}

func entry(t *testing.T, reference string) secret.Entry {
	t.Helper()
	parsed, err := secret.ParseEntry(reference)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func wantValue(t *testing.T, resolver secret.Resolver, reference, want string) {
	t.Helper()
	if got, err := resolver.ResolveText(t.Context(), reference); err != nil || got != want {
		t.Errorf("%s: got %q, %v, want %q", reference, got, err, want)
	}
}

func read(t *testing.T, file secret.SealedFile) string {
	t.Helper()
	text, err := os.ReadFile(file.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func rewrite(t *testing.T, file secret.SealedFile, text string) {
	t.Helper()
	if err := os.WriteFile(file.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSealedFileKeepsValues(t *testing.T) {
	file, resolver := newSealed(t)
	put(t, file, "root/token", " "+planted+"\n")
	put(t, file, "root/key", "-----BEGIN X-----\nYQ==\n-----END X-----\n")
	put(t, file, "team:a/token", "other")
	put(t, file, "root/token", planted+"-2")
	wantValue(t, resolver, "secret://root/token", planted+"-2")
	wantValue(t, resolver, "secret://root/key", "-----BEGIN X-----\nYQ==\n-----END X-----")
	wantValue(t, resolver, "secret://team:a/token", "other")
	if text := read(t, file); strings.Contains(text, planted) {
		t.Errorf("the file has a value in it:\n%s", text)
	}
	_, err := resolver.Resolve(t.Context(), "secret://root/key")
	wantError(t, err, false, false, "line break, at position 18")

	for _, want := range []bool{true, false} {
		if removed, err := file.Remove(t.Context(), entry(t, "root/token")); err != nil || removed != want {
			t.Errorf("removed %t, %v, want %t", removed, err, want)
		}
	}
	_, err = resolver.Resolve(t.Context(), "secret://root/token")
	wantError(t, err, false, false, "secret://root/token is not in the sealed file "+file.Path)
	wantEntries(t, file, "secret://root/key", "secret://team:a/token")
}

func wantEntries(t *testing.T, file secret.SealedFile, want ...string) {
	t.Helper()
	entries, err := file.List()
	var got []string
	for _, one := range entries {
		got = append(got, one.String())
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("entries %q, %v, want %q", got, err, want)
	}
}

// A file in version control: one value is one line, and everything else keeps its bytes, comments and foreign line ends too.
func TestAChangeIsAChangeOfOneLine(t *testing.T) {
	file, resolver := newSealed(t)
	for _, name := range []string{"root/m", "root/b", "root/z", "admin/z"} {
		put(t, file, name, "value of "+name)
	}
	wantEntries(t, file, "secret://admin/z", "secret://root/b", "secret://root/m", "secret://root/z")
	lines := strings.SplitAfter(read(t, file), "\n")
	lines[3] = "# of the whole team\n\n" + strings.TrimSuffix(lines[3], "\n") + "\r\n"
	rewrite(t, file, strings.Join(lines, ""))
	before := strings.SplitAfter(read(t, file), "\n")

	put(t, file, "root/m", "another")
	put(t, file, "root/c", "new")
	after := strings.SplitAfter(read(t, file), "\n")
	if len(after) != len(before)+1 {
		t.Fatalf("%d lines became %d", len(before), len(after))
	}
	changed := slices.DeleteFunc(slices.Clone(after), func(line string) bool { return slices.Contains(before, line) })
	if len(changed) != 2 || !strings.HasPrefix(changed[0], "secret://root/c ") || !strings.HasPrefix(changed[1], "secret://root/m ") {
		t.Errorf("changed lines: %q", changed)
	}
	if kept := slices.DeleteFunc(slices.Clone(after), func(line string) bool { return slices.Contains(changed, line) }); !slices.Equal(kept,
		slices.DeleteFunc(slices.Clone(before), func(line string) bool { return strings.HasPrefix(line, "secret://root/m ") })) {
		t.Errorf("other lines moved or changed:\n%s", strings.Join(kept, ""))
	}
	wantValue(t, resolver, "secret://root/b", "value of root/b")
	wantValue(t, resolver, "secret://root/m", "another")
}

func TestSeveralRecipients(t *testing.T) {
	file, _ := newSealed(t)
	ours, first, _ := secret.NewIdentity()
	theirs, second, _ := secret.NewIdentity()
	file.Recipients = []string{first, second}
	file.Identity = nil
	put(t, file, "root/token", planted)
	for name, identity := range map[string]string{"ours": ours, "theirs": theirs, "both": ours + "\n" + theirs} {
		file.Identity = token(identity)
		if got, err := (secret.Resolver{Sealed: &file}).Resolve(t.Context(), "secret://root/token"); err != nil || got != planted {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	file.Recipients = []string{second, first}
	put(t, file, "root/other", planted)
	file.Recipients = []string{second}
	before := read(t, file)
	err := file.Put(t.Context(), entry(t, "root/third"), planted)
	wantError(t, err, false, false, "other recipients: "+first+", "+second)
	if read(t, file) != before {
		t.Error("the file is changed")
	}
}

func TestIdentities(t *testing.T) {
	file, _ := newSealed(t)
	put(t, file, "root/token", planted)
	other, otherRecipient, _ := secret.NewIdentity()
	missing := secret.Resolver{LookupEnv: func(string) (string, bool) { return "", false }}
	for name, test := range map[string]struct {
		identity func(context.Context) (string, error)
		says     string
	}{
		"of somebody else": {token(other), "secret://root/token is not sealed for the age identity, whose recipient is " + otherRecipient},
		"cut":              {token(other[:40]), "the age identity cannot be read"},
		"a recipient":      {token(otherRecipient), "the age identity cannot be read"},
		"comments alone":   {token("# planted\n"), "the age identity is empty"},
		"not set": {func(ctx context.Context) (string, error) {
			return missing.ResolveText(ctx, "env://IDENTITY")
		}, "the age identity is not there: env://IDENTITY cannot be resolved: the environment variable IDENTITY is not set"},
		"none": {nil, "there is no age identity"},
	} {
		t.Run(name, func(t *testing.T) {
			file.Identity = test.identity
			_, err := secret.Resolver{Sealed: &file}.Resolve(t.Context(), "secret://root/token")
			wantError(t, err, true, false, "secret://root/token cannot be resolved", test.says)
			// Sealing needs recipients alone, which the file has.
			put(t, file, "root/other", planted)
		})
	}
}

func TestANewFileNeedsRecipients(t *testing.T) {
	file, _ := newSealed(t)
	file.Identity = token("planted")
	wantError(t, file.Put(t.Context(), entry(t, "root/token"), planted), true, false, "the age identity cannot be read")
	file.Recipients = []string{"age1planted"}
	wantError(t, file.Put(t.Context(), entry(t, "root/token"), planted), false, false, "must be an age X25519 recipient")
	if _, err := os.Stat(file.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
}

// Whatever a hand does to the file, nothing opens as something else, and nothing is written over it.
func TestAFileChangedByHand(t *testing.T) {
	file, resolver := newSealed(t)
	put(t, file, "root/a", planted+"-a")
	put(t, file, "root/b", planted+"-b")
	sound := read(t, file)
	lines := strings.Split(strings.TrimSuffix(sound, "\n"), "\n")
	sealedA, sealedB := strings.TrimPrefix(lines[2], "secret://root/a "), strings.TrimPrefix(lines[3], "secret://root/b ")
	tests := map[string]struct {
		text string
		says string
		// OneLine: the rest of the file can still be used.
		oneLine bool
	}{
		"empty":              {text: "", says: "it is empty"},
		"no first line":      {text: strings.Join(lines[1:], "\n"), says: "line 1: it does not begin with"},
		"no recipient":       {text: strings.Join(append(lines[:1:1], lines[2:]...), "\n"), says: "no recipient line"},
		"broken recipient":   {text: strings.Replace(sound, lines[1], lines[1][:30], 1), says: "line 2: its recipient must be"},
		"a value in it":      {text: sound + planted + "\n", says: "line 5: it is neither a secret"},
		"a value for a name": {text: sound + "secret://root/c " + planted + "!\n", says: "line 5: the line of secret://root/c is damaged"},
		"a merge":            {text: strings.Replace(sound, lines[3], "<<<<<<< ours\n"+lines[3]+"\n=======", 1), says: "line 4: it is neither"},
		"twice":              {text: sound + lines[2] + "\n", says: "it has secret://root/a twice, on lines 3 and 5"},
		"a broken name":      {text: sound + "secret://root/a/b YQ==\n", says: "line 5: its name must have the form"},
		"values swapped":     {text: strings.Replace(sound, sealedA, sealedB, 1), says: "belongs to another secret", oneLine: true},
		"a letter changed":   {text: strings.Replace(sound, sealedA[:len(sealedA)-8], sealedA[:len(sealedA)-9]+other(sealedA[len(sealedA)-9]), 1), says: "secret://root/a is damaged", oneLine: true},
		"cut in the middle":  {text: strings.Replace(sound, sealedA, sealedA[:200], 1), says: "secret://root/a is damaged", oneLine: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			rewrite(t, file, test.text)
			_, err := resolver.Resolve(t.Context(), "secret://root/a")
			wantError(t, err, true, false, test.says)
			_, listed := file.List()
			_, removed := file.Remove(t.Context(), entry(t, "root/x"))
			if test.oneLine {
				wantValue(t, resolver, "secret://root/b", planted+"-b")
				put(t, file, "root/a", "mended")
				wantValue(t, resolver, "secret://root/a", "mended")
				return
			}
			for _, err := range []error{listed, removed, file.Put(t.Context(), entry(t, "root/c"), planted)} {
				wantError(t, err, true, false, test.says, file.Path)
			}
			if read(t, file) != test.text {
				t.Error("the damaged file was written over")
			}
		})
	}
}

// other is another letter of base64.
func other(letter byte) string {
	if letter == 'A' {
		return "B"
	}
	return "A"
}

func TestValuesThatAreRefused(t *testing.T) {
	file, _ := newSealed(t)
	for value, says := range map[string]string{
		"":                                     "must not be empty",
		"\n":                                   "must not be empty",
		"planted\x00":                          "control characters other than tabs and line breaks; it has one at position 8",
		"planted\xff":                          "must be text in UTF-8",
		"planted\x1b[0m":                       "position 8",
		strings.Repeat("x", secret.MaxValue+1): "not be longer than 65536 bytes; it has 65537",
	} {
		wantError(t, file.Put(t.Context(), entry(t, "root/token"), value), false, false, says)
	}
	if _, err := os.Stat(file.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	put(t, file, "root/token", strings.Repeat("ü", secret.MaxValue/2))
}

func TestSchemes(t *testing.T) {
	for reference, says := range map[string]string{
		"env://X": "", "secret://root/x": "", "vault://a/b#c": "starts with env:// or secret://", planted: "not the secret itself",
	} {
		err := secret.CheckScheme(reference, "env", "secret")
		if says == "" {
			if err != nil {
				t.Errorf("%s: %v", reference, err)
			}
			continue
		}
		wantError(t, err, false, false, says)
	}
}

func TestEntries(t *testing.T) {
	for text, want := range map[string]string{
		"root/token": "secret://root/token", "secret://root/token": "secret://root/token", "root": "", "env://TOKEN": "", "root/a b": "", "vault://a/b#c": "",
	} {
		got, err := secret.ParseEntry(text)
		if want == "" && err == nil || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for reference, says := range map[string]string{
		"secret://root/token": "", "env://TOKEN": "", "vault://a/b#c": "",
		"secret://team/token": "a secret of the tenant root, secret://root/NAME; it is one of the tenant team",
		planted:               "not the secret itself",
	} {
		err := secret.CheckTenant(reference, "root")
		if says == "" {
			if err != nil {
				t.Errorf("%s: %v", reference, err)
			}
			continue
		}
		wantError(t, err, false, false, says)
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	long := strings.Repeat("A", MaxLength-len("env://"))
	tests := map[string]string{
		"env://HCLOUD_TOKEN":                "",
		"env://_x9":                         "",
		"env://" + long:                     "",
		"env://" + long + "A":               "longer than 270",
		"vault://secret/team/hetzner#token": "",
		"secret://root/hcloud-token":        "",
		"secret://team:a/x.y_z":             "",
		"planted-value":                     "not the secret itself",
		"":                                  "not the secret itself",
		strings.Repeat("x", 500):            "not the secret itself",
		"https://planted-value":             "starts with env://, vault:// or secret://",
		"ENV://planted":                     "starts with env://",
		"env://":                            "name of an environment variable",
		"env://9planted":                    "name of an environment variable",
		"env://planted-value":               "name of an environment variable",
		"env://PLANTED\n":                   "name of an environment variable",
		"vault://secret#token":              "vault://MOUNT/PATH#FIELD",
		"vault://secret/planted":            "vault://MOUNT/PATH#FIELD",
		"vault://secret//planted#token":     "vault://MOUNT/PATH#FIELD",
		"vault://secret/../planted#token":   "vault://MOUNT/PATH#FIELD",
		"vault://secret/planted#a#b":        "vault://MOUNT/PATH#FIELD",
		"secret://root":                     "secret://TENANT/NAME",
		"secret:///planted":                 "secret://TENANT/NAME",
		"secret://root/planted/x":           "secret://TENANT/NAME",
	}
	for text, want := range tests {
		err := Check(text)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
			continue
		}
		if strings.Contains(strings.ToLower(err.Error()), "planted") {
			t.Errorf("%q: the message repeats the text: %v", text, err)
		}
	}
}

func TestResolve(t *testing.T) {
	environment := map[string]string{
		"GOOD": "  planted-value\n", "EMPTY": "", "BLANK": " \t\n", "BROKEN": "planted\nvalue", "DEL": "planted\x7f!", "UMLAUT": "plantéd",
	}
	resolver := Resolver{LookupEnv: func(name string) (string, bool) {
		value, set := environment[name]
		return value, set
	}}
	tests := map[string]struct {
		want          string
		message       string
		notConfigured bool
	}{
		"env://GOOD":                 {want: "planted-value"},
		"env://EMPTY":                {message: "env://EMPTY cannot be resolved: the environment variable EMPTY is empty"},
		"env://BLANK":                {message: "BLANK is empty"},
		"env://MISSING":              {message: "env://MISSING cannot be resolved: the environment variable MISSING is not set"},
		"env://BROKEN":               {message: "control character, such as a line break, at position 8"},
		"env://DEL":                  {message: "control character, such as a line break, at position 8"},
		"env://UMLAUT":               {message: "outside ASCII at position 6"},
		"planted-value":              {message: "not the secret itself"},
		"vault://secret/hetzner#key": {message: "provider argument vault", notConfigured: true},
		"secret://root/hetzner":      {message: "provider argument secret_store", notConfigured: true},
	}
	for reference, test := range tests {
		got, err := resolver.Resolve(t.Context(), reference)
		if test.message == "" {
			if err != nil || got != test.want {
				t.Errorf("%s: %q, %v", reference, got, err)
			}
			continue
		}
		failure, ok := errors.AsType[*Error](err)
		if !ok || !strings.Contains(failure.Message, test.message) || failure.NotConfigured != test.notConfigured {
			t.Errorf("%s: error %#v, want %q", reference, err, test.message)
		}
		if err != nil && strings.Contains(err.Error(), "plant") {
			t.Errorf("%s: the message repeats the value: %v", reference, err)
		}
	}
}

func TestResolveSeesChanges(t *testing.T) {
	t.Setenv("BETTERCOMPUTE_TEST_TOKEN", "first")
	var resolver Resolver
	for _, want := range []string{"first", "second"} {
		t.Setenv("BETTERCOMPUTE_TEST_TOKEN", want)
		if got, err := resolver.Resolve(t.Context(), "env://BETTERCOMPUTE_TEST_TOKEN"); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := resolver.Resolve(cancelled, "env://BETTERCOMPUTE_TEST_TOKEN"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

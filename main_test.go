// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	tests := map[string]struct {
		arguments []string
		code      int
		says      string
	}{
		"help":                  {arguments: []string{"-h"}, code: 0, says: "emulator"},
		"unknown subcommand":    {arguments: []string{"emulate"}, code: exitUsage, says: `There is no subcommand "emulate".`},
		"unknown flag":          {arguments: []string{"-verbose"}, code: exitUsage, says: "-verbose"},
		"help of the emulator":  {arguments: []string{"emulator", "-h"}, code: 0, says: "-hetzner"},
		"help of secret":        {arguments: []string{"secret", "-h"}, code: 0, says: "secret put"},
		"a flag of no emulator": {arguments: []string{"emulator", "-hetzner-cloud", "x"}, code: exitUsage, says: "-hetzner-cloud"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), test.arguments, &stdout, &stderr); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.Contains(stderr.String(), test.says) {
				t.Errorf("standard error lacks %q:\n%s", test.says, stderr.String())
			}
			if stdout.Len() > 0 {
				t.Errorf("standard output has %q", stdout.String())
			}
		})
	}
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

// configuration is the text for a CLI: the account, and the resource's block where there is one.
func (s subject) configuration(backend string, owner bool, written arguments, createBeforeDestroy bool) string {
	text := backend + acceptance.Header + acceptance.AccountMain
	if owner {
		text += acceptance.Owned
	}
	if written == nil {
		return text
	}
	return text + s.block("web", written, createBeforeDestroy)
}

// block is the text of the resource of a label.
func (s subject) block(label string, written arguments, createBeforeDestroy bool) string {
	block := maps.Clone(written)
	delete(block, "provider_account")
	lines := []string{"", fmt.Sprintf("resource %q %q {", s.typeName, label), "  provider_account = data.bettercompute_provider_account.main"}
	for _, name := range slices.Sorted(maps.Keys(block)) {
		lines = append(lines, "  "+name+" = "+expression(block[name]))
	}
	if createBeforeDestroy {
		lines = append(lines, "  lifecycle {", "    create_before_destroy = true", "  }")
	}
	return strings.Join(append(lines, "}", ""), "\n")
}

// expression is a value in HCL, which takes JSON for all but objects.
func expression(value any) string {
	if object, ok := value.(arguments); ok {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(object)) {
			parts = append(parts, name+" = "+expression(object[name]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	if besides, ok := value.(companion); ok {
		return "bettercompute_instance." + string(besides)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package validators

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// Sound demands a text that a check accepts. What the check answers completes the sentence "<argument> ..." and does not
// repeat the text, which may be a secret.
func Sound(check func(text string) error) validator.String {
	return sound{check: check}
}

type sound struct{ check func(text string) error }

// Description tells the rule as far as it can be told without a text.
func (s sound) Description(context.Context) string { return "must be sound" }

// MarkdownDescription tells the rule.
func (s sound) MarkdownDescription(ctx context.Context) string { return s.Description(ctx) }

// ValidateString judges a known value.
func (s sound) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	if err := s.check(request.ConfigValue.ValueString()); err != nil {
		diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid "+request.Path.String(), request.Path.String()+" "+err.Error()+".")
	}
}

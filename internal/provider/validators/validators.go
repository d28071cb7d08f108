// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package validators holds the rules for single arguments that several resources share. Their errors are INVALID_INPUT
// at the argument and say what it must be.
package validators

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// TenantRule says what a tenant is, as the end of a sentence.
const TenantRule = wordRule

const wordRule = "1 to 128 letters, digits and the characters . _ : -"

var wordPattern = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// Tenant is the rule for a tenant_id.
func Tenant() []validator.String {
	return []validator.String{Matching(wordPattern, wordRule)}
}

// IsTenant says whether a text may be a tenant_id.
func IsTenant(text string) bool { return wordPattern.MatchString(text) }

// IdempotencyKey is the rule for an idempotency_key.
func IdempotencyKey() []validator.String {
	return []validator.String{Matching(wordPattern, wordRule)}
}

// Matching demands a text that matches the pattern. Rule completes the sentence "<argument> must be ...". The value is
// shown in the error: it is not for secrets.
func Matching(pattern *regexp.Regexp, rule string) validator.String {
	return matching{pattern: pattern, rule: rule}
}

type matching struct {
	pattern *regexp.Regexp
	rule    string
}

// Description tells the rule.
func (m matching) Description(context.Context) string { return "must be " + m.rule }

// MarkdownDescription tells the rule.
func (m matching) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

// ValidateString judges a known value.
func (m matching) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	value := request.ConfigValue.ValueString()
	if m.pattern.MatchString(value) {
		return
	}
	diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid "+request.Path.String(),
		fmt.Sprintf("%s must be %s. It is %q.", request.Path, m.rule, value))
}

// OneOf demands one of the given texts.
func OneOf(texts ...string) validator.String {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = regexp.QuoteMeta(text)
	}
	return Matching(regexp.MustCompile("^("+strings.Join(quoted, "|")+")$"), "one of "+strings.Join(texts, ", "))
}

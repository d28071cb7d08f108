// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package validators

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// Between demands a whole number from lowest to highest.
func Between(lowest, highest int64) validator.Int64 {
	return between{lowest: lowest, highest: highest}
}

type between struct{ lowest, highest int64 }

// Description tells the rule.
func (b between) Description(context.Context) string {
	return fmt.Sprintf("must be a whole number from %d to %d", b.lowest, b.highest)
}

// MarkdownDescription tells the rule.
func (b between) MarkdownDescription(ctx context.Context) string { return b.Description(ctx) }

// ValidateInt64 judges a known value.
func (b between) ValidateInt64(ctx context.Context, request validator.Int64Request, response *validator.Int64Response) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	value := request.ConfigValue.ValueInt64()
	if value >= b.lowest && value <= b.highest {
		return
	}
	diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid "+request.Path.String(),
		fmt.Sprintf("%s %s. It is %d.", request.Path, b.Description(ctx), value))
}

// NotNegative demands a number of at least 0.
func NotNegative() validator.Float64 { return notNegative{} }

type notNegative struct{}

// Description tells the rule.
func (notNegative) Description(context.Context) string { return "must not be negative" }

// MarkdownDescription tells the rule.
func (n notNegative) MarkdownDescription(ctx context.Context) string { return n.Description(ctx) }

// ValidateFloat64 judges a known value.
func (n notNegative) ValidateFloat64(ctx context.Context, request validator.Float64Request, response *validator.Float64Response) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() || request.ConfigValue.ValueFloat64() >= 0 {
		return
	}
	diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid "+request.Path.String(),
		fmt.Sprintf("%s %s. It is %g.", request.Path, n.Description(ctx), request.ConfigValue.ValueFloat64()))
}

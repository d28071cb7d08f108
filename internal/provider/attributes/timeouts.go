// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package attributes

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Timeouts is the argument of a resource whose operations have these defaults, written as documentation.
func Timeouts(ctx context.Context, create, update, destroy, read string) schema.Attribute {
	const format = "a duration such as `90s` or `30m`."
	attribute := timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Update: true, Delete: true, Read: true,
		CreateDescription: "Time for a create, waits included: " + format + " Default: " + create + ".",
		UpdateDescription: "Time for a change in place, waits included: " + format + " Default: " + update + ".",
		DeleteDescription: "Time for a destroy, waits included: " + format + " Default: " + destroy + ". It counts as it was last applied.",
		ReadDescription:   "Time for a refresh, and for the checks of a plan: " + format + " Default: " + read + ".",
	})
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
		nested.MarkdownDescription = "How long each operation may take before it ends with an error. A change alone makes no call."
		return nested
	}
	return attribute
}

// Allowed answers how long an operation may take: what the timeouts say of it, else the standard.
func Allowed(limits timeouts.Value, operation string, standard time.Duration) time.Duration {
	written, err := time.ParseDuration(TextOf(limits.Object, operation).ValueString())
	if err != nil {
		// The schema refuses what is no duration, so this is one that was left out or is not known yet.
		return standard
	}
	return written
}

// NoTimeouts is what an import knows of them.
func NoTimeouts() timeouts.Value {
	return timeouts.Value{Object: types.ObjectNull(map[string]attr.Type{
		"create": types.StringType, "read": types.StringType, "update": types.StringType, "delete": types.StringType,
	})}
}

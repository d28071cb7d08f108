// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/hashicorp/terraform-plugin-log/tfsdklog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
)

// LogCalls writes one line at DEBUG about what the process has asked of vendors; none where it has asked nothing. It is for
// the end of the process, when no request is there whose logger could be used: the one that it makes is the same. A CLI
// reads the log until the process ends, for two seconds after it has asked it to. Most commands have two processes that ask:
// one plans, the other applies.
func LogCalls(ctx context.Context, count *calls.Count) {
	fields := count.Fields()
	if fields == nil {
		return
	}
	ctx = tfsdklog.NewRootProviderLogger(ctx, tfsdklog.WithStderrFromInit(), tfsdklog.WithLogName(name), tflog.WithLevelFromEnv("TF_LOG_PROVIDER", name))
	tflog.Debug(ctx, "Calls to vendors", fields)
}

// change is what an apply does to an object, as the cause of its calls.
func change(request *tfprotov6.ApplyResourceChangeRequest) string {
	switch {
	case isNull(request.PriorState):
		return "create"
	case isNull(request.PlannedState):
		return "delete"
	}
	return "update"
}

// isNull says whether a value is known to be null; what cannot be read is refused by whoever uses it.
func isNull(value *tfprotov6.DynamicValue) bool {
	if value == nil {
		return true
	}
	null, err := value.IsNull()
	return err == nil && null
}

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import "context"

type waitsKey struct{}

// Detach is a context for a write in flight: it does not end with ctx, so that a request is never cut in the middle. What
// only waits before it sends (a rate limit, a pause between tries) still ends with ctx: see Waits.
func Detach(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), waitsKey{}, ctx)
}

// Complete is a context for what has to follow a write in flight, once that has been sent: its pauses do not end with the
// command any more, only with ctx.
func Complete(ctx context.Context) context.Context {
	return context.WithValue(ctx, waitsKey{}, ctx)
}

// Waits answers the context that ends the pauses of a request: the one that was detached from, else the request's own.
func Waits(ctx context.Context) context.Context {
	if original, ok := ctx.Value(waitsKey{}).(context.Context); ok {
		return original
	}
	return ctx
}

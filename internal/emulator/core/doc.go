// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package core holds what every emulated vendor needs and no vendor owns: the journal of requests, injected faults,
// settings, the clock, token names, a router that knows its routes, and the transport in memory. A vendor sits on it
// by implementing Vendor.
package core

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package acceptance drives the built provider through real CLIs against the emulators, where plugin-testing cannot: it
// kills processes, interrupts them, loses states and searches everything that was written for planted secrets.
//
// BETTERCOMPUTE_TEST_CLIS lists the CLIs to use, separated like PATH; without it those on PATH are used. Where there is
// none the tests skip, unless CI_REQUIRE=1.
package acceptance

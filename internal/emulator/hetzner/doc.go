// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package hetzner emulates the Hetzner Cloud API, version 1, as the vendor's API document of 2026 and its changelog
// describe it: asynchronous actions, locks, the leaky-bucket request limit, quotas, stock, and a catalogue of real
// types, images and prices. Sources are named where a rule stands; what no source settles is marked "unverified".
package hetzner

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package chaos interrupts every step of every resource's life and looks what is left: nothing doubled, nothing lost,
// nothing of anybody else's touched, and what is there as the configuration asks for it: the vendor is asked, as others ask
// it, whether a machine has each of its options and an address its host name.
//
// It does so twice. The simulated bench speaks to the provider by its protocol, over transports in memory and by the
// clock of testing/synctest, so that every request of every operation can be interrupted in every way within seconds. The
// bench of the CLIs kills, interrupts and repeats real processes, with each backend for their state.
package chaos

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package vendormade imports what the vendors' own Terraform providers make: a machine with every option that there is, by
// real CLIs on the emulators. The plan changes what the vendor does not tell and nothing else, and the apply puts marks on.
//
// The machines are made through the vendor's own API, by the requests that its provider sends. Where VENDORMADE_HCLOUD,
// VENDORMADE_DIGITALOCEAN or VENDORMADE_PROXMOX is the path of a provider's binary, that provider makes them as well, and is
// asked afterwards what it makes of the marks.
package vendormade

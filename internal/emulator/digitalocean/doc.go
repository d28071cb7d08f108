// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package digitalocean is an emulated DigitalOcean API (version 2): droplets and their actions, tags, SSH keys, the
// catalogue of sizes, regions and images, and the account. It keeps to what the vendor's OpenAPI document of August 2026
// says, and to what is known of the live API where the document is silent. What is neither documented nor known is
// marked "unverified".
package digitalocean

// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

// Header begins every configuration: it names the provider and takes the endpoint.
const Header = `terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

variable "endpoint" {
  type = string
}
`

// AccountMain is the account that machines are made on; Write fills in the vendor's argument.
const AccountMain = `
data "bettercompute_provider_account" "main" {
  name = "main"
  ACCOUNT
}
`

// Owned names the state.
const Owned = `
provider "bettercompute" {
  owner = "shop/prod"
}
`

# Machines of one size. Nothing here names a vendor: the account that is passed in does.

terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

data "bettercompute_offer" "cheapest" {
  provider_account = var.provider_account
  min_vcpu         = var.min_vcpu
  min_memory_gib   = var.min_memory_gib
}

resource "bettercompute_instance" "machine" {
  for_each = var.names

  provider_account    = var.provider_account
  name                = each.key
  offer_id            = data.bettercompute_offer.cheapest.id
  image               = var.image
  ssh_authorized_keys = var.ssh_authorized_keys
}

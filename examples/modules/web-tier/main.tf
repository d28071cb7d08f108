# A web tier: machines that are alike, an address for each, and a certificate. The account that is passed in says at which
# vendor.

locals {
  # The only words here that belong to one vendor. An account of another kind needs var.image.
  debian = {
    hetzner-cloud = "debian-13"
    digitalocean  = "debian-13-x64"
    proxmox       = "debian-13"
  }

  has_addresses = var.provider_account.kind != "proxmox"

  names = toset([for number in range(1, var.machines + 1) : "${var.name}-${number}"])
}

data "bettercompute_offer" "cheapest" {
  provider_account = var.provider_account
  min_vcpu         = var.min_vcpu
  min_memory_gib   = var.min_memory_gib
}

resource "bettercompute_instance" "web" {
  for_each = local.names

  provider_account    = var.provider_account
  name                = each.key
  offer_id            = data.bettercompute_offer.cheapest.id
  image               = coalesce(var.image, lookup(local.debian, var.provider_account.kind, null))
  ssh_authorized_keys = var.ssh_authorized_keys
  labels              = merge(var.labels, { tier = var.name })

  user_data = join("\n", ["#cloud-config", yamlencode({ packages = var.packages })])
}

resource "bettercompute_provider_address" "web" {
  for_each = coalesce(var.reserved_addresses, local.has_addresses) ? local.names : []

  provider_account = var.provider_account
  name             = each.key
  instance         = bettercompute_instance.web[each.key]
}

resource "bettercompute_certificate" "web" {
  count = length(var.domains) > 0 ? 1 : 0

  provider_account = var.provider_account
  name             = var.name
  kind             = "managed"
  domains          = var.domains

  # The new one is there before whatever uses the old one lets go of it.
  lifecycle {
    create_before_destroy = true
  }
}

# Machines in a private network and behind a firewall, both of which are there already and are given by name. The account
# that is passed in says at which vendor.

locals {
  # The only words here that belong to one vendor. An account of another kind needs var.image.
  debian = {
    hetzner-cloud = "debian-13"
    digitalocean  = "debian-13-x64"
    proxmox       = "debian-13"
  }

  kind      = var.provider_account.kind
  on_own    = local.kind == "proxmox" # a cluster of one's own: what is public there is the bridge's matter
  firewalls = flatten(data.bettercompute_firewalls.named[*].firewalls)

  # A droplet is behind a firewall by a tag that the firewall applies to. The label key = "value" is the tag key:value.
  tags = local.kind != "digitalocean" ? {} : {
    for tag in flatten(local.firewalls[*].selectors) : split(":", tag)[0] => join(":", slice(split(":", tag), 1, length(split(":", tag))))
    if strcontains(tag, ":")
  }
}

# The machines' own argument finds the network by its name, and says which ones are near where there is none. This is for the
# outputs.
data "bettercompute_networks" "named" {
  provider_account = var.provider_account
  name             = local.on_own ? split(".", var.network)[0] : var.network
}

data "bettercompute_firewalls" "named" {
  count = var.firewall == null ? 0 : 1

  provider_account = var.provider_account
  name             = var.firewall
}

data "bettercompute_offer" "cheapest" {
  provider_account = var.provider_account
  min_vcpu         = var.min_vcpu
  min_memory_gib   = var.min_memory_gib
}

resource "bettercompute_instance" "private" {
  for_each = toset([for number in range(1, var.machines + 1) : "${var.name}-${number}"])

  provider_account    = var.provider_account
  name                = each.key
  offer_id            = data.bettercompute_offer.cheapest.id
  image               = coalesce(var.image, lookup(local.debian, local.kind, null))
  ssh_authorized_keys = var.ssh_authorized_keys
  labels              = merge(var.labels, { tier = var.name }, local.tags)

  network           = var.network
  public_ipv4       = local.on_own ? null : var.public_ipv4
  public_ipv6       = local.on_own || var.public_ipv4 ? null : false
  delete_protection = var.delete_protection

  hetzner_cloud = local.kind != "hetzner-cloud" ? null : {
    firewall_ids       = var.firewall == null ? [] : [var.firewall]
    placement_group_id = var.placement_group
  }

  lifecycle {
    precondition {
      condition     = local.kind != "hetzner-cloud" || var.firewall == null || var.public_ipv4
      error_message = "Firewalls of Hetzner Cloud work on public interfaces. Leave the firewall out, or set public_ipv4."
    }

    precondition {
      condition     = local.kind != "digitalocean" || var.firewall == null || length(local.tags) > 0
      error_message = "There is no firewall ${coalesce(var.firewall, "-")} that applies to a tag with a colon, such as role:web, so no label puts a machine behind it."
    }

    precondition {
      condition     = local.kind != "proxmox" || var.firewall == null || length(local.firewalls) == 1
      error_message = "There is no security group ${coalesce(var.firewall, "-")}."
    }
  }
}

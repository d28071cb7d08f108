# The account of this folder's example on the emulated vendor: an override changes arguments of a block that is there. The
# example itself is as it would be written.

resource "bettercompute_provider_account" "main" {
  hetzner_cloud = {
    token    = "env://HCLOUD_TOKEN"
    location = "fsn1"
    endpoint = var.hetzner_endpoint
  }
}

resource "bettercompute_provider_account" "digitalocean" {
  digitalocean = {
    token    = "env://DIGITALOCEAN_TOKEN"
    region   = "fra1"
    endpoint = var.digitalocean_endpoint
  }
}

resource "bettercompute_provider_account" "proxmox" {
  proxmox = {
    url            = var.proxmox_url
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = var.proxmox_ca_certificate
    offers         = ["2c-4g", "4c-8g-100d"]
  }
}

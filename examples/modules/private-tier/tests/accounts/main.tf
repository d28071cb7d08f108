# Accounts on the emulators. `terraform-provider-bettercompute emulator -- terraform test` sets the variables and the
# tokens.

terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

variable "hetzner_endpoint" {
  type = string
}

variable "digitalocean_endpoint" {
  type = string
}

variable "proxmox_url" {
  type = string
}

variable "proxmox_ca_certificate" {
  type = string
}

data "bettercompute_provider_account" "hetzner" {
  name = "test"

  hetzner_cloud = {
    token    = "env://HCLOUD_TOKEN"
    endpoint = var.hetzner_endpoint
  }
}

data "bettercompute_provider_account" "digitalocean" {
  name = "test"

  digitalocean = {
    token    = "env://DIGITALOCEAN_TOKEN"
    region   = "fra1"
    endpoint = var.digitalocean_endpoint
  }
}

data "bettercompute_provider_account" "proxmox" {
  name = "test"

  proxmox = {
    url            = var.proxmox_url
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = var.proxmox_ca_certificate
  }
}

output "hetzner" {
  value = data.bettercompute_provider_account.hetzner
}

output "digitalocean" {
  value = data.bettercompute_provider_account.digitalocean
}

output "proxmox" {
  value = data.bettercompute_provider_account.proxmox
}

# What is measured: machines of a module's usual shape. machines and label come from the bench.
terraform {
  required_providers {
    bettercompute = { source = "better-compute/bettercompute" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }
variable "proxmox_url" { type = string }
variable "proxmox_ca_certificate" { type = string }

data "bettercompute_provider_account" "main" {
  name = "main"
  proxmox = {
    url            = var.proxmox_url
    token          = "env://PROXMOX_TOKEN"
    ca_certificate = var.proxmox_ca_certificate
    full_clone     = false
    offers         = ["1c-1g"]
  }
}

resource "bettercompute_instance" "machine" {
  count            = var.machines
  provider_account = data.bettercompute_provider_account.main
  name             = "machine-${count.index}"
  offer_id         = "1c-1g"
  image            = "debian-13"
  labels           = { bench = count.index == 0 ? var.label : "none" }
}

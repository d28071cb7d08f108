# What is measured: machines of a module's usual shape. machines and label come from the bench.
terraform {
  required_providers {
    bettercompute = { source = "better-compute/bettercompute" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }
variable "digitalocean_endpoint" { type = string }

data "bettercompute_provider_account" "main" {
  name         = "main"
  digitalocean = { token = "env://DIGITALOCEAN_TOKEN", region = "fra1", endpoint = var.digitalocean_endpoint }
}

resource "bettercompute_instance" "machine" {
  count            = var.machines
  provider_account = data.bettercompute_provider_account.main
  name             = "machine-${count.index}"
  offer_id         = "s-1vcpu-1gb"
  image            = "debian-13-x64"
  labels           = { bench = count.index == 0 ? var.label : "none" }
}

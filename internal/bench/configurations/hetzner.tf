# What is measured: machines of a module's usual shape. machines and label come from the bench.
terraform {
  required_providers {
    bettercompute = { source = "better-compute/bettercompute" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }
variable "hetzner_endpoint" { type = string }

data "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = { token = "env://HCLOUD_TOKEN", endpoint = var.hetzner_endpoint }
}

resource "bettercompute_instance" "machine" {
  count            = var.machines
  provider_account = data.bettercompute_provider_account.main
  name             = "machine-${count.index}"
  offer_id         = "cx23"
  image            = "debian-13"
  labels           = { bench = count.index == 0 ? var.label : "none" }
}

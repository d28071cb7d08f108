# For -rival: the same machines by Hetzner's own provider, which takes its endpoint and token from the environment.
terraform {
  required_providers {
    hcloud = { source = "hetznercloud/hcloud" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }

resource "hcloud_server" "machine" {
  count       = var.machines
  name        = "machine-${count.index}"
  server_type = "cx23"
  image       = "debian-13"
  location    = "fsn1"
  labels      = { bench = count.index == 0 ? var.label : "none" }
}

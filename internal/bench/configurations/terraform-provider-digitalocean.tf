# For -rival: the same machines by DigitalOcean's own provider, which takes its endpoint and token from the environment.
terraform {
  required_providers {
    digitalocean = { source = "digitalocean/digitalocean" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }

resource "digitalocean_droplet" "machine" {
  count  = var.machines
  name   = "machine-${count.index}"
  size   = "s-1vcpu-1gb"
  image  = "debian-13-x64"
  region = "fra1"
  tags   = ["bench:${count.index == 0 ? var.label : "none"}"]
}

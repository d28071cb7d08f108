# What every example here needs and the pages do not repeat.

terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

variable "digitalocean_endpoint" {
  description = "Address of the DigitalOcean API. Null means the real one."
  type        = string
  default     = null
}

data "bettercompute_provider_account" "main" {
  name = "main"

  digitalocean = {
    token    = "env://DIGITALOCEAN_TOKEN"
    region   = "fra1"
    endpoint = var.digitalocean_endpoint
  }
}

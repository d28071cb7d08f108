# What every example here needs and the pages do not repeat.

terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

variable "hetzner_endpoint" {
  description = "Address of the Hetzner Cloud API. Null means the real one."
  type        = string
  default     = null
}

data "bettercompute_provider_account" "main" {
  name = "main"

  hetzner_cloud = {
    token    = "env://HCLOUD_TOKEN"
    endpoint = var.hetzner_endpoint
  }
}

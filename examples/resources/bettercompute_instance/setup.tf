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

variable "digitalocean_endpoint" {
  description = "Address of the DigitalOcean API. Null means the real one."
  type        = string
  default     = null
}

variable "proxmox_url" {
  description = "URL of any node of the emulated cluster."
  type        = string
  default     = null
}

variable "proxmox_ca_certificate" {
  description = "The emulated cluster's certificate authority."
  type        = string
  default     = null
}

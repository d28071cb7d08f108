terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

variable "endpoint" {
  type = string
}

variable "key" {
  type = string
}

provider "bettercompute" {
  tenant_id    = "shop"
  secret_store = { path = "secrets.sealed", identity = "env://BETTERCOMPUTE_KEPT_IDENTITY" }
}

resource "bettercompute_secret" "token" {
  name     = "token"
  value_wo = "one"
}

resource "bettercompute_provider_account" "main" {
  name = "main"
  proxmox = { token = "env://PROXMOX_VE_API_TOKEN", url = var.endpoint, region = "pve", offers = ["2c-4g-20d","4c-8g"] }
}

resource "bettercompute_instance" "web" {
  provider_account    = bettercompute_provider_account.main
  name                = "web"
  offer_id            = "2c-4g-20d"
  image               = "debian-13"
  labels              = { role = "web" }
  user_data           = "#cloud-config\npackage_update: true\n"
  ssh_authorized_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHjVHYqYpmrHAyx4xJKUvuY5kPJ1IkVYEKRFMxJ5HbXC web"]
  power               = "on"
  timeouts            = { create = "15m" }
}

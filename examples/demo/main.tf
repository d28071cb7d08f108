# Machines on Hetzner Cloud, DigitalOcean and Proxmox VE, from one module. `make demo` applies this on the emulators that are
# built into the provider; with HCLOUD_TOKEN, DIGITALOCEAN_TOKEN and PROXMOX_VE_API_TOKEN set to tokens of your own and no
# endpoints it is the same on the real ones, where it costs money.

terraform {
  required_version = ">= 1.8"

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
  description = "URL of any node of the Proxmox VE cluster."
  type        = string
  default     = "https://pve1.example.com:8006"
}

variable "proxmox_ca_certificate" {
  description = "The cluster's certificate authority, /etc/pve/pve-root-ca.pem of any node. Null means the system's."
  type        = string
  default     = null
}

variable "ssh_authorized_keys" {
  description = "OpenSSH public keys that may log in to the machines."
  type        = set(string)
  default     = []
}

provider "bettercompute" {
  owner = "demo/${terraform.workspace}"
}

# An account names a vendor and says where its token is. It holds no secret, so it can be passed to a module whole.
data "bettercompute_provider_account" "hetzner" {
  name = "demo"

  hetzner_cloud = {
    token    = "env://HCLOUD_TOKEN"
    endpoint = var.hetzner_endpoint
  }
}

data "bettercompute_provider_account" "digitalocean" {
  name = "demo"

  digitalocean = {
    token    = "env://DIGITALOCEAN_TOKEN"
    region   = "fra1"
    endpoint = var.digitalocean_endpoint
  }
}

data "bettercompute_provider_account" "proxmox" {
  name = "demo"

  proxmox = {
    url            = var.proxmox_url
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = var.proxmox_ca_certificate
  }
}

# The same module for all: only the account and the name of the image are the vendor's.
module "hetzner" {
  source = "./modules/machines"

  provider_account    = data.bettercompute_provider_account.hetzner
  names               = ["demo-h1", "demo-h2", "demo-h3"]
  image               = "debian-13"
  min_vcpu            = 2
  min_memory_gib      = 4
  ssh_authorized_keys = var.ssh_authorized_keys
}

module "digitalocean" {
  source = "./modules/machines"

  provider_account    = data.bettercompute_provider_account.digitalocean
  names               = ["demo-d1", "demo-d2", "demo-d3"]
  image               = "debian-13-x64"
  min_vcpu            = 2
  min_memory_gib      = 4
  ssh_authorized_keys = var.ssh_authorized_keys
}

module "proxmox" {
  source = "./modules/machines"

  provider_account    = data.bettercompute_provider_account.proxmox
  names               = ["demo-p1", "demo-p2", "demo-p3"]
  image               = "debian-13"
  min_vcpu            = 2
  min_memory_gib      = 4
  ssh_authorized_keys = var.ssh_authorized_keys
}

output "table" {
  description = "The machines, one a line, of one vendor after the other."
  value       = join("\n\n", [module.hetzner.table, module.digitalocean.table, module.proxmox.table])
}

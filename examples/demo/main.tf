# Three machines on Hetzner Cloud. `make demo` applies this on the emulator that is built into the provider; with
# HCLOUD_TOKEN set to a token of your own and no endpoint it is the same on the real cloud, where it costs money.

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

module "machines" {
  source = "./modules/machines"

  provider_account    = data.bettercompute_provider_account.hetzner
  names               = ["demo-1", "demo-2", "demo-3"]
  image               = "debian-13"
  min_vcpu            = 2
  min_memory_gib      = 4
  ssh_authorized_keys = var.ssh_authorized_keys
}

output "table" {
  description = "The machines, one a line."
  value       = module.machines.table
}

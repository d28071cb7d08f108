variable "provider_account" {
  description = "The account that everything is made on: the data source or the resource bettercompute_provider_account."
  type        = object({ id = string, tenant_id = string, kind = string, config = string })
}

variable "name" {
  description = "Name of the tier. Machines are called by it and a number, such as shop-1."
  type        = string

  validation {
    condition     = can(regex("^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$", var.name))
    error_message = "The name has to begin with a lower-case letter and may have up to 38 lower-case letters, digits and hyphens."
  }
}

variable "machines" {
  description = "How many machines there are."
  type        = number
  default     = 1

  validation {
    condition     = var.machines >= 1 && var.machines <= 50 && floor(var.machines) == var.machines
    error_message = "The number of machines has to be a whole one from 1 to 50."
  }
}

variable "network" {
  description = "Name of the private network that the machines are in; on Proxmox VE of a bridge or VNet, with a VLAN behind a dot: vmbr0 or vmbr0.100."
  type        = string

  validation {
    condition     = can(regex("^[^*?]+$", var.network))
    error_message = "The network has to be one name, not a pattern."
  }
}

variable "firewall" {
  description = "Name of the firewall that the machines are behind. Null means none. On Proxmox VE, where the template brings it along, of a security group."
  type        = string
  default     = null

  validation {
    condition     = var.firewall == null ? true : can(regex("^[^*?]+$", var.firewall))
    error_message = "The firewall has to be one name, not a pattern."
  }
}

variable "placement_group" {
  description = "Name or id of the placement group that the machines are in. Only Hetzner Cloud has them. Null means none."
  type        = string
  default     = null
}

variable "public_ipv4" {
  description = "Whether the machines have public addresses too. Without, they are reached by the private network alone."
  type        = bool
  default     = true
}

variable "delete_protection" {
  description = "Whether a plan that would destroy or replace a machine fails."
  type        = bool
  default     = false
}

variable "min_vcpu" {
  description = "Fewest virtual CPUs that will do. The cheapest offer that has them is taken."
  type        = number
  default     = 2
}

variable "min_memory_gib" {
  description = "Least memory that will do, in GiB."
  type        = number
  default     = 4
}

variable "image" {
  description = "Image, as the vendor names it. Null means Debian 13."
  type        = string
  default     = null
}

variable "ssh_authorized_keys" {
  description = "OpenSSH public keys that may log in."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for key in var.ssh_authorized_keys : length(split(" ", key)) >= 2])
    error_message = "Each key has to be a whole line, such as \"ssh-ed25519 AAAA... alice@example.com\", not the path of a file."
  }
}

variable "labels" {
  description = "Labels of the machines, besides the one that says which tier they belong to."
  type        = map(string)
  default     = {}
}

variable "provider_account" {
  description = "The account that everything is made on: the data source or the resource bettercompute_provider_account."
  type        = object({ id = string, tenant_id = string, kind = string, config = string })
}

variable "name" {
  description = "Name of the tier. Machines and addresses are called by it and a number, such as shop-1."
  type        = string

  validation {
    condition     = can(regex("^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$", var.name))
    error_message = "The name has to begin with a lower-case letter and may have up to 38 lower-case letters, digits and hyphens."
  }
}

variable "machines" {
  description = "How many machines there are."
  type        = number
  default     = 2

  validation {
    condition     = var.machines >= 1 && var.machines <= 50 && floor(var.machines) == var.machines
    error_message = "The number of machines has to be a whole one from 1 to 50."
  }
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

variable "packages" {
  description = "Packages that are installed at the first start."
  type        = list(string)
  default     = ["nginx"]
}

variable "reserved_addresses" {
  description = "Whether each machine gets an address that stays when the machine is replaced. Null means: where the vendor has such addresses."
  type        = bool
  default     = null
}

variable "domains" {
  description = "Domains of a certificate that the vendor issues and renews, in zones of the account. None means no certificate."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for domain in var.domains : can(regex("^(\\*\\.)?([a-z0-9]([-a-z0-9]*[a-z0-9])?\\.)+[a-z]{2,}$", domain))])
    error_message = "Each domain has to be a full name in lower case, such as www.example.com or *.example.com."
  }
}

variable "labels" {
  description = "Labels of the machines, besides the one that says which tier they belong to."
  type        = map(string)
  default     = {}
}

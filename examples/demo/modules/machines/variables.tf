variable "provider_account" {
  description = "The account to make the machines on: the data source or the resource bettercompute_provider_account."
  type        = object({ id = string, tenant_id = string, kind = string, config = string })
}

variable "names" {
  description = "Names of the machines."
  type        = set(string)
}

variable "image" {
  description = "Image as the vendor names it."
  type        = string
}

variable "min_vcpu" {
  description = "Fewest virtual CPUs that will do."
  type        = number
}

variable "min_memory_gib" {
  description = "Least memory that will do, in GiB."
  type        = number
}

variable "ssh_authorized_keys" {
  description = "OpenSSH public keys that may log in."
  type        = set(string)
  default     = []
}

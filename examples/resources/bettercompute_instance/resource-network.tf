# In a private network, behind a firewall, with backups, and safe from a destroy. Networks and firewalls are named, by name or id.
resource "bettercompute_instance" "database" {
  provider_account  = data.bettercompute_provider_account.main
  name              = "database-1"
  offer_id          = data.bettercompute_offer.small.id
  image             = "debian-13"
  network           = var.network
  backups           = true
  delete_protection = var.protected

  hetzner_cloud = {
    firewall_ids = var.firewalls
  }
}

variable "network" {
  description = "A private network with a subnet in the machine's network zone; null: none."
  type        = string
  default     = null
}

variable "firewalls" {
  description = "Firewalls that the machine is behind."
  type        = set(string)
  default     = []
}

variable "protected" {
  description = "Whether a plan that destroys or replaces the machine fails."
  type        = bool
  default     = false
}

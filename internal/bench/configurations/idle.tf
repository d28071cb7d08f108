# As many resources with the schema of bettercompute_instance of a provider that does nothing: what the CLI and the plugin
# framework take for them.
terraform {
  required_providers {
    idle = { source = "better-compute/idle" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }

resource "idle_instance" "machine" {
  count            = var.machines
  provider_account = { id = "pacct_0000000000000000000000000000000000000000000000000000", tenant_id = "root", kind = "hetzner_cloud", config = jsonencode({ token = "env://HCLOUD_TOKEN" }) }
  name             = "machine-${count.index}"
  offer_id         = "cx23"
  image            = "debian-13"
  labels           = { bench = count.index == 0 ? var.label : "none" }
}

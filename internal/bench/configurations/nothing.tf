# As many resources of a provider that does nothing: what the CLI itself takes.
terraform {
  required_providers {
    nothing = { source = "better-compute/nothing" }
  }
}

variable "machines" { type = number }
variable "label" { type = string }

resource "nothing_machine" "machine" {
  count = var.machines
  name  = "machine-${count.index}"
  label = count.index == 0 ? var.label : "none"
}

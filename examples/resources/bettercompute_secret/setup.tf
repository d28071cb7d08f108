# What every example here needs and the pages do not repeat.

terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

terraform {
  required_version = ">= 1.8"

  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

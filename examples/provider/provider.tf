terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

provider "bettercompute" {
  # Names this state, so that it can take back what it made should the state itself be lost.
  owner = "shop/${terraform.workspace}"
}

# The account of this folder's example on the emulated vendor: an override changes arguments of a block that is there. The
# example itself is as it would be written.

data "bettercompute_provider_account" "digitalocean" {
  digitalocean = {
    token    = "env://DIGITALOCEAN_TOKEN"
    region   = "fra1"
    endpoint = var.digitalocean_endpoint
  }
}

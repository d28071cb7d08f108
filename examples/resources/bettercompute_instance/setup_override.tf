# The account of this folder's example on the emulated vendor: an override changes arguments of a block that is there. The
# example itself is as it would be written.

data "bettercompute_provider_account" "main" {
  hetzner_cloud = {
    token    = "env://HCLOUD_TOKEN"
    endpoint = var.hetzner_endpoint
  }
}

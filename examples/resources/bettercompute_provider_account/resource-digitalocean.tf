resource "bettercompute_provider_account" "digitalocean" {
  name = "main"

  digitalocean = {
    token    = "env://DIGITALOCEAN_TOKEN"
    region   = "fra1"
    endpoint = var.digitalocean_endpoint # null: the real cloud
  }
}

resource "bettercompute_provider_account" "digitalocean" {
  name = "main"

  digitalocean = {
    token  = "env://DIGITALOCEAN_TOKEN"
    region = "fra1"
  }
}

# A reserved IP of DigitalOcean. A machine that it is put on must be in the same region.
data "bettercompute_provider_account" "digitalocean" {
  name = "main"

  digitalocean = {
    token  = "env://DIGITALOCEAN_TOKEN"
    region = "fra1"
  }
}

resource "bettercompute_provider_address" "api" {
  provider_account = data.bettercompute_provider_account.digitalocean
  name             = "api"
}

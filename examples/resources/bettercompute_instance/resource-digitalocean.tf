# The same resource on another vendor: only the account and the vendor's own names differ.
data "bettercompute_provider_account" "digitalocean" {
  name = "main"

  digitalocean = {
    token  = "env://DIGITALOCEAN_TOKEN"
    region = "fra1"
  }
}

resource "bettercompute_instance" "droplet" {
  provider_account = data.bettercompute_provider_account.digitalocean
  name             = "web-1"
  offer_id         = "s-2vcpu-4gb"
  image            = "debian-13-x64"
}

data "bettercompute_provider_account" "main" {
  name = "main"

  hetzner_cloud = {
    token = "env://HCLOUD_TOKEN"
  }
}

data "bettercompute_offer" "small" {
  provider_account = data.bettercompute_provider_account.main
  min_vcpu         = 2
  min_memory_gib   = 4
}

resource "bettercompute_instance" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web-1"
  offer_id         = data.bettercompute_offer.small.id
  image            = "debian-13"
}

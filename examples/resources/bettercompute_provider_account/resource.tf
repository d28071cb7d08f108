resource "bettercompute_provider_account" "main" {
  name = "main"

  hetzner_cloud = {
    token    = "env://HCLOUD_TOKEN"
    location = "fsn1"
  }
}

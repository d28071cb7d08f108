resource "bettercompute_provider_address" "front" {
  provider_account = data.bettercompute_provider_account.main
  name             = "front"
  description      = "The address that the name www points to"
  reverse_dns      = "www.example.com"
}

# An address on a machine. Naming another machine moves it in place, and so does the replacement of this one.
resource "bettercompute_instance" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web-1"
  offer_id         = "cx23"
  image            = "debian-13"
}

resource "bettercompute_provider_address" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web"
  family           = "ipv6"
  instance         = bettercompute_instance.web
}

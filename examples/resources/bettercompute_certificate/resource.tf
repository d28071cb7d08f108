# Issued and renewed by the vendor. The domains are in a DNS zone that the account hosts.
resource "bettercompute_certificate" "www" {
  provider_account = data.bettercompute_provider_account.main
  name             = "www"
  kind             = "managed"
  domains          = ["www.example.com", "*.example.com"]

  lifecycle {
    create_before_destroy = true
  }
}

# Uploaded: certificate, chain and key are behind references, which are resolved while it is uploaded and never stored.
resource "bettercompute_certificate" "shop" {
  provider_account = data.bettercompute_provider_account.main
  name             = "shop"
  kind             = "custom"
  certificate      = "env://SHOP_CERTIFICATE"
  private_key      = "env://SHOP_PRIVATE_KEY"

  # The references stay the same when what is behind them is renewed: count this up then.
  references_version = "2026-11"

  # The new certificate is there, under the same name, before the load balancers let go of the old one.
  lifecycle {
    create_before_destroy = true
  }
}

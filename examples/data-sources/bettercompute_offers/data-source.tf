# All that is sold in the account's region with at least this much of everything, the cheapest first.
data "bettercompute_offers" "large" {
  provider_account = data.bettercompute_provider_account.main
  min_vcpu         = 8
  min_memory_gib   = 16
}

output "large_offers" {
  value = [for offer in data.bettercompute_offers.large.offers : {
    id    = offer.id
    price = offer.price_per_hour
  }]
}

# The cheapest one that will do.
data "bettercompute_offer" "small" {
  provider_account = data.bettercompute_provider_account.main
  min_vcpu         = 2
  min_memory_gib   = 4
}

output "small_offer" {
  value = data.bettercompute_offer.small.id
}

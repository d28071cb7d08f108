# What this provider has reserved on the account, in whichever state it is.
data "bettercompute_provider_addresses" "all" {
  provider_account = data.bettercompute_provider_account.main
}

output "unowned_addresses" {
  value = [for one in data.bettercompute_provider_addresses.all.addresses : one.address if !one.owned]
}

# The certificates that this provider has made on the account, in whichever state they are.
data "bettercompute_certificates" "all" {
  provider_account = data.bettercompute_provider_account.main
}

output "unowned_certificates" {
  value = [for one in data.bettercompute_certificates.all.certificates : one.name if !one.owned]
}

# What this provider has made on the account, in whichever state it is.
data "bettercompute_instances" "all" {
  provider_account = data.bettercompute_provider_account.main
}

output "unowned_machines" {
  value = [for machine in data.bettercompute_instances.all.instances : machine.name if !machine.owned]
}

# Networks of the account's region. At DigitalOcean one of them is where machines are that name none.
data "bettercompute_networks" "all" {
  provider_account = data.bettercompute_provider_account.main
}

output "networks" {
  value = { for network in data.bettercompute_networks.all.networks : network.name => network.ip_ranges }
}

output "default_network" {
  value = one([for network in data.bettercompute_networks.all.networks : network.id if network.default])
}

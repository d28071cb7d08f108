output "instances" {
  description = "The machines by name. Each is what bettercompute_provider_address takes as its instance."
  value = { for name, machine in bettercompute_instance.private : name => {
    id               = machine.id
    tenant_id        = machine.tenant_id
    machine_id       = machine.machine_id
    region           = machine.region
    provider_account = machine.provider_account
    state            = machine.state
    ipv4_address     = machine.ipv4_address
  } }
}

output "private_addresses" {
  description = "The private IPv4 addresses of each machine by its name. Empty where the vendor does not know them."
  value = { for name, machine in bettercompute_instance.private :
    name => [for address in machine.addresses : address.address if address.scope == "private" && address.family == "ipv4"]
  }
}

output "network" {
  description = "The network that the machines are in: its id, name and address ranges."
  value       = one([for network in data.bettercompute_networks.named.networks : { id = network.id, name = network.name, ip_ranges = network.ip_ranges }])
}

output "firewall_rules" {
  description = "The rules of the firewall that the machines are behind, empty without one."
  value       = flatten(local.firewalls[*].rules)
}

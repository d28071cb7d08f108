output "instances" {
  description = "The machines by name. Each is what bettercompute_provider_address takes as its instance."
  value = { for name, machine in bettercompute_instance.web : name => {
    id               = machine.id
    tenant_id        = machine.tenant_id
    machine_id       = machine.machine_id
    region           = machine.region
    provider_account = machine.provider_account
    state            = machine.state
    ipv4_address     = machine.ipv4_address
    ipv6_address     = machine.ipv6_address
  } }
}

output "addresses" {
  description = "The IPv4 address to reach each machine at, by the machine's name: the reserved one, else its own, which may be null."
  value = {
    for name, machine in bettercompute_instance.web :
    name => try(bettercompute_provider_address.web[name].address, machine.ipv4_address)
  }
}

output "certificate_id" {
  description = "The vendor's id of the certificate, for a load balancer. Null without domains."
  value       = one(bettercompute_certificate.web[*].certificate_id)
}

output "price_per_hour" {
  description = "What the machines cost in an hour, in the vendor's currency. Null where the vendor names no prices."
  value       = try(sum([for machine in bettercompute_instance.web : machine.price_per_hour]), null)
}

output "instances" {
  description = "The machines by name, whole: what bettercompute_provider_address takes as its instance."
  value       = bettercompute_instance.web
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

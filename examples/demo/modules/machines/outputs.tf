locals {
  row  = "%-10s %-12s %-14s %-8s %4s %8s %-16s %s"
  head = format(local.row, "NAME", "MACHINE", "OFFER", "STATE", "VCPU", "MEMORY", "IPV4", "PRICE PER HOUR")

  rows = [for name, machine in bettercompute_instance.machine : format(
    local.row,
    name,
    machine.machine_id,
    machine.offer_id,
    machine.state,
    machine.vcpu,
    "${machine.memory_gib} GiB",
    machine.ipv4_address == null ? "none" : machine.ipv4_address,
    machine.price_per_hour == null ? "unpriced" : "${machine.price_per_hour} ${machine.currency}",
  )]
}

output "table" {
  description = "The machines as text, one a line under a heading."
  value       = join("\n", concat([local.head], local.rows))
}

# Firewalls whose names begin with web, and what they let in from everywhere.
data "bettercompute_firewalls" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web*"
}

output "open_ports" {
  value = {
    for firewall in data.bettercompute_firewalls.web.firewalls :
    firewall.name => [for rule in firewall.rules : rule.ports if rule.direction == "in" && contains(rule.peers, "0.0.0.0/0")]
  }
}

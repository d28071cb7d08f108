# The module as it is, on the emulated vendors that are part of the provider, with the networks and firewalls of the file:
#
#   terraform-provider-bettercompute emulator -plant tests/inventory.json -- terraform test

variables {
  name     = "shop"
  network  = "backend"
  firewall = "web"
}

run "accounts" {
  module {
    source = "./tests/accounts"
  }
}

run "hetzner" {
  variables {
    provider_account = run.accounts.hetzner
    machines         = 2
    placement_group  = "apart"
  }

  assert {
    condition     = alltrue([for addresses in output.private_addresses : length(addresses) == 1 && startswith(addresses[0], "10.7.1.")])
    error_message = "The machines have no address in the network: ${jsonencode(output.private_addresses)}."
  }

  assert {
    condition     = alltrue([for machine in output.instances : machine.state == "running" && machine.ipv4_address != null])
    error_message = "The machines do not run, or have no public address."
  }

  assert {
    condition     = bettercompute_instance.private["shop-1"].hetzner_cloud.firewall_ids == toset(["web"]) && one(output.firewall_rules).ports == "443"
    error_message = "The machine is not behind the firewall."
  }
}

run "hetzner_without_public_addresses" {
  variables {
    name             = "inner"
    provider_account = run.accounts.hetzner
    firewall         = null
    public_ipv4      = false
  }

  assert {
    condition     = bettercompute_instance.private["inner-1"].addresses[*].scope == tolist(["private"])
    error_message = "The machine has a public address, or no private one."
  }
}

run "another_vendor_by_the_account_alone" {
  variables {
    name             = "store"
    provider_account = run.accounts.digitalocean
  }

  assert {
    condition     = startswith(output.private_addresses["store-1"][0], "10.7.")
    error_message = "The machine is not in the VPC: ${jsonencode(output.private_addresses)}."
  }

  assert {
    condition     = bettercompute_instance.private["store-1"].labels["role"] == "web"
    error_message = "The machine does not bear the firewall's tag."
  }
}

run "a_cluster_of_ones_own" {
  variables {
    name             = "lab"
    provider_account = run.accounts.proxmox
    network          = "backend.7"
  }

  assert {
    condition     = output.network.name == "backend" && bettercompute_instance.private["lab-1"].network == "backend.7"
    error_message = "The machine is not in the VNet."
  }
}

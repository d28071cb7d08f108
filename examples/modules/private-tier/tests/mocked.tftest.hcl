# What the module makes of its variables, with a provider that is made up: no emulator, no network.
#
#   terraform test -filter=tests/mocked.tftest.hcl

mock_provider "bettercompute" {
  mock_data "bettercompute_offer" {
    defaults = { id = "cx23" }
  }
}

variables {
  provider_account = { id = "pacct_0123456789abcdefghjkmnpqrstv0123456789abcdefghjkmnpq", tenant_id = "root", kind = "hetzner-cloud", config = "{}" }
  name             = "shop"
  network          = "backend"
}

run "hetzner_by_name" {
  variables {
    firewall          = "web"
    placement_group   = "apart"
    delete_protection = true
  }

  assert {
    condition     = bettercompute_instance.private["shop-1"].hetzner_cloud.firewall_ids == toset(["web"]) && bettercompute_instance.private["shop-1"].hetzner_cloud.placement_group_id == "apart"
    error_message = "The machine is not behind the firewall, or not in the placement group."
  }

  assert {
    condition     = bettercompute_instance.private["shop-1"].network == "backend" && bettercompute_instance.private["shop-1"].delete_protection
    error_message = "The machine is not in the network, or not protected."
  }
}

# Lists that are made up are empty: there is no such firewall.
run "a_firewall_by_tag_has_to_be_there" {
  command = plan

  variables {
    provider_account = { id = "pacct_0123456789abcdefghjkmnpqrstv0123456789abcdefghjkmnpq", tenant_id = "root", kind = "digitalocean", config = "{}" }
    firewall         = "web"
  }

  expect_failures = [bettercompute_instance.private]
}

run "without_a_firewall" {
  variables {
    public_ipv4 = false
  }

  assert {
    condition     = length(data.bettercompute_firewalls.named) == 0 && length(bettercompute_instance.private["shop-1"].hetzner_cloud.firewall_ids) == 0 && bettercompute_instance.private["shop-1"].public_ipv6 == false
    error_message = "There is a firewall, or a public address."
  }
}

run "a_firewall_needs_a_public_interface" {
  command = plan

  variables {
    firewall    = "web"
    public_ipv4 = false
  }

  expect_failures = [bettercompute_instance.private]
}

run "refused_variables" {
  command = plan

  variables {
    name                = "Shop"
    machines            = 1.5
    network             = "back*"
    firewall            = "w?b"
    ssh_authorized_keys = ["~/.ssh/id_ed25519.pub"]
  }

  expect_failures = [var.name, var.machines, var.network, var.firewall, var.ssh_authorized_keys]
}

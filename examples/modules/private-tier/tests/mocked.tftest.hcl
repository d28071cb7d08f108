# What the module makes of its variables, with a provider that is made up: no emulator, no network.
#
#   terraform test -filter=tests/mocked.tftest.hcl

mock_provider "bettercompute" {
  mock_data "bettercompute_offer" {
    defaults = { id = "cx23" }
  }

  mock_data "bettercompute_networks" {
    defaults = { region = "fsn1", networks = [{ id = "7", name = "backend", regions = ["fsn1"], nodes = [], ip_ranges = ["10.7.0.0/16"], labels = {}, default = false }] }
  }

  mock_data "bettercompute_firewalls" {
    defaults = { firewalls = [{ id = "8", name = "web", labels = {}, selectors = ["role:web", "plain"], rules = [] }] }
  }

  mock_resource "bettercompute_instance" {
    defaults = { addresses = [{ address = "10.7.1.2", family = "ipv4", scope = "private" }, { address = "192.0.2.10", family = "ipv4", scope = "public" }] }
  }
}

variables {
  provider_account = { id = "pacct_0123456789abcdefghjkmnpqrstv0123456789abcdefghjkmnpq", tenant_id = "root", kind = "hetzner-cloud", config = "{}" }
  name             = "shop"
  network          = "backend"
}

run "hetzner_by_name" {
  variables {
    firewall        = "web"
    placement_group = "apart"
  }

  assert {
    condition     = bettercompute_instance.private["shop-1"].hetzner_cloud.firewall_ids == toset(["web"]) && bettercompute_instance.private["shop-1"].hetzner_cloud.placement_group_id == "apart"
    error_message = "The machine is not behind the firewall, or not in the placement group."
  }

  assert {
    condition     = output.private_addresses["shop-1"] == ["10.7.1.2"]
    error_message = "The private addresses are ${jsonencode(output.private_addresses)}."
  }
}

run "digitalocean_by_tag" {
  variables {
    provider_account = { id = "pacct_0123456789abcdefghjkmnpqrstv0123456789abcdefghjkmnpq", tenant_id = "root", kind = "digitalocean", config = "{}" }
    firewall         = "web"
  }

  assert {
    condition     = bettercompute_instance.private["shop-1"].labels == tomap({ tier = "shop", role = "web" }) && bettercompute_instance.private["shop-1"].hetzner_cloud == null
    error_message = "The machine does not bear the firewall's tag."
  }
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

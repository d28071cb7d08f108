# What the module makes of its variables, with a provider that is made up: no emulator, no network.
#
#   terraform test -filter=tests/mocked.tftest.hcl

mock_provider "bettercompute" {
  mock_data "bettercompute_offer" {
    defaults = { id = "cx23" }
  }

  mock_resource "bettercompute_instance" {
    defaults = { ipv4_address = "192.0.2.10", price_per_hour = 0.01 }
  }

  mock_resource "bettercompute_provider_address" {
    defaults = { address = "198.51.100.7" }
  }
}

variables {
  provider_account = { id = "pacct_0123456789abcdefghjkmnpqrstv0123456789abcdefghjkmnpq", tenant_id = "root", kind = "hetzner-cloud", config = "{}" }
  name             = "shop"
}

run "two_machines_with_addresses" {
  assert {
    condition     = sort(keys(output.instances)) == tolist(["shop-1", "shop-2"])
    error_message = "The machines are called ${join(", ", keys(output.instances))}."
  }

  assert {
    condition     = output.addresses["shop-2"] == "198.51.100.7"
    error_message = "The address is not the reserved one."
  }

  assert {
    condition     = bettercompute_instance.web["shop-1"].image == "debian-13" && bettercompute_instance.web["shop-1"].offer_id == "cx23"
    error_message = "The machine has the wrong image or offer."
  }

  assert {
    condition     = output.certificate_id == null
    error_message = "There is a certificate without domains."
  }
}

run "no_addresses_where_the_vendor_has_none" {
  variables {
    provider_account = { id = "pacct_0123456789abcdefghjkmnpqrstv0123456789abcdefghjkmnpq", tenant_id = "root", kind = "proxmox", config = "{}" }
    machines         = 1
  }

  assert {
    condition     = length(bettercompute_provider_address.web) == 0 && output.addresses["shop-1"] == "192.0.2.10"
    error_message = "An address is reserved on Proxmox VE."
  }
}

run "refused_variables" {
  command = plan

  variables {
    name                = "Shop"
    machines            = 1.5
    ssh_authorized_keys = ["~/.ssh/id_ed25519.pub"]
    domains             = ["example"]
  }

  expect_failures = [var.name, var.machines, var.ssh_authorized_keys, var.domains]
}

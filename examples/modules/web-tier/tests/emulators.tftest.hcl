# The module as it is, on the emulated vendors that are part of the provider:
#
#   terraform-provider-bettercompute emulator -- terraform test

variables {
  name     = "shop"
  machines = 2
}

run "accounts" {
  module {
    source = "./tests/accounts"
  }
}

run "hetzner" {
  variables {
    provider_account = run.accounts.hetzner
    domains          = ["shop.example.com"]
  }

  assert {
    condition     = alltrue([for machine in output.instances : machine.state == "running"])
    error_message = "Not every machine runs."
  }

  assert {
    condition     = alltrue([for name, address in bettercompute_provider_address.web : output.addresses[name] == address.address])
    error_message = "The machines are not reached at the addresses that are reserved for them."
  }

  assert {
    condition     = bettercompute_certificate.web[0].state == "ready" && output.certificate_id != null
    error_message = "The certificate is not ready."
  }

  assert {
    condition     = output.price_per_hour > 0
    error_message = "The machines cost nothing."
  }
}

run "another_vendor_by_the_account_alone" {
  variables {
    name             = "store"
    provider_account = run.accounts.digitalocean
    domains          = ["shop.example.com"]
  }

  assert {
    condition     = length(output.addresses) == 2 && output.certificate_id != null
    error_message = "There are not two addresses and a certificate."
  }
}

run "without_addresses_and_prices" {
  variables {
    name             = "lab"
    provider_account = run.accounts.proxmox
  }

  assert {
    condition     = length(bettercompute_provider_address.web) == 0 && length(output.instances) == 2
    error_message = "There are not two machines without reserved addresses."
  }

  assert {
    condition     = output.price_per_hour == null
    error_message = "A cluster of one's own has no prices."
  }
}

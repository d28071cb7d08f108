resource "bettercompute_instance" "web" {
  provider_account    = data.bettercompute_provider_account.main
  name                = "web"
  offer_id            = "OFFER"
  image               = "IMAGE"
  labels              = { tier = "web" }
  ssh_authorized_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kP8gqHj0kQ1nZ0m0P0v6kq6nE0kH2t1uRy6mE0q2q alice@example.com"]
  delete_protection   = true
  network             = "vmbr0.100"

  proxmox = {
    node            = "pve1"
    cpu_type        = "x86-64-v2-AES"
    network_devices = ["vmbr0"]
    on_boot         = true
    protection      = true
  }
}

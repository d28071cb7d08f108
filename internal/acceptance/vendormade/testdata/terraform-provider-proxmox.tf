provider "proxmox" {}

resource "proxmox_virtual_environment_vm" "web" {
  name        = "web"
  description = "of the shop"
  tags        = ["tier.web"]
  node_name   = "pve1"
  vm_id       = 4321
  on_boot     = true
  protection  = true

  clone {
    vm_id = 9000
    full  = true
  }

  agent {
    enabled = true
    timeout = "30s"
  }

  cpu {
    cores = 2
    type  = "x86-64-v2-AES"
  }

  memory {
    dedicated = 4096
  }

  disk {
    interface    = "scsi0"
    datastore_id = "local-lvm"
    size         = 20
  }

  network_device {
    bridge  = "vmbr0"
    vlan_id = 100
  }

  network_device {
    bridge = "vmbr0"
  }

  initialization {
    datastore_id = "local-lvm"

    ip_config {
      ipv4 {
        address = "dhcp"
      }
    }

    user_account {
      username = "debian"
      keys     = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kP8gqHj0kQ1nZ0m0P0v6kq6nE0kH2t1uRy6mE0q2q alice@example.com"]
    }
  }
}

data "bettercompute_provider_account" "proxmox" {
  name = "lab"

  proxmox = {
    url            = "https://pve1.example.com:8006"
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = file("${path.module}/pve-root-ca.pem") # /etc/pve/pve-root-ca.pem of any node
  }
}

# A clone of the template debian-13, with user data as a volume that is removed with it.
resource "bettercompute_instance" "proxmox" {
  provider_account = data.bettercompute_provider_account.proxmox
  name             = "lab-1"
  offer_id         = "2c-4g"
  image            = "debian-13"
  labels           = { team = "shop" }

  user_data = <<-END
    #cloud-config
    packages: [nginx]
  END
}

# A Proxmox VE cluster. Its offers are what the account says.
resource "bettercompute_provider_account" "proxmox" {
  name = "proxmox"

  proxmox = {
    url            = "https://pve1.example.com:8006"
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = file("${path.module}/pve-root-ca.pem") # /etc/pve/pve-root-ca.pem of any node
    offers         = ["2c-4g", "4c-8g-100d"]
  }
}

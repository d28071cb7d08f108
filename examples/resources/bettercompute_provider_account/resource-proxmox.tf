variable "proxmox_url" {
  description = "URL of any node of the cluster."
  type        = string
  default     = "https://pve1.example.com:8006"
}

variable "proxmox_ca_certificate" {
  description = "The cluster's certificate authority, /etc/pve/pve-root-ca.pem of any node."
  type        = string
  default     = null
}

# A Proxmox VE cluster. Its offers are what the account says.
resource "bettercompute_provider_account" "proxmox" {
  name = "proxmox"

  proxmox = {
    url            = var.proxmox_url
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = var.proxmox_ca_certificate
    offers         = ["2c-4g", "4c-8g-100d"]
  }
}

# The account of this folder's example on the emulated vendor: an override changes arguments of a block that is there. The
# example itself is as it would be written.

data "bettercompute_provider_account" "proxmox" {
  proxmox = {
    url            = var.proxmox_url
    token          = "env://PROXMOX_VE_API_TOKEN"
    ca_certificate = var.proxmox_ca_certificate
  }
}
